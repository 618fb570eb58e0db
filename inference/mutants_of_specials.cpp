// What infinities, NaN and zeros give.
#include <fmt/format.h>

#include <algorithm>

#include "inference/mutant_specials.h"
#include "inference/nan_inputs.h"

namespace mmaprint::mutants {
namespace {

/// The addends of the tree in the order in which nodes take them; K is c.
std::vector<std::size_t> in_order(const UnitModel& model) {
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    for (const int place : places_of(model, n)) order.push_back(static_cast<std::size_t>(place));
  return order;
}

void add_answer(std::function<Pattern(const DotInput&, Pattern)> answer, std::string name, Aim aim,
                Mutants& mutants) {
  mutants.push_back({std::move(name), std::move(answer), std::nullopt, std::move(aim)});
}

/// Where there are infinities of both signs, those of one sign, as `keeps(first one's sign)` says, are alone.
void one_sign_wins(const Original& original, bool (*keeps_negative)(bool first), std::string name,
                   Mutants& mutants) {
  add_change(
      original,
      [of = SpecialOperands(original.model.formats), order = in_order(original.model),
       keeps_negative](DotInput& in) {
        std::optional<bool> first;
        bool both = false;
        for (const std::size_t k : order) {
          if (!of.infinite_addend(in, k)) continue;
          const bool negative = of.negative_addend(in, k);
          both = both || (first && *first != negative);
          if (!first) first = negative;
        }
        if (!both) return false;
        for (const std::size_t k : order)
          if (of.infinite_addend(in, k) && of.negative_addend(in, k) != keeps_negative(*first))
            SpecialOperands::drop(in, k);
        return true;
      },
      std::move(name), {.specials = true}, mutants);
}

/// Appends the model whose NaN results are others.
void add_nans(const UnitModel& model, const NanBehaviour& nan, std::string name, Aim aim, Mutants& mutants) {
  UnitModel other = model;
  other.nan = nan;
  add_answer([d = model.formats.d, unit = std::make_shared<Evaluator>(std::move(other))](
                 const DotInput& in, Pattern result) { return is_nan(d, result) ? (*unit)(in) : result; },
             std::move(name), std::move(aim), mutants);
}

/// Rules that differ from this one in one thing, as far as inputs made for it show that.
void other_rules(const UnitModel& model, const NanRule& own, Mutants& mutants) {
  const std::vector<DotInput> inputs = nan_inputs(model);
  const Evaluator unit(model);
  const auto add = [&](const NanRule& rule, std::string name) {
    UnitModel other = model;
    other.nan = rule;
    const Evaluator differing(other);
    const auto shows =
        std::ranges::find_if(inputs, [&](const DotInput& in) { return unit(in) != differing(in); });
    if (shows != inputs.end())
      add_nans(model, rule, std::move(name), {.specials = true, .example = *shows}, mutants);
  };
  const auto others = [&]<class Value, std::size_t N>(Value NanRule::*part, std::string_view what,
                                                      const std::array<std::string_view, N>& words) {
    for (std::size_t i = 0; i < N; ++i) {
      NanRule rule = own;
      rule.*part = static_cast<Value>(i);
      if (rule != own)
        add(rule, fmt::format("of several NaN operands another goes on: {} {}", what, words[i]));
    }
  };
  others(&NanRule::sum, "running sum", kNanSumWords);
  others(&NanRule::products, "products", kNanProductsWords);
  others(&NanRule::factors, "factors", kNanFactorsWords);
  others(&NanRule::invalid, "zero times infinity", kNanInvalidWords);
  others(&NanRule::signalling, "signalling ones", kNanSignallingWords);
  NanRule rule = own;
  rule.generated = negated(info(model.formats.d), own.generated);
  add(rule, "NaN results of invalid operations have the other sign");
}

}  // namespace

void zero_times_infinity(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const SpecialOperands of(model.formats);
  if (!of.a.has_infinity() && !of.b.has_infinity()) return;
  const Aim aim{.specials = true};
  const auto where = [of](DotInput& in, auto&& instead) {
    bool changed = false;
    for (std::size_t k = 0; k < in.a.size(); ++k)
      if (of.zero_times_infinity(in, k)) instead(in, k), changed = true;
    return changed;
  };
  add_change(
      original,
      [where, of](DotInput& in) {
        return where(in, [&](DotInput& x, std::size_t k) {
          const bool negative = of.negative_addend(x, k);
          x.a[k] = zero_pattern(of.a, negative), x.b[k] = 0;
        });
      },
      "zero times infinity is a zero of its sign", aim, mutants);
  add_change(
      original,
      [where](DotInput& in) {
        return where(in, [](DotInput& x, std::size_t k) { SpecialOperands::drop(x, k); });
      },
      "zero times infinity is +0", aim, mutants);
  add_change(
      original,
      [where, of](DotInput& in) {
        return where(in, [&](DotInput& x, std::size_t k) {
          // The zero becomes a one of its sign.
          Pattern& a = x.a[k];
          Pattern& b = x.b[k];
          if (is_zero(of.a, a)) a = floating_pattern(of.a, (a & sign_pattern(of.a)) != 0, 0, 0);
          if (is_zero(of.b, b)) b = floating_pattern(of.b, (b & sign_pattern(of.b)) != 0, 0, 0);
        });
      },
      "zero times infinity is infinite", aim, mutants);
}

void infinities_of_both_signs(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const SpecialOperands of(model.formats);
  if (!is_floating(model) || (!of.a.has_infinity() && !of.b.has_infinity())) return;
  one_sign_wins(
      original, [](bool first) { return first; }, "infinities of both signs give the first one", mutants);
  one_sign_wins(
      original, [](bool first) { return !first; }, "infinities of both signs give one of the other sign",
      mutants);
  one_sign_wins(
      original, [](bool) { return false; }, "infinities of both signs give +infinity", mutants);
  one_sign_wins(
      original, [](bool) { return true; }, "infinities of both signs give -infinity", mutants);
  add_answer(
      [of, d = model.formats.d](const DotInput& in, Pattern result) {
        const bool invalid = is_nan(d, result) && !of.has_nan(in) && !of.has_zero_times_infinity(in);
        return invalid ? 0 : result;
      },
      "infinities of both signs give +0", {.specials = true}, mutants);
  if (!model.formats.c) return;
  add_change(
      original,
      [of, order = in_order(model)](DotInput& in) {
        const std::size_t c = in.a.size();
        if (!of.infinite_addend(in, c)) return false;
        const bool other =
            std::ranges::any_of(order, [&](std::size_t k) { return k != c && of.infinite_addend(in, k); });
        if (other) in.c = 0;
        return other;
      },
      "an infinite c counts as zero beside an infinite product", {.places = {model.k}, .specials = true},
      mutants);
}

void nan_sign_and_payload(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model) || std::holds_alternative<SeveralNans>(model.nan)) return;  // not told apart
  const SpecialOperands of(model.formats);
  const FormatInfo& d = info(model.formats.d);
  const auto own = constant_nan(model.nan);
  const Aim aim{.specials = true};
  const auto constant = [&](Pattern other, std::string_view what) {
    if (other != own) add_nans(model, other, fmt::format("NaN results are {}", what), aim, mutants);
  };
  if (own) constant(negated(d, *own), "of the other sign");
  constant(canonical_nan(d.id), "the canonical one");
  constant(sign_pattern(d) | canonical_nan(d.id), "the canonical one with a sign");
  if (const auto* rule = std::get_if<NanRule>(&model.nan)) {
    add_answer([&d](const DotInput&,
                    Pattern result) { return is_nan(d, result) ? result & ~sign_pattern(d) : result; },
               "NaN results have no sign", aim, mutants);
    return other_rules(model, *rule, mutants);
  }
  if (of.a.has_infinity() || of.b.has_infinity())
    add_answer(
        [of, &d, invalid = negated(d, *own)](const DotInput& in, Pattern result) {
          return is_nan(d, result) && !of.has_nan(in) ? invalid : result;
        },
        "NaN results of invalid operations have the other sign", aim, mutants);
  for (const NanRule::Sum sum : {NanRule::Sum::last, NanRule::Sum::first}) {
    NanRule rule;
    rule.sum = sum;
    rule.generated = *own;
    add_nans(model, rule,
             std::string("the payload of the first NaN operand goes on, ") +
                 (sum == NanRule::Sum::first ? "c first" : "c last"),
             aim, mutants);
  }
}

void sign_of_zero(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const SpecialOperands of(model.formats);
  const FormatInfo& d = info(model.formats.d);
  const auto of_addend = [&](std::size_t addend, std::string_view whose) {
    add_answer(
        [of, &d, addend](const DotInput& in, Pattern result) {
          return is_zero(d, result) ? zero_pattern(d, of.negative_addend(in, addend)) : result;
        },
        fmt::format("a result of zero has the sign of {}", whose), {.specials = true}, mutants);
  };
  if (model.formats.c) of_addend(static_cast<std::size_t>(model.k), "c");
  of_addend(0, "product 0");
}

}  // namespace mmaprint::mutants
