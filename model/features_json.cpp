#include "model/features_json.h"

#include <algorithm>

#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/observation_json.h"
#include "model/spelling.h"

namespace mmaprint {
namespace {

constexpr std::string_view kZeroSign = "zero_sign.";

/// The words of an enumerated feature; features are named as the parameters are.
std::span<const std::string_view> words_of(std::string_view feature) {
  const auto& all = all_parameters();
  const auto row = std::ranges::find(all, feature, &ParameterInfo::name);
  return row == all.end() ? std::span<const std::string_view>{} : words(row->id);
}

/// Writes one feature's value; the overloads are the kinds of value that features have.
struct Writer {
  std::string_view feature;
  const OperandFormats& formats;

  Json operator()(int value) const { return value; }
  Json operator()(Pattern nan) const { return pattern_text(formats.d, nan); }
  Json operator()(Family value) const { return kFamilyWords[static_cast<std::size_t>(value)]; }
  Json operator()(CEnters value) const { return kCEntersWords[static_cast<std::size_t>(value)]; }
  Json operator()(const std::vector<std::vector<int>>& blocks) const { return blocks; }
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
    return words_of(feature)[static_cast<std::size_t>(value)];
  }
  template <class T>
  Json operator()(const std::optional<T>& value) const {
    return value ? (*this)(*value) : Json(nullptr);
  }
};

void place(Json& json, std::string_view feature, Json value) {
  if (feature.starts_with(kZeroSign))
    json["zero_sign"][std::string(feature.substr(kZeroSign.size()))] = std::move(value);
  else
    json[std::string(feature)] = std::move(value);
}

struct Limits {
  int low, high;
};
Limits limits_of(std::string_view feature, int k, const OperandFormats& formats) {
  if (feature == "fma_width") return {1, k};
  if (feature == "minimum_alignment_exponent") return {kLowestClamp, 0};
  if (feature == "alignment_fraction_bits") return {0, kLargestAlignmentFractionBits};
  if (feature == "extra_alignment_bits") {
    const int reference = reference_fraction_bits(formats.d);
    return {-reference, kLargestAlignmentFractionBits - reference};
  }
  return {0, info(formats.d).fraction_bits};  // output_fraction_bits
}

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
    from.fail("all products from 0 to " + std::to_string(k - 1));
  return blocks;
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

DotInput read_input(const JsonReader& from, int k, const OperandFormats& formats) {
  from.only({"a", "b", "c"});
  const auto most = static_cast<std::size_t>(k);
  DotInput input{from.at("a").patterns(formats.a, most), from.at("b").patterns(formats.b, most),
                 from.at("c").pattern(formats.c)};
  if (input.a.size() != most || input.b.size() != most)
    from.fail(std::to_string(k) + " entries in a and in b");
  return input;
}

Monotonic read_monotonic(const JsonReader& from, int k, const OperandFormats& formats) {
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
    result.witness.emplace(read_input(both[0], k, formats), read_input(both[1], k, formats));
  }
  return result;
}

/// Reads one feature's value; the overloads mirror Writer's.
struct Reader {
  std::string_view feature;
  const JsonReader& from;
  int k;
  const OperandFormats& formats;

  void operator()(int& value) const {
    const auto [low, high] = limits_of(feature, k, formats);
    value = from.integer(low, high);
  }
  void operator()(std::optional<int>& value) const {
    const auto [low, high] = limits_of(feature, k, formats);
    value = from.integer_or_null(low, high);
  }
  void operator()(std::optional<Pattern>& nan) const {
    if (from.is_null()) return;
    nan = from.pattern(formats.d);
    if (!is_nan(formats.d, *nan)) from.fail("a NaN of " + std::string(name(formats.d)));
  }
  void operator()(Family& value) const { value = read_word<Family>(from, kFamilyWords); }
  void operator()(std::optional<CEnters>& value) const {
    if (!from.is_null()) value = read_word<CEnters>(from, kCEntersWords);
  }
  void operator()(std::vector<std::vector<int>>& value) const { value = read_blocks(from, k); }
  void operator()(CarryBits& value) const { value = read_carry_bits(from); }
  void operator()(Monotonic& value) const { value = read_monotonic(from, k, formats); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum& value) const {
    value = read_word<Enum>(from, words_of(feature));
  }
  template <class Enum>
  void operator()(std::optional<Enum>& value) const {
    if (!from.is_null()) (*this)(value.emplace());
  }
};

std::optional<JsonReader> find_feature(const JsonReader& from, std::string_view feature) {
  if (!feature.starts_with(kZeroSign)) return from.find(feature);
  const auto zero_sign = from.find("zero_sign");
  return zero_sign ? zero_sign->find(feature.substr(kZeroSign.size())) : std::nullopt;
}

void reconcile(PartialFeatures& stated, const JsonReader& from, Format d) {
  const int reference = reference_fraction_bits(d);
  auto& kept = stated.alignment_fraction_bits;
  auto& extra = stated.extra_alignment_bits;
  const auto shifted = [](std::optional<int> bits, int by) {
    return bits ? std::optional(*bits + by) : std::nullopt;
  };
  if (kept && extra && *extra != shifted(*kept, -reference))
    from.at("extra_alignment_bits").fail("alignment_fraction_bits - " + std::to_string(reference));
  if (kept && !extra) extra = shifted(*kept, -reference);
  if (extra && !kept) kept = shifted(*extra, reference);

  if (!stated.blocks) return;
  const auto widest = std::ranges::max(*stated.blocks, {}, &std::vector<int>::size).size();
  const int width = static_cast<int>(widest);
  if (stated.fma_width && *stated.fma_width != width)
    from.at("fma_width").fail(std::to_string(width) + ", the largest block");
  stated.fma_width = width;
}

}  // namespace

Json features_to_json(const Features& features, const OperandFormats& formats) {
  Json json = Json::object();
  visit_features(
      [&](std::string_view feature, const auto& value) {
        place(json, feature, applies(feature, formats) ? Writer{feature, formats}(value) : Json(nullptr));
      },
      features);
  return json;
}

Json features_to_json(const PartialFeatures& features, const OperandFormats& formats) {
  Json json = Json::object();
  visit_features(
      [&](std::string_view feature, const auto& value) {
        if (value) place(json, feature, Writer{feature, formats}(*value));
      },
      features);
  return json;
}

PartialFeatures features_from_json(const JsonReader& from, int k, const OperandFormats& formats) {
  from.only({"family",
             "blocks",
             "fma_width",
             "c_enters",
             "alignment_fraction_bits",
             "extra_alignment_bits",
             "alignment_rounding",
             "extra_carry_bits",
             "normalisation",
             "product",
             "block_rounding",
             "final_rounding",
             "output_fraction_bits",
             "input_subnormals",
             "c_subnormals",
             "output_subnormals",
             "minimum_alignment_exponent",
             "overflow",
             "nan",
             "zero_sign",
             "monotonic"});
  if (const auto zero_sign = from.find("zero_sign"))
    zero_sign->only({"all_zero", "cancelled", "rounded", "flushed"});
  PartialFeatures stated;
  visit_features(
      [&](std::string_view feature, auto& value) {
        const auto there = find_feature(from, feature);
        if (!there) return;
        if (applies(feature, formats))
          Reader{feature, *there, k, formats}(value.emplace());
        else if (!there->is_null())
          there->fail("null, as integers have no such feature");
      },
      stated);
  reconcile(stated, from, formats.d);
  return stated;
}

}  // namespace mmaprint
