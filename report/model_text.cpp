#include "report/model_text.h"

#include <set>

#include "base/printable.h"
#include "model/spelling.h"
#include "report/datapath_drawing.h"
#include "report/devices.h"
#include "report/table.h"
#include "report/tree_drawing.h"

namespace mmaprint {
namespace {

/// Values of features as words: one overload for each type, found by the feature's parameter where that
/// matters.
class Words {
 public:
  explicit Words(const OperandFormats& formats) : formats_(formats) {}

  std::string operator()(Family f) const { return std::string(kFamilyWords[static_cast<std::size_t>(f)]); }
  std::string operator()(const std::vector<std::vector<int>>& blocks) const { return blocks_text(blocks); }
  std::string operator()(CEnters c) const { return std::string(kCEntersWords[static_cast<std::size_t>(c)]); }
  std::string operator()(int n) const { return std::to_string(n); }
  std::string operator()(AlignmentRounding r) const { return word(Parameter::alignment_rounding, r); }
  std::string operator()(Normalisation n) const { return word(Parameter::normalisation, n); }
  std::string operator()(ProductKind p) const { return word(Parameter::product, p); }
  std::string operator()(Rounding r) const { return word(Parameter::block_rounding, r); }
  std::string operator()(Subnormals s) const { return word(Parameter::input_subnormals, s); }
  std::string operator()(Overflow o) const { return word(Parameter::overflow, o); }
  std::string operator()(const std::optional<Pattern>& nan) const {
    return nan ? pattern_text(formats_.d, *nan) : "several patterns";
  }
  std::string operator()(const CarryBits& c) const {
    if (const auto* n = std::get_if<AtLeast>(&c))
      return "at least " + std::to_string(n->bits) + ": no sum wraps";
    return "exactly " + std::to_string(std::get<Exactly>(c).bits) + ": sums wrap";
  }
  std::string operator()(const Monotonic& m) const {
    return !m.holds ? "not established" : *m.holds ? "yes" : "no";
  }
  template <class T>
  std::string operator()(const std::optional<T>& value) const {
    return value ? (*this)(*value) : "none";
  }

 private:
  template <class Enum>
  static std::string word(Parameter p, Enum value) {
    return std::string(spelling(p, value));
  }
  OperandFormats formats_;
};

std::string zero_word(std::string_view name, ZeroSign sign) {
  const bool sum = name == "zero_sign.rounded" || name == "zero_sign.flushed";
  return std::string(spelling(sum ? Parameter::zero_rounded : Parameter::zero_all_zero, sign));
}

std::string title(const std::string& instruction, int k, const OperandFormats& formats, const Style& style) {
  return style(Tone::strong, printable(instruction)) + "   " + formats_text(formats) +
         ", K = " + std::to_string(k) + "\n";
}

std::string features_table(const std::vector<FeatureText>& features, const Style& style) {
  Table table;
  for (const FeatureText& f : features) table.add({{std::string(f.name)}, {f.value, Tone::strong}});
  return table.text(style);
}

std::string partial_text(const PartialModel& model, const Style& style) {
  std::string text = title(model.instruction, model.k, model.formats, style);
  const auto stated = feature_texts(model.features, model.formats);
  if (stated.empty()) return text + "\na hypothesis that states nothing: every unit fits\n";
  return text + "\na hypothesis; all other features are free\n" + features_table(stated, style);
}

}  // namespace

std::vector<FeatureText> feature_texts(const Features& features, const OperandFormats& formats) {
  std::vector<FeatureText> all;
  visit_features(
      [&](std::string_view name, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if (!applies(name, formats)) return;
        if constexpr (std::is_same_v<T, ZeroSign>) {
          all.push_back({name, zero_word(name, value)});
        } else if constexpr (std::is_same_v<T, Monotonic>) {
          if (value.holds) all.push_back({name, Words(formats)(value)});
        } else {
          all.push_back({name, Words(formats)(value)});
        }
      },
      features);
  return all;
}

std::vector<FeatureText> feature_texts(const PartialFeatures& features, const OperandFormats& formats) {
  std::vector<FeatureText> all;
  visit_features(
      [&](std::string_view name, const auto& stated) {
        if (!stated) return;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*stated)>, ZeroSign>)
          all.push_back({name, zero_word(name, *stated)});
        else
          all.push_back({name, Words(formats)(*stated)});
      },
      features);
  return all;
}

std::string structure_text(const UnitModel& model, const Style& style) {
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
  return title(model.instruction, model.k, model.formats, style) + "\n" + structure_text(model, style) +
         "\n" + features_table(feature_texts(features_of(model), model.formats), style);
}

}  // namespace mmaprint
