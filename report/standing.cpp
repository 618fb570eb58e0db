#include "report/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/spelling.h"
#include "report/model_text.h"
#include "report/tree_drawing.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostListed = 6;  // structures

std::string joined(const std::set<std::string>& texts) {
  std::string all;
  std::size_t n = 0;
  for (const std::string& text : texts) {
    if (++n > kMostListed) return fmt::format("{}, … ({})", all, texts.size());
    all += (all.empty() ? "" : ", ") + text;
  }
  return all;
}

/// Values of one feature in the survivors of one standing, the representative's left out.
class Others {
 public:
  Others(const Search& search, const Identification& result, bool proved)
      : space_(search.space), result_(result), proved_(proved) {}

  std::string parameter(Parameter p) const {
    ValueSet all;
    for (const SurvivorClass& s : result_.survivors)
      if (counts(s)) all.unite(s.set.box[p]);
    const int own = value_index(values_of(*result_.model), {p});
    // "At least n" says already that more would do.
    const auto carry = features_of(*result_.model).get<Parameter::extra_carry_bits>();
    const auto* enough = p == Parameter::extra_carry_bits ? std::get_if<AtLeast>(&carry) : nullptr;
    ValueSet rest;
    for (const int i : all.values())
      if (i != own && (enough == nullptr || i < enough->bits)) rest.insert(i);
    return values_text(p, rest);
  }

  /// How the roots round that are of a class of their own.
  std::string final_rounding() const {
    constexpr Parameter kRounding = Parameter::block_rounding;
    ValueSet all;
    for (const SurvivorClass& s : result_.survivors)
      if (const int root = space_.skeleton(s.set).tree.nodes.back().adder; counts(s) && root > 0)
        all.unite(s.set.box[{kRounding, root}]);
    const UnitModel& own = *result_.model;
    const int mine = value_index(values_of(own), {kRounding, own.tree.nodes.back().adder});
    ValueSet rest;
    for (const int i : all.values())
      if (i != mine) rest.insert(i);
    return values_text(kRounding, rest);
  }

  /// What `text` says of the survivors' chains, other than `own`.
  template <class Text>
  std::string structure(const std::string& own, Text&& text) const {
    std::set<std::string> all;
    for (const SurvivorClass& s : result_.survivors)
      if (const auto chain = chain_of(space_.skeleton(s.set).tree); counts(s) && chain)
        all.insert(text(*chain));
    all.erase(own);
    return joined(all);
  }

  std::string nan() const {
    const bool any = std::ranges::any_of(result_.survivors,
                                         [&](const SurvivorClass& s) { return counts(s) && !s.set.nan; });
    return any ? "any" : "";
  }

 private:
  bool counts(const SurvivorClass& s) const {
    return (s.standing == SurvivorClass::Standing::proved) == proved_;
  }

  const Space& space_;
  const Identification& result_;
  bool proved_;
};

std::string other_values(const Others& others, const std::string& name, const std::string& own) {
  if (name == "blocks") return others.structure(own, [](const Chain& c) { return blocks_text(c.blocks); });
  if (name == "c_enters")
    return others.structure(own, [](const Chain& c) {
      return std::string(c.c_enters ? kCEntersWords[static_cast<std::size_t>(*c.c_enters)] : "none");
    });
  if (name == "fma_width")
    return others.structure(own, [](const Chain& c) { return fmt::format("{}", c.blocks.front().size()); });
  if (name == "nan") return others.nan();
  if (name == "final_rounding") return others.final_rounding();
  for (const ParameterInfo& row : all_parameters())
    if (row.name == name) return others.parameter(row.id);
  return {};  // follows from the others
}

std::set<std::string> assumed_names(const Search& search) {
  std::set<std::string> names;
  for (const FeatureText& f : feature_texts(search.assumed, search.space.formats)) names.emplace(f.name);
  return names;
}

}  // namespace

std::string values_text(Parameter parameter, const ValueSet& values) {
  std::string text;
  for (int i = values.first(); i < ValueSet::kCapacity;) {
    int last = i;
    while (values.next(last) == last + 1 && is_run(info(parameter), last, last + 1)) ++last;
    if (!text.empty()) text += ", ";
    text += value_text(parameter, i);
    if (last > i) text += (last == i + 1 ? ", " : "..") + value_text(parameter, last);
    i = values.next(last);
  }
  return text;
}

std::vector<FeatureStanding> feature_standings(const Search& search, const Identification& result) {
  const Others proved(search, result, true);
  const Others open(search, result, false);
  const auto assumed = assumed_names(search);
  std::vector<FeatureStanding> all;
  for (const FeatureText& f : feature_texts(features_of(*result.model), result.model->formats)) {
    FeatureStanding row{std::string(f.name), f.value, "", "", assumed.contains(std::string(f.name))};
    row.unobservable = other_values(proved, row.name, row.value);
    row.open = other_values(open, row.name, row.value);
    const bool varies = !row.unobservable.empty() || !row.open.empty() || row.assumed;
    if (varies || !f.goes_without_saying) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace mmaprint
