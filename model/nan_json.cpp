#include "model/nan_json.h"

#include "model/json_reader.h"
#include "model/model_json.h"

namespace mmaprint {
namespace {

constexpr std::string_view kRule = "first-operand";

template <class Enum, std::size_t N>
std::string_view word(Enum value, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(value)];
}

Pattern read_nan(const JsonReader& from, Format d) {
  const Pattern pattern = from.pattern(d);
  if (!is_nan(d, pattern)) from.fail("a NaN of " + std::string(name(d)));
  return pattern;
}

Json to_json(const NanRule& rule, Format d) {
  return {{"rule", kRule},
          {"sum", word(rule.sum, kNanSumWords)},
          {"products", word(rule.products, kNanProductsWords)},
          {"factors", word(rule.factors, kNanFactorsWords)},
          {"invalid_products", word(rule.invalid, kNanInvalidWords)},
          {"signalling", word(rule.signalling, kNanSignallingWords)},
          {"generated", pattern_text(d, rule.generated)}};
}

NanRule read_rule(const JsonReader& from, Format d) {
  from.only({"rule", "sum", "products", "factors", "invalid_products", "signalling", "generated"});
  (void)from.at("rule").word({&kRule, 1});
  return {read_word<NanRule::Sum>(from.at("sum"), kNanSumWords),
          read_word<NanRule::Products>(from.at("products"), kNanProductsWords),
          read_word<NanRule::Factors>(from.at("factors"), kNanFactorsWords),
          read_word<NanRule::Invalid>(from.at("invalid_products"), kNanInvalidWords),
          read_word<NanRule::Signalling>(from.at("signalling"), kNanSignallingWords),
          read_nan(from.at("generated"), d)};
}

}  // namespace

Json nan_to_json(const NanBehaviour& nan, Format d) {
  if (const auto pattern = constant_nan(nan)) return pattern_text(d, *pattern);
  if (const auto* rule = std::get_if<NanRule>(&nan)) return to_json(*rule, d);
  return nullptr;
}

NanBehaviour nan_from_json(const JsonReader& from, Format d) {
  if (from.is_null()) return nan_behaviour(d, std::nullopt);
  if (from.json().is_object()) return read_rule(from, d);
  return from.pattern(d);
}

}  // namespace mmaprint
