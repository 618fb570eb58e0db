// Inputs on which one mutant may differ from its model: few operands at the places concerned, around the
// exponents at which it shows, and at its own edges.
#pragma once

#include "inference/inputs.h"
#include "inference/mutant.h"

namespace mmaprint {

class MutantInputs : RandomDraws {
 public:
  /// `aim` has to outlive this.
  MutantInputs(const UnitModel& model, const Aim& aim, std::uint64_t seed);
  [[nodiscard]] DotInput next();

 private:
  [[nodiscard]] DotInput any();

  [[nodiscard]] std::size_t any_product();
  [[nodiscard]] int any_exponent();
  [[nodiscard]] int exponent_of_loss();
  [[nodiscard]] int kept_bits() const;
  [[nodiscard]] DotInput zeros() const { return zero_input(k_); }
  [[nodiscard]] Pattern number(const FormatInfo& f, int exponent);
  void set_product(DotInput& in, std::size_t k, int exponent);
  void make_subnormal(DotInput& in, int place);

  [[nodiscard]] DotInput generated();
  [[nodiscard]] DotInput focused();
  [[nodiscard]] DotInput beside_a_tie(int least);
  [[nodiscard]] DotInput nested_ties(int rounds_to);
  [[nodiscard]] DotInput tie_beside_what_is_lost(int rounds_to, int first);
  [[nodiscard]] DotInput with_largest(int largest);
  [[nodiscard]] DotInput under_a_pair(int least);
  [[nodiscard]] DotInput grown_and_back();
  [[nodiscard]] DotInput overflowing_by_rounding();
  /// At a place: a power of two, or any number, of this exponent and sign.
  void put(DotInput& in, int place, int exponent, bool power, bool negative);
  [[nodiscard]] DotInput at_edges();
  [[nodiscard]] DotInput special();
  /// What takes part in an input, at the places concerned.
  [[nodiscard]] DotInput moved(const DotInput& input);

  int k_;
  PlanWidths widths_;                                              ///< of the containers
  int lowest_exponent_a_, lowest_exponent_b_, lowest_exponent_c_;  ///< as it is computed in
  const Aim& aim_;
  std::vector<std::size_t> products_;  ///< concerned; empty: any
  bool has_c_;
  bool of_c_;  ///< concerned
  TileEdges edges_;
  InputGenerator generator_;
  std::uint64_t seed_;
  std::uint32_t turn_ = 0;
};

}  // namespace mmaprint
