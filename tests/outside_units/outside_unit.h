// A unit outside the hypothesis space, as a device.
#pragma once

#include <memory>

#include "device/matmul_unit.h"
#include "outside_units/distributions.h"
#include "outside_units/kinds.h"

namespace mmaprint::test {

class OutsideUnit final : public MatmulUnit {
 public:
  OutsideUnit(const DeviationKind& kind, Deviant deviant);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override;
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override;

  /// The same for a batch that is known to be well formed.
  [[nodiscard]] std::vector<Pattern> answers(std::span<const DotInput> inputs);
  [[nodiscard]] const DeviationKind& kind() const { return kind_; }
  /// The unit of the space that this one departs from.
  [[nodiscard]] const UnitModel& base() const { return deviant_.base; }
  [[nodiscard]] Instruction instruction() const;

 private:
  const DeviationKind& kind_;
  Deviant deviant_;
  UnitModel unit_;  ///< what the oracle computes, deviations aside
  Pattern previous_ = 0;
};

/// Of how many inputs of each distribution two units are compared.
inline constexpr int kInputsOfEach = 20'000;
/// A unit counts as outside where it differs this often from its base, on one of the distributions.
inline constexpr int kDifferencesOfEach = (kInputsOfEach + 299) / 300;

/// Draws units of this kind from seed on until one differs often enough from the unit of the space that it
/// departs from. Throws std::runtime_error where a thousand don't.
[[nodiscard]] std::unique_ptr<OutsideUnit> outside_unit(const DeviationKind& kind, std::uint64_t seed,
                                                        int largest_k = 32);

/// On how many inputs a unit and a model differ.
struct Disagreements {
  std::array<int, kDistributions.size()> of{};  ///< as many inputs of each distribution
  int generated = 0;                            ///< and of the generator that experiments use
  std::optional<Observation> example;
  [[nodiscard]] int total() const;
};
[[nodiscard]] Disagreements disagreements(OutsideUnit& unit, const UnitModel& model, std::uint64_t seed,
                                          int inputs = kInputsOfEach);

}  // namespace mmaprint::test
