#include "report/model_text.h"

#include <fmt/format.h>

#include <set>

#include "base/printable.h"
#include "report/datapath_drawing.h"
#include "report/devices.h"
#include "report/table.h"
#include "report/tree_drawing.h"

namespace mmaprint {
namespace {

/// Values of a feature as words: one overload for each kind of value.
template <class Feature>
class Words {
 public:
  explicit Words(const Signature& formats) : formats_(formats) {}

  std::string operator()(const std::vector<std::vector<int>>& blocks) const { return blocks_text(blocks); }
  std::string operator()(int n) const { return fmt::format("{}", n); }
  std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const OperandTexts& x) const { return x.a + ", " + x.b + (x.c ? ", " + *x.c : ""); }
  std::string operator()(const std::vector<std::string>& classes) const {
    std::string text;
    for (const std::string& x : classes) text += (text.empty() ? "" : ", ") + x;
    return text;
  }
  std::string operator()(const AccumulatorWidth& w) const {
    return fmt::format("{} bits {{{}.{}}}", w.integer_bits + w.fraction_bits, w.integer_bits,
                       w.fraction_bits);
  }
  std::string operator()(const NanBehaviour& nan) const { return in_words(nan, formats_.d); }
  std::string operator()(const CarryBits& c) const {
    if (const auto* n = std::get_if<AtLeast>(&c)) return fmt::format("at least {}: no sum wraps", n->bits);
    return fmt::format("exactly {}: sums wrap", std::get<Exactly>(c).bits);
  }
  std::string operator()(const Monotonic& m) const {
    return !m.holds ? "not established" : *m.holds ? "yes" : "no";
  }
  std::string operator()(const ZeroAddends& rule) const {
    return ZeroAddendsDomain::text(ZeroAddendsDomain::index(rule));
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  std::string operator()(Enum value) const {
    return std::string(Feature::words[static_cast<std::size_t>(value)]);
  }
  template <class T>
  std::string operator()(const std::optional<T>& value) const {
    return value ? (*this)(*value) : "none";
  }

 private:
  Signature formats_;
};

std::string title(const std::string& instruction, int k, const Signature& formats, const Style& style) {
  return fmt::format("{}   {}, K = {}\n", style(Tone::strong, printable(instruction)), formats_text(formats),
                     k);
}

std::string features_table(const std::vector<FeatureText>& features, const Style& style) {
  Table table;
  for (const FeatureText& f : features)
    if (!f.goes_without_saying) table.add({{std::string(f.name)}, {f.value, Tone::strong}});
  return table.text(style);
}

std::string partial_text(const PartialModel& model, const Style& style) {
  std::string text = title(model.instruction, model.k, model.formats, style);
  const auto stated = feature_texts(model.features, model.formats);
  if (stated.empty()) return text + "\na hypothesis that states nothing: every unit fits\n";
  return text + "\na hypothesis; all other features are free\n" + features_table(stated, style);
}

/// Rules that few units have, where they are what is usual.
template <class Feature, class Value>
bool goes_without_saying(Feature /*feature*/, const Value& value) {
  if constexpr (std::is_same_v<Feature, PaddedFeature>)
    return !value;
  else if constexpr (requires { Feature::is_rare; })
    return Feature::is_rare && value == Value{};
  else
    return false;
}

}  // namespace

std::vector<FeatureText> feature_texts(const Features& features, const Signature& formats) {
  std::vector<FeatureText> all;
  visit_features(
      [&]<class Feature>(Feature feature, const auto& value) {
        if (!applies(feature, formats)) return;
        if constexpr (std::is_same_v<Feature, MonotonicFeature>)
          if (!value.holds) return;
        all.push_back({feature.name, Words<Feature>(formats)(value), goes_without_saying(feature, value)});
      },
      features);
  return all;
}

std::vector<FeatureText> feature_texts(const PartialFeatures& features, const Signature& formats) {
  std::vector<FeatureText> all;
  visit_features(
      [&]<class Feature>(Feature feature, const auto& stated) {
        if (stated) all.push_back({feature.name, Words<Feature>(formats)(*stated)});
      },
      features);
  return all;
}

std::string unit_drawing(const UnitModel& model, const Style& style) {
  std::string text = tree_drawing(model.tree);
  std::set<int> adders;
  for (const Node& node : model.tree.nodes) adders.insert(node.adder);
  for (const int adder : adders)
    text += "\n" + style(Tone::strong, adder_sign(adder)) + "\n" + datapath_drawing(model, adder, style);
  return text;
}

std::string model_text(const AnyModel& any, const Style& style) {
  if (const auto* partial = std::get_if<PartialModel>(&any)) return partial_text(*partial, style);
  const auto& model = std::get<UnitModel>(any);
  return title(model.instruction, model.k, model.formats, style) + "\n" + unit_drawing(model, style) + "\n" +
         features_table(feature_texts(features_of(model), model.formats), style);
}

}  // namespace mmaprint
