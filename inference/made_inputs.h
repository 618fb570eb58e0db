// How many inputs are made to find a difference (inference/tie_inputs.h), beside what its proof may cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mmaprint {

/// For units of K products. An input costs about as much as its products.
class MadeInputs {
 public:
  /// The formula of a whole unit is not tried with fewer steps; what takes more costs far more than many
  /// inputs.
  static constexpr std::int64_t kManySteps = 34'000;

  /// `total`: steps of all proofs of a set; nullopt where they are not limited.
  MadeInputs(int k, std::optional<std::int64_t> total) : k_(k), total_(total) {}

  /// For each of so many other values, where a proof gets so many steps: the fewer, the more for each.
  [[nodiscard]] std::int64_t of_each(std::size_t others, std::int64_t steps) const {
    const auto values = static_cast<std::int64_t>(std::max<std::size_t>(others, 1));
    if (steps > kManySteps) return at_last() / values;
    // Of one product or two they cost least, and what is looked for is rarest.
    const std::int64_t as_many = k_ <= 2 ? kAsManyOfFew : 1;
    const std::int64_t most = std::max(kMostOfValue, kMostOfRound / values) * as_many;
    // What few steps did not decide is likely to be told apart.
    const std::int64_t steps_of_input = steps > kFewSteps && k_ > 2 ? kStepsOfInputThen : kStepsOfInput;
    return std::min({steps * as_many / steps_of_input, most, kMostProducts / k_});
  }
  /// Of two models, before a proof of so many steps.
  [[nodiscard]] std::int64_t of_pair(std::int64_t steps) const {
    return std::min(steps / kStepsOfInput, kMostProducts / k_);
  }
  /// Of what a set's hypotheses have in common.
  [[nodiscard]] std::int64_t of_set(std::int64_t steps) const {
    return std::min(steps, kMostProducts / 4 / k_);
  }
  /// Where a proof did not end with few steps.
  [[nodiscard]] std::int64_t at_last() const {
    const std::int64_t most = kMostProductsAtLast / (k_ + kProductsOfInput);
    return total_ ? std::min(*total_, most) : most;
  }
  /// Where the first proofs did not end.
  [[nodiscard]] std::int64_t before_last() const { return at_last() / 4; }

 private:
  static constexpr std::int64_t kFewSteps = 3'500;
  static constexpr std::int64_t kStepsOfInput = 7, kStepsOfInputThen = 2;
  static constexpr std::int64_t kMostOfRound = 40'000;
  static constexpr std::int64_t kMostOfValue = 4'000;
  static constexpr std::int64_t kAsManyOfFew = 25;
  static constexpr std::int64_t kMostProducts = 100'000;
  static constexpr std::int64_t kMostProductsAtLast = 2'400'000;
  /// As many products cost as much as what an input costs besides.
  static constexpr int kProductsOfInput = 8;

  int k_;
  std::optional<std::int64_t> total_;
};

}  // namespace mmaprint
