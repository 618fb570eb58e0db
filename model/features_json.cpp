#include "model/features_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/input_json.h"
#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/nan_json.h"
#include "model/parameter_json.h"

namespace mmaprint {
namespace {

/// Writes one feature's value; the overloads are the kinds of value that features have.
template <class Feature>
struct Writer {
  const Signature& formats;

  Json operator()(int value) const { return value; }
  Json operator()(bool value) const { return value; }
  Json operator()(const NanBehaviour& nan) const { return nan_to_json(nan, formats.d); }
  Json operator()(const std::vector<std::vector<int>>& blocks) const { return blocks; }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const OperandTexts& texts) const {
    return {{"a", texts.a}, {"b", texts.b}, {"c", texts.c ? Json(*texts.c) : Json(nullptr)}};
  }
  /// By class; one word where all have the same.
  Json operator()(const std::vector<std::string>& classes) const {
    if (classes.size() == 1) return classes.front();
    Json json = Json::array();
    for (std::size_t i = 0; i < classes.size(); ++i) json.push_back({{"class", i}, {"value", classes[i]}});
    return json;
  }
  Json operator()(const AccumulatorWidth& width) const {
    return {{"bits", width.integer_bits + width.fraction_bits},
            {"notation", fmt::format("{{{}.{}}}", width.integer_bits, width.fraction_bits)}};
  }
  Json operator()(const ZeroAddends& rule) const {
    return ZeroAddendsDomain::text(ZeroAddendsDomain::index(rule));
  }
  Json operator()(const CarryBits& value) const {
    if (const auto* exactly = std::get_if<Exactly>(&value)) return {{"exactly", exactly->bits}};
    return {{"at_least", std::get<AtLeast>(value).bits}};
  }
  Json operator()(const Monotonic& value) const {
    Json json{{"holds", nullptr}, {"witness", nullptr}};
    if (value.holds) json["holds"] = *value.holds;
    if (value.witness)
      json["witness"] = {to_json(value.witness->first, formats), to_json(value.witness->second, formats)};
    return json;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  Json operator()(Enum value) const {
    return Feature::words[static_cast<std::size_t>(value)];
  }
  template <class T>
  Json operator()(const std::optional<T>& value) const {
    return value ? (*this)(*value) : Json(nullptr);
  }
};

std::vector<std::vector<int>> read_blocks(const JsonReader& from, int k) {
  const auto most = static_cast<std::size_t>(k);
  std::vector<std::vector<int>> blocks;
  std::vector<bool> seen(most, false);
  for (const JsonReader& block : from.elements(most)) {
    auto& products = blocks.emplace_back();
    for (const JsonReader& product : block.elements(most)) {
      const int index = product.integer(0, k - 1);
      if (seen[static_cast<std::size_t>(index)]) product.fail("each product once");
      seen[static_cast<std::size_t>(index)] = true;
      products.push_back(index);
    }
    if (products.empty()) block.fail("at least one product");
  }
  if (std::ranges::find(seen, false) != seen.end())
    from.fail(fmt::format("all products from 0 to {}", k - 1));
  return blocks;
}

/// "{6.24}"
std::optional<AccumulatorWidth> width_from_text(std::string_view text) {
  constexpr int kMost = 10'000;  // bits
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || !text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<int> {
    int n = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    const bool whole = problem == std::errc() && end == digits.data() + digits.size();
    return whole && n >= 0 && n <= kMost ? std::optional(n) : std::nullopt;
  };
  const auto integer = number(text.substr(1, dot - 1));
  const auto fraction = number(text.substr(dot + 1, text.size() - dot - 2));
  if (!integer || !fraction) return std::nullopt;
  return AccumulatorWidth{*integer, *fraction};
}

CarryBits read_carry_bits(const JsonReader& from) {
  constexpr int kMost = 64;
  from.only({"at_least", "exactly"});
  const auto at_least = from.find("at_least");
  const auto exactly = from.find("exactly");
  if (at_least.has_value() == exactly.has_value()) from.fail(R"({"at_least": n} or {"exactly": n})");
  if (at_least) return AtLeast{at_least->integer(0, kMost)};
  return Exactly{exactly->integer(0, kMost)};
}

Monotonic read_monotonic(const JsonReader& from, int k, const Signature& formats) {
  Monotonic result;
  if (from.is_null()) return result;
  from.only({"holds", "witness"});
  if (const auto holds = from.find("holds"); holds && !holds->is_null()) {
    if (!holds->json().is_boolean()) holds->fail("true, false or null");
    result.holds = holds->json().get<bool>();
  }
  if (const auto witness = from.find("witness"); witness && !witness->is_null()) {
    const auto both = witness->elements(2);
    if (both.size() != 2) witness->fail("two inputs");
    result.witness.emplace(read_only_input(both[0], formats, k), read_only_input(both[1], formats, k));
  }
  return result;
}

/// Reads one feature's value; the overloads mirror Writer's.
template <class Feature>
struct Reader {
  const JsonReader& from;
  int k;
  const Signature& formats;

  void operator()(int& value) const {
    const auto [low, high] = Feature::range(k, formats);
    value = from.integer(low, high);
  }
  void operator()(std::optional<int>& value) const {
    const auto [low, high] = Feature::range(k, formats);
    value = from.integer_or_null(low, high);
  }
  void operator()(NanBehaviour& nan) const {
    nan = nan_from_json(from, formats.d);
    if (not_legal(nan, formats.d)) from.fail("a NaN of " + std::string(name(formats.d)));
  }
  void operator()(std::vector<std::vector<int>>& value) const { value = read_blocks(from, k); }
  void operator()(bool& value) const {
    if (!from.json().is_boolean()) from.fail("true or false");
    value = from.json().get<bool>();
  }
  void operator()(std::string& value) const { value = from.text(); }
  void operator()(OperandTexts& value) const {
    from.only({"a", "b", "c"});
    value = {from.at("a").text(), from.at("b").text(), {}};
    if (const JsonReader c = from.at("c"); formats.c)
      value.c = c.text();
    else if (!c.is_null())
      c.fail("null, as the unit has no c");
  }
  void operator()(std::vector<std::string>& value) const {
    if (!from.json().is_array()) {
      value = {from.text()};
      return;
    }
    constexpr std::size_t kMost = 2 * kLargestK + 2;  // adders
    for (const JsonReader& item : from.elements(kMost)) {
      item.only({"class", "value"});
      (void)item.at("class").integer(static_cast<int>(value.size()), static_cast<int>(value.size()));
      value.push_back(item.at("value").text());
    }
    if (value.empty()) from.fail("at least one class");
  }
  void operator()(std::optional<AccumulatorWidth>& value) const {
    if (from.is_null()) return;
    from.only({"bits", "notation"});
    const JsonReader notation = from.at("notation");
    const auto width = width_from_text(notation.text());
    if (!width) notation.fail("{i.f}, integer and fraction bits");
    const int bits = width->integer_bits + width->fraction_bits;
    (void)from.at("bits").integer(bits, bits);
    value = width;
  }
  void operator()(ZeroAddends& value) const {
    value = ZeroAddendsDomain::value(index_of_text(from, info(Parameter::zero_addends)));
  }
  void operator()(CarryBits& value) const { value = read_carry_bits(from); }
  void operator()(Monotonic& value) const { value = read_monotonic(from, k, formats); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum& value) const {
    value = read_word<Enum>(from, Feature::words);
  }
  template <class Enum>
  void operator()(std::optional<Enum>& value) const {
    if (!from.is_null()) (*this)(value.emplace());
  }
};

/// Throws FieldError for fields that are no features.
void require_only_features(const JsonReader& from) {
  std::vector<std::string_view> names;
  const PartialFeatures any;
  visit_features([&](auto feature, const auto&) { names.push_back(feature.name); }, any);
  require_only_fields(from, names);
  for (std::string_view group; const std::string_view name : names) {
    if (group_of(name) == group) continue;
    group = group_of(name);
    if (group.empty()) continue;
    if (const auto object = from.find(group)) require_only_members(*object, group, names);
  }
}

void reconcile(PartialFeatures& stated, const JsonReader& from, Format d) {
  const int reference = reference_fraction_bits(d);
  auto& kept = stated.get<Parameter::alignment_fraction_bits>();
  auto& extra = stated.extra_alignment_bits;
  const auto shifted = [](std::optional<int> bits, int by) {
    return bits ? std::optional(*bits + by) : std::nullopt;
  };
  if (kept && extra && *extra != shifted(*kept, -reference))
    from.at("extra_alignment_bits").fail(fmt::format("alignment_fraction_bits - {}", reference));
  if (kept && !extra) extra = shifted(*kept, -reference);
  if (extra && !kept) kept = shifted(*extra, reference);

  if (!stated.blocks) return;
  const auto widest = std::ranges::max(*stated.blocks, {}, &std::vector<int>::size).size();
  const int width = static_cast<int>(widest);
  if (stated.fma_width && *stated.fma_width != width)
    from.at("fma_width").fail(fmt::format("{}, the largest block", width));
  stated.fma_width = width;
}

}  // namespace

Json features_to_json(const Features& features, const Signature& formats) {
  Json json = Json::object();
  visit_features(
      [&]<class Feature>(Feature feature, const auto& value) {
        place_field(json, feature.name,
                    applies(feature, formats) ? Writer<Feature>{formats}(value) : Json(nullptr));
      },
      features);
  return json;
}

Json features_to_json(const PartialFeatures& features, const Signature& formats) {
  Json json = Json::object();
  visit_features(
      [&]<class Feature>(Feature feature, const auto& value) {
        if (value) place_field(json, feature.name, Writer<Feature>{formats}(*value));
      },
      features);
  return json;
}

PartialFeatures features_from_json(const JsonReader& from, int k, const Signature& formats) {
  require_only_features(from);
  PartialFeatures stated;
  visit_features(
      [&]<class Feature>(Feature feature, auto& value) {
        const auto there = find_field(from, feature.name);
        if (!there) return;
        if (applies(feature, formats))
          Reader<Feature>{*there, k, formats}(value.emplace());
        else if (!there->is_null())
          there->fail(Feature::about_c && !formats.c ? "null, as the unit has no c"
                                                     : "null, as integers have no such feature");
      },
      stated);
  reconcile(stated, from, formats.d);
  return stated;
}

}  // namespace mmaprint
