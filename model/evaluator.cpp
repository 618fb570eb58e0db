#include "model/evaluator.h"

#include <utility>
#include <vector>

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/format_table.h"
#include "model/memo.h"
#include "model/nan_rule.h"
#include "model/one_treatment.h"
#include "model/scaled_evaluator.h"

namespace mmaprint {
namespace {

/// A type of this file's own, so that the compiler knows all uses of the datapath's functions over it and
/// inlines them.
struct InlinedParameters : FixedParameters {
  using FixedParameters::FixedParameters;
};

/// An operand of a format of at most 16 bits, decoded in advance: significand, whether it is negative, NaN
/// and infinite, exponent, from the lowest bit. One word, as tables of them share the cache with inputs.
using Decoded = std::uint32_t;
constexpr int kNegativeAt = 16, kNanAt = 17, kInfiniteAt = 18, kExponentAt = 19;
using Table = std::vector<Decoded>;

Table decoded(const Container& from, const FormatInfo& f, Subnormals subnormals) {
  OneTreatment source{subnormals};
  const Concrete<std::uint64_t, OneTreatment> algebra(source);
  Table table;
  for (Pattern p = 0; p <= from.format.pattern_mask(); ++p) {
    const auto x = Datapath::read_operand<Parameter::input_subnormals>(algebra, from, f, {p});
    table.push_back(static_cast<Decoded>(x.significand.value) | Decoded{x.negative.value} << kNegativeAt |
                    Decoded{x.nan.value} << kNanAt | Decoded{x.infinite.value} << kInfiniteAt |
                    static_cast<Decoded>(x.exponent.value) << kExponentAt);
  }
  return table;
}

/// The table of operands in format f, made when it is first asked for; null where either format is too wide.
const Decoded* table_of(const Container& from, const FormatInfo& f, Subnormals subnormals) {
  constexpr int kLargestBits = 16;
  constexpr std::size_t kFormats = kFormatTable.size(), kTreatments = kOperandSubnormalsWords.size();
  if (from.format.container_bits > kLargestBits || f.precision() > kLargestBits) return nullptr;
  if (from.conversion.value_or(Conversion::exact) != Conversion::exact) return nullptr;
  static Memo<Table, kFormats * kFormats * kTreatments> tables;
  const auto formats = static_cast<std::size_t>(from.format.id) * kFormats + static_cast<std::size_t>(f.id);
  return tables
      .at(formats * kTreatments + static_cast<std::size_t>(subnormals),
          [&] { return decoded(from, f, subnormals); })
      .data();
}

/// The operands of one input, products' factors from tables.
template <class Algebra, class W>
class TabledOperands : public MachineOperands<Algebra> {
 public:
  TabledOperands(const MachineOperands<Algebra>& in, const Decoded* table_a, const Decoded* table_b)
      : MachineOperands<Algebra>(in), table_a_(table_a), table_b_(table_b) {}

  [[nodiscard]] Operand<Algebra> a(std::size_t k) const { return operand(table_a_[this->pattern_a(k)]); }
  [[nodiscard]] Operand<Algebra> b(std::size_t k) const { return operand(table_b_[this->pattern_b(k)]); }

 private:
  static Operand<Algebra> operand(Decoded x) {
    return {{(x >> kNegativeAt & 1U) != 0},
            {(x >> kNanAt & 1U) != 0},
            {(x >> kInfiniteAt & 1U) != 0},
            {static_cast<std::int32_t>(x) >> kExponentAt},
            {W(x & low_ones<Decoded>(kNegativeAt))}};
  }
  const Decoded* table_a_;
  const Decoded* table_b_;
};

/// Which NaN a NaN result is; seldom asked.
[[gnu::cold, gnu::noinline]] Pattern nan_of(const UnitModel& model, const Plan& plan,
                                            std::span<const Pattern> a, std::span<const Pattern> b,
                                            Pattern c) {
  if (const auto constant = constant_nan(model.nan)) return *constant;
  if (const auto* rule = std::get_if<NanRule>(&model.nan)) return nan_by_rule(model, plan, *rule, a, b, c);
  return canonical_nan(model.formats.d);
}

template <class W, class Source>
Pattern run(const UnitModel& model, const Plan& plan, std::span<const Pattern> a, std::span<const Pattern> b,
            Pattern c) {
  using Words = Concrete<W, Source>;
  Source source(model);
  const Words algebra(source);
  const auto* ta = table_of(plan.from_a, plan.a, model.conventions.input_subnormals);
  const auto* tb = table_of(plan.from_b, plan.b, model.conventions.input_subnormals);
  const MachineOperands<Words> in(algebra, plan, a.data(), b.data(), c);
  const auto result = ta != nullptr && tb != nullptr
                          ? Datapath::dot(algebra, plan, TabledOperands<Words, W>(in, ta, tb))
                          : Datapath::dot(algebra, plan, in);
  return result.nan.value ? nan_of(model, plan, a, b, c) : static_cast<Pattern>(result.pattern.value);
}

}  // namespace

Evaluator::Evaluator(UnitModel model)
    : model_(std::move(model)),
      plan_(model_.formats, model_.k, skeleton_of(model_)),
      blocks_(FiniteBlocks::of(model_)) {}

Pattern Evaluator::operator()(std::span<const Pattern> a, std::span<const Pattern> b, Pattern c) const {
  if (model_.formats.has_scales()) return (*this)(DotInput{{a.begin(), a.end()}, {b.begin(), b.end()}, c});
  if (blocks_ != nullptr)
    if (const auto d = (*blocks_)(a, b, c)) return *d;
  if (plan_.addend_width() > 64) return run<Word128, InlinedParameters>(model_, plan_, a, b, c);
  return run<std::uint64_t, InlinedParameters>(model_, plan_, a, b, c);
}

Pattern Evaluator::operator()(const DotInput& input) const {
  if (!model_.formats.has_scales()) return (*this)(input.a, input.b, input.c);
  return evaluate_scaled(model_, plan_, input);
}

Pattern evaluate(const UnitModel& model, const DotInput& input) { return Evaluator(model)(input); }

}  // namespace mmaprint
