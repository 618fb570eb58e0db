// Units of two small nodes, their mutants, and devices that are such.
#pragma once

#include <functional>
#include <vector>

#include "device/catalogue.h"
#include "device/matmul_unit.h"
#include "inference/mutant.h"

namespace mmaprint::test {

inline UnitModel model(std::string_view unit, std::string_view instruction) {
  return *catalogued_model(unit, instruction);
}
/// Two nodes of two products each.
inline UnitModel two_nodes(Format result, Rounding rounding) {
  const Format factor = Format::fp16;
  ChainParameters v;
  v.block.alignment_fraction_bits = 24;
  v.block.rounding = rounding;
  v.block.output_fraction_bits = info(result).fraction_bits;
  return chain_model("dot4", 4, {factor, factor, result, result}, Chain{{{0, 1}, {2, 3}}, CEnters::first}, v,
                     canonical_nan(result));
}

inline Mutants all_mutants(const UnitModel& m) { return mutants_of(Original(m), 100'000, 1); }

/// A device that is a mutant.
class MutantUnit final : public MatmulUnit {
 public:
  MutantUnit(const UnitModel& model, Mutant mutant) : model_(model), mutant_(std::move(mutant)) {}
  [[nodiscard]] std::string name() const override { return mutant_.name; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return {}; }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/, std::span<const DotInput> inputs) override {
    std::vector<Pattern> results;
    for (const DotInput& input : inputs) results.push_back(answer(input));
    return results;
  }
  [[nodiscard]] Pattern answer(const DotInput& input) const { return mutant_.answer(input, model_(input)); }

 private:
  Evaluator model_;
  Mutant mutant_;
};

/// A unit that computes as the function says.
class FunctionUnit final : public MatmulUnit {
 public:
  explicit FunctionUnit(std::function<Pattern(const DotInput&)> answer) : answer_(std::move(answer)) {}
  [[nodiscard]] std::string name() const override { return "function"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return {}; }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/, std::span<const DotInput> inputs) override {
    std::vector<Pattern> results;
    for (const DotInput& input : inputs) results.push_back(answer_(input));
    return results;
  }

 private:
  std::function<Pattern(const DotInput&)> answer_;
};

}  // namespace mmaprint::test
