#include "inference/edge_inputs.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.h"
#include "inference/inputs.h"
#include "inference/join_inputs.h"
#include "inference/mutant_inputs.h"
#include "inference/random_draws.h"
#include "inference/scaled_clamp_inputs.h"
#include "inference/scaled_sum_inputs.h"
#include "inference/tie_inputs.h"
#include "model/batch_evaluator.h"
#include "model/zero_input.h"

namespace mmaprint {
namespace {

constexpr std::size_t kInputsOfAim = 1'000;
constexpr std::size_t kInputsOfClamp = 20'000;

/// Inputs for a clamp of the alignment exponent, or for zeros that take part in it: the largest operand lies
/// a little below it, or there is none, and others about where the lowest bit is that it leaves. What it
/// pushes out shows in what is left when the largest is cancelled, beside a tie, or where anything lost does.
class BesideAClamp : RandomDraws {
 public:
  BesideAClamp(const UnitModel& model, const Adder& adder, std::variant<int, ZeroAddends> clamp,
               std::uint64_t seed)
      : RandomDraws(seed),
        widths_(model.formats, model.k, {}),
        clamp_(clamp),
        kept_(adder.alignment_fraction_bits.value_or(2 * widths_.d.fraction_bits)),
        rounds_to_(std::min(adder.output_fraction_bits, widths_.d.fraction_bits)),
        has_c_(model.formats.c.has_value()),
        places_(static_cast<std::size_t>(model.k) + (has_c_ ? 1 : 0)) {}

  DotInput next() {
    const auto n = places_.size() - (has_c_ ? 1 : 0);
    DotInput in = zero_input(static_cast<int>(n));
    fill_with_any_order(places_);
    if (has_c_ && chance(50)) std::swap(*std::ranges::find(places_, n), places_.front());
    next_ = 0;
    end_ = places_.size();
    const int clamp = put_clamp(in), top = clamp - 1 - below(4);
    const bool negative = chance(50);
    if (chance(75)) {
      const Pattern fraction = chance(40) ? 0 : word();
      put(in, {negative, top, fraction});
      if (chance(25)) put(in, {!negative, top, chance(70) ? fraction : word()});
      if (chance(30)) put(in, {chance(50), top - rounds_to_ - 1, 0});
    }
    // Two that nearly cancel leave their lowest bits alone, which may lie far below their exponents.
    const bool nearly_cancel = chance(40);
    const int low = clamp - kept_ - 3 + below(nearly_cancel ? 12 : 6);
    const bool minus = chance(50);
    put(in, {minus, low, chance(40) ? 0 : word()});
    if (nearly_cancel || chance(50)) put(in, {!minus, low - below(2), chance(40) ? 0 : word()});
    return in;
  }

 private:
  struct Number {
    bool negative;
    int exponent;
    Pattern fraction;
  };
  /// Gives its exponent. A zero is a product, one of whose factors decides where zeros have an exponent as
  /// factors: most often the largest that it may be, where most lies below.
  int put_clamp(DotInput& in) {
    if (const int* clamp = std::get_if<int>(&clamp_)) return *clamp;
    const auto zeros = std::get<ZeroAddends>(clamp_);
    if (places_.back() == in.a.size()) std::swap(places_.back(), places_[places_.size() - 2]);
    const std::size_t place = places_[--end_];
    const bool is_a = chance(50);
    const FormatInfo& f = is_a ? widths_.a : widths_.b;
    const int of_factor = f.emax() - below(chance(50) ? 2 : f.emax() - f.emin());
    (is_a ? in.a : in.b)[place] = nonzero_pattern(f, chance(50), of_factor, 0);
    return zeros.exponent() + (zeros.kind() == ZeroAddends::Kind::factor_exponent ? of_factor : 0);
  }
  /// At the next place that is free.
  void put(DotInput& in, const Number& x) {
    if (next_ == end_) return;
    const std::size_t place = places_[next_++];
    if (place == in.a.size()) {
      in.c = nonzero_pattern(widths_.c, x.negative, x.exponent, x.fraction);
      return;
    }
    const auto [a, b] = split(x.exponent);
    in.a[place] = nonzero_pattern(widths_.a, x.negative, a, x.fraction);
    in.b[place] = nonzero_pattern(widths_.b, false, b, chance(50) ? 0 : word());
  }
  /// Among normal factors where there are such, as subnormal ones may be flushed.
  [[nodiscard]] std::pair<int, int> split(int exponent) {
    const FormatInfo &fa = widths_.a, &fb = widths_.b;
    if (chance(70)) exponent = std::max(exponent, fa.emin() + fb.emin());
    const int low = std::max(fa.emin(), exponent - fb.emax());
    const int high = std::min(fa.emax(), exponent - fb.emin());
    const int lean = below(9) - 4;
    if (low > high) {
      const auto [a, b] = detail::split(exponent, lean, widths_);
      return {a, b};
    }
    const int a = std::clamp(exponent / 2 + lean, low, high);
    return {a, exponent - a};
  }

  PlanWidths widths_;
  std::variant<int, ZeroAddends> clamp_;
  int kept_, rounds_to_;
  bool has_c_;
  std::vector<std::size_t> places_;  ///< products, and c after them, in any order
  std::size_t next_ = 0, end_ = 0;   ///< of the places
};

std::vector<Aim> aims_at(const UnitModel& x, const UnitModel& y) {
  std::vector<Aim> aims;
  for (const TileEdges& edges : all_edges_of(y)) aims.push_back({.edges = edges});
  for (const TileEdges& edges : all_edges_of(x))
    if (std::ranges::none_of(aims, [&](const Aim& aim) { return aim.edges == edges; }))
      aims.push_back({.edges = edges});
  return aims;
}

/// An adder and what it has that may decide how operands are aligned.
struct OwnClamp {
  const Adder* adder;
  std::variant<int, ZeroAddends> clamp;
};
/// Those of a model that the other does not have.
std::vector<OwnClamp> own_clamps(const UnitModel& of, const UnitModel& other) {
  std::vector<OwnClamp> all;
  for (std::size_t i = 0; i < of.adders.size(); ++i) {
    const Adder& adder = of.adders[i];
    const Adder* its = i < other.adders.size() ? &other.adders[i] : nullptr;
    const auto clamp = adder.minimum_alignment_exponent;
    if (clamp && (its == nullptr || its->minimum_alignment_exponent != clamp))
      all.push_back({&adder, *clamp});
    const ZeroAddends zeros = adder.zero_addends;
    if (zeros != ZeroAddends{} && (its == nullptr || its->zero_addends != zeros))
      all.push_back({&adder, zeros});
  }
  return all;
}

/// The first input, of so many that a generator makes, on which two models differ.
std::optional<DotInput> first_difference(const BatchEvaluator& x, const BatchEvaluator& y, std::size_t count,
                                         auto&& made) {
  constexpr std::size_t kTogether = 64;
  std::vector<DotInput> inputs;
  for (; count > 0; count -= inputs.size()) {
    inputs.clear();
    while (inputs.size() < std::min(kTogether, count)) inputs.push_back(made.next());
    if (const auto place = y.first_difference(inputs, x(inputs))) return std::move(inputs[*place]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<DotInput> difference_at_edges(const UnitModel& x, const UnitModel& y, std::uint64_t seed) {
  if (!info(x.formats.d).is_floating()) return std::nullopt;
  const BatchEvaluator left(x);
  const BatchEvaluator right(y);
  if (DotInput zeros = negative_zeros(x.formats, x.k); left.one()(zeros) != right.one()(zeros)) return zeros;
  for (const auto& [of, other] : {std::pair(&x, &y), std::pair(&y, &x)})
    for (const auto& [adder, clamp] : own_clamps(*of, *other)) {
      // Of zeros no inputs with scales are made.
      if (x.formats.has_scales() && !std::holds_alternative<int>(clamp)) continue;
      if (auto input =
              x.formats.has_scales()
                  ? first_difference(left, right, kInputsOfClamp, ScaledClampInputs(*of, *adder, seed++))
                  : first_difference(left, right, kInputsOfClamp, BesideAClamp(*of, *adder, clamp, seed++)))
        return input;
    }
  for (const Aim& aim : aims_at(x, y))
    if (auto input = first_difference(left, right, kInputsOfAim, MutantInputs(x, aim, seed++))) return input;
  return std::nullopt;
}

std::optional<DotInput> difference_of_scaled_sums(const UnitModel& x, const UnitModel& y, std::int64_t inputs,
                                                  std::uint64_t seed, const Deadline& deadline) {
  if (!x.formats.has_scales()) return std::nullopt;
  constexpr std::int64_t kTogether = 1'024;
  const BatchEvaluator left(x), right(y);
  ScaledSumInputs sums(x, y, seed);
  for (; inputs > 0 && !deadline.passed(); inputs -= kTogether)
    if (auto input =
            first_difference(left, right, static_cast<std::size_t>(std::min(inputs, kTogether)), sums))
      return input;
  return std::nullopt;
}

std::optional<DotInput> difference_at_ties(const UnitModel& x, const UnitModel& y, std::int64_t inputs,
                                           std::uint64_t seed, const Deadline& deadline) {
  if (!info(x.formats.d).is_floating()) return std::nullopt;
  const Evaluator left(x);
  const Evaluator right(y);
  constexpr std::array kFamilies{InputFamily::any, InputFamily::edges};
  InputsAtTies ties(x, y, seed);
  InputsAtJoins joins(x, y, seed);
  InputGenerator random(x.k, x.formats, seed);
  constexpr int kScaledSums = 4;  // beside each of the others, which cost more
  std::optional<ScaledSumInputs> scaled;
  if (x.formats.has_scales()) scaled.emplace(x, y, seed);
  Checkpoint late(deadline);
  for (std::int64_t i = 0; i < inputs && !late.passed(); ++i) {
    if (joins.has_any())
      if (auto input = joins.next(); input && left(*input) != right(*input)) return input;
    if (auto input = ties.next(); input && left(*input) != right(*input)) return input;
    for (int n = 0; scaled && n < kScaledSums; ++n)
      if (DotInput input = scaled->next(); left(input) != right(input)) return input;
    DotInput input = random.next(kFamilies[static_cast<std::size_t>(i) % kFamilies.size()]);
    if (left(input) != right(input)) return input;
  }
  return std::nullopt;
}

std::optional<MadeDifference> difference_at_ties(const UnitModel& model, std::span<const UnitModel> others,
                                                 std::int64_t inputs, std::uint64_t seed, int threads,
                                                 const Deadline& deadline) {
  const auto together = static_cast<std::size_t>(std::max(1, threads));
  // As many whatever the threads, so that the same seed makes the same inputs.
  const std::size_t parts = std::max<std::size_t>(1, kMostParts / std::max<std::size_t>(1, others.size()));
  const std::size_t jobs = others.size() * parts;
  const auto of_part = static_cast<std::int64_t>(parts);
  for (std::size_t first = 0; first < jobs && !deadline.passed(); first += together) {
    std::vector<std::optional<DotInput>> found(std::min(together, jobs - first));
    in_parallel(found.size(), threads, [&](std::size_t i) {
      found[i] = difference_at_ties(model, others[(first + i) / parts], (inputs + of_part - 1) / of_part,
                                    seed + first + i, deadline);
    });
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i]) return MadeDifference{(first + i) / parts, *std::move(found[i])};
  }
  return std::nullopt;
}

}  // namespace mmaprint
