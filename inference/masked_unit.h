// A unit that is asked masking inputs: exponents of M and u that its formats have room for, and answers in
// units.
#pragma once

#include "inference/masking.h"
#include "inference/structure.h"

namespace mmaprint {

/// No more may be asked, or the answers fit no tree.
struct NotMeasured {};

class MaskedUnit {
 public:
  /// No more than so many inputs are asked. Throws NotMeasured where there is no room between M and u.
  MaskedUnit(int k, const Signature& formats, const AskAll& ask, std::size_t most);

  [[nodiscard]] int leaves() const { return masks_.leaves(); }
  /// Exponents of M and u, and the lowest one.
  [[nodiscard]] int mask() const { return mask_; }
  [[nodiscard]] int unit() const { return unit_; }
  [[nodiscard]] int lowest() const { return masks_.lowest(); }
  /// So many units are counted exactly, wherever they stand.
  [[nodiscard]] int largest_group() const { return largest_group_; }

  /// What the unit gives, in units of 2^exponent; none where that is no whole number. Throws NotMeasured.
  using Units = std::optional<std::int64_t>;
  [[nodiscard]] std::vector<Units> results(const std::vector<std::vector<PowerAt>>& asked, int exponent);

 private:
  void choose_exponents();
  [[nodiscard]] bool are_exact_alone();
  [[nodiscard]] bool are_counted(int group);

  MaskingInputs masks_;
  const AskAll& ask_;
  std::size_t left_;  ///< inputs that may be asked
  int mask_ = 0, unit_ = 0;
  int largest_group_ = 1;
};

}  // namespace mmaprint
