#include "model/nan_behaviour.h"

#include <fmt/format.h>

#include "model/model_json.h"

namespace mmaprint {
namespace {

bool is_pattern_of_nan(Format d, Pattern p) { return (p & ~info(d).pattern_mask()) == 0 && is_nan(d, p); }

std::string in_words(const NanRule& rule, Format d) {
  const std::string products =
      rule.products == NanRule::Products::ascending ? "products ascending" : "products descending";
  const bool a_first = rule.factors == NanRule::Factors::a_first;
  const std::string factors = a_first ? "a before b" : "b before a";
  std::string text = "the first NaN operand's, quieted (";
  switch (rule.sum) {
    case NanRule::Sum::first:
      text += "running sum, " + products + ", " + factors;
      break;
    case NanRule::Sum::last:
      text += products + ", running sum, " + factors;
      break;
    case NanRule::Sum::between:
      text += std::string(a_first ? "a, running sum, b" : "b, running sum, a") + ", " + products;
      break;
  }
  if (rule.signalling == NanRule::Signalling::first) text += "; signalling ones before quiet ones";
  text += "); " + pattern_text(d, rule.generated) + " from invalid operations";
  if (rule.invalid == NanRule::Invalid::last) text += ", zero times infinity after NaN operands";
  if (rule.invalid == NanRule::Invalid::first) text += ", zero times infinity before NaN operands";
  return text;
}

}  // namespace

NanBehaviour nan_behaviour(Format d, std::optional<Pattern> constant) {
  if (!info(d).has_nan()) return NoNan{};
  if (!constant) return SeveralNans{};
  return *constant;
}

std::optional<std::string> not_legal(const NanBehaviour& nan, Format d) {
  const bool none = std::holds_alternative<NoNan>(nan);
  if (info(d).is_integer()) return none ? std::nullopt : std::optional("none, as integers have no NaN");
  if (none) return "a pattern, a rule, or several patterns";
  const std::string of_d = "a NaN pattern of " + std::string(name(d));
  if (const auto pattern = constant_nan(nan); pattern && !is_pattern_of_nan(d, *pattern)) return of_d;
  if (const auto* rule = std::get_if<NanRule>(&nan);
      rule != nullptr && !is_pattern_of_nan(d, rule->generated))
    return of_d + " for what invalid operations give";
  return std::nullopt;
}

std::string in_words(const NanBehaviour& nan, Format d) {
  if (const auto pattern = constant_nan(nan)) return pattern_text(d, *pattern);
  if (const auto* rule = std::get_if<NanRule>(&nan)) return in_words(*rule, d);
  return std::holds_alternative<SeveralNans>(nan) ? "several patterns" : "none";
}

}  // namespace mmaprint
