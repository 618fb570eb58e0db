#include "model/batch_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "model/flat_evaluator.h"

namespace mmaprint {
namespace {

constexpr std::size_t kTogether = 64;  // as a LaneBatch takes

/// Where the operands of some inputs go: of each its patterns of a and b, and c.
struct Together {
  std::span<const void*> a, b;
  std::span<Pattern> c;
};

/// Do a lane's bits hold all that the unit computes with, and half of them every factor?
bool fits_lanes(const UnitModel& model, const FlatUnit& unit, int lane) {
  const PlanWidths& widths = unit.widths;
  if (widths.d.is_integer()) return false;
  const WordsNeeded needed = words_needed(model);
  return std::max(needed.operands, needed.sums) <= lane &&
         std::max(widths.a.precision(), widths.b.precision()) <= lane / 2 &&
         std::max({widths.from_a.format.container_bits, widths.from_b.format.container_bits,
                   widths.from_c.format.container_bits, widths.d.container_bits}) <= lane;
}

/// Are operands of format f read as they come, and short enough to be prepared?
bool has_heads(const Container& from, const FormatInfo& f) {
  return from.format.id == f.id && !from.conversion && !f.is_integer() &&
         f.precision() <= PreparedOperand::kSignificandBits;
}

}  // namespace

BatchEvaluator::BatchEvaluator(const UnitModel& model) : BatchEvaluator(model, lane_kernels()) {}

BatchEvaluator::BatchEvaluator(const UnitModel& model, LaneKernel kernel)
    : BatchEvaluator(model, std::span(&kernel, kernel == nullptr ? 0 : 1)) {}

BatchEvaluator::BatchEvaluator(const UnitModel& model, std::span<const LaneKernel> kernels) : one_(model) {
  if (kernels.empty()) return;
  const auto unit = flat_unit(model);
  if (!unit) return;
  block_width_ = mmaprint::block_width(model);
  const auto kernel = std::ranges::find_if(kernels, [&](LaneKernel k) {
    return (block_width_ != 0 || k->bits == 64) && fits_lanes(model, *unit, k->bits);
  });
  if (kernel == kernels.end()) return;
  kernel_ = *kernel;
  lanes_ = std::make_shared<const FlatUnit>(*unit);
  prepares_ =
      std::max(unit->widths.a.precision(), unit->widths.b.precision()) <= PreparedOperand::kSignificandBits;
  if (!has_heads(unit->widths.from_a, unit->widths.a) || !has_heads(unit->widths.from_b, unit->widths.b))
    return;
  heads_a_ = &heads_of(unit->widths.a, unit->conventions.input_subnormals);
  heads_b_ = &heads_of(unit->widths.b, unit->conventions.input_subnormals);
}

/// Of inputs that gather(first, Together) collects from that one on, each by itself one(0), one(1), ..
template <class Gather, class One>
void BatchEvaluator::evaluate(Bytes bytes, const Gather& gather, const One& one,
                              std::span<Pattern> results) const {
  if (lanes_ == nullptr) {
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = one(i);
    return;
  }
  std::array<const void*, kTogether> a{}, b{};
  std::array<Pattern, kTogether> c{};
  std::uint64_t nans = 0;
  for (std::size_t first = 0; first < results.size(); first += kTogether) {
    const auto together = results.subspan(first, std::min(kTogether, results.size() - first));
    gather(first, Together{std::span(a).first(together.size()), b, c});
    kernel_->dots({lanes_.get(), block_width_, prepares_, a.data(), b.data(), bytes.a, bytes.b, c.data(),
                   together.size(), together.data(), &nans});
    for (; nans != 0; nans &= nans - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(nans));
      together[i] = lanes_->by_rule ? one(first + i) : lanes_->nan;
    }
  }
}

void BatchEvaluator::operator()(std::span<const DotInput> inputs, std::span<Pattern> results) const {
  constexpr Bytes kBytes{sizeof(Pattern), sizeof(Pattern)};
  const auto gather = [&](std::size_t first, const Together& to) {
    for (std::size_t i = 0; i < to.a.size(); ++i) {
      const DotInput& input = inputs[first + i];
      to.a[i] = input.a.data(), to.b[i] = input.b.data(), to.c[i] = input.c;
    }
  };
  evaluate(
      kBytes, gather, [&](std::size_t i) { return one_(inputs[i]); }, results);
}

void BatchEvaluator::operator()(const PatternRows& rows, std::span<Pattern> results) const {
  const auto k = static_cast<std::size_t>(model().k);
  const auto gather = [&](std::size_t first, const Together& to) {
    for (std::size_t i = 0; i < to.a.size(); ++i)
      to.a[i] = rows.a.at((first + i) * k), to.b[i] = rows.b.at((first + i) * k);
    if (!rows.c.empty()) rows.c.copy(first, to.c.first(to.a.size()));
  };
  const auto patterns = [&](const Elements& all, std::size_t i) {
    std::vector<Pattern> of(k);
    all.copy(i * k, of);
    return of;
  };
  const auto one = [&](std::size_t i) {
    return one_(patterns(rows.a, i), patterns(rows.b, i), rows.c.empty() ? 0 : rows.c[i]);
  };
  evaluate({rows.a.bytes(), rows.b.bytes()}, gather, one, results);
}

std::vector<Pattern> BatchEvaluator::operator()(std::span<const DotInput> inputs) const {
  std::vector<Pattern> results(inputs.size());
  (*this)(inputs, results);
  return results;
}

std::optional<std::size_t> BatchEvaluator::first_difference(std::span<const DotInput> inputs,
                                                            std::span<const Pattern> results) const {
  constexpr std::size_t kFirst = 8;  // most differences show at once
  std::array<Pattern, kTogether> own{};
  for (std::size_t at = 0, count = kFirst; at < inputs.size(); at += count, count = kTogether) {
    count = std::min(count, inputs.size() - at);
    (*this)(inputs.subspan(at, count), std::span(own).first(count));
    const auto theirs = results.subspan(at, count);
    const auto place = std::ranges::mismatch(std::span(own).first(count), theirs).in2;
    if (place == theirs.end()) continue;
    const std::size_t first = at + static_cast<std::size_t>(place - theirs.begin());
    if (one_(inputs[first]) == results[first])
      throw std::logic_error("vector instructions give another result than the evaluator");
    return first;
  }
  return std::nullopt;
}

}  // namespace mmaprint
