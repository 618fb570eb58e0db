#include "inference/space_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "model/features_json.h"
#include "model/json_reader.h"
#include "model/parameter_json.h"
#include "model/skeleton_json.h"
#include "model/spelling.h"

namespace mmaprint {
namespace {

constexpr std::string_view kFrom = "from";
constexpr std::string_view kTo = "to";
constexpr std::size_t kMostSkeletons = 100000;

int read_value(const JsonReader& from, const ParameterInfo& row) {
  // Any number, so that the domain's end is said in words.
  if (!row.words.empty()) return from.word(row.words);
  if (row.text != nullptr) return index_of_text(from, row);
  const auto index = index_of_number(row, from.integer_or_null(-100000, 100000));
  if (!index) from.fail("a value of the parameter's domain");
  return *index;
}

ValueSet read_values(const JsonReader& from, const ParameterInfo& row) {
  ValueSet set;
  for (const JsonReader& item : from.elements(ValueSet::kCapacity)) {
    if (!item.json().is_object()) {
      set.insert(read_value(item, row));
      continue;
    }
    item.only({kFrom, kTo});
    const int first = read_value(item.at(kFrom), row);
    const int last = read_value(item.at(kTo), row);
    if (first > last) item.fail("from <= to");
    set.unite(ValueSet::range(first, last));
  }
  if (set.empty()) from.fail("at least one value");
  return set;
}

/// Does a newer parameter have the value that is meant where nothing is said?
bool goes_without_saying(const ParameterInfo& row, const ValueSet& values) {
  return row.is_newer && values == ValueSet::single(default_index(row));
}

/// Those of the first class, and of later ones what `whole`, all of its skeleton, leaves free.
Json parameters_to_json(const Box& box, const Box& whole) {
  Json json = Json::object();
  for (const ParameterKey& key : box.keys())
    if (key.of_class == 0 ? !goes_without_saying(info(key.parameter), box[key]) : !whole[key].is_single())
      json[name_of(key, box.classes())] = to_json(key.parameter, box[key], Runs::merged);
  return json;
}

/// What does not stand there is as in `whole`. Older documents name the rounding of a root that is not there.
Box read_parameters(const JsonReader& from, const Box& whole) {
  Box box = whole;
  std::vector<std::string> known{"final_rounding"};
  for (const ParameterKey& key : whole.keys()) {
    if (key.of_class > 0 && whole[key].is_single()) continue;
    known.push_back(name_of(key, whole.classes()));
    const ParameterInfo& row = info(key.parameter);
    if (const auto values = row.is_newer ? from.find(known.back()) : std::optional(from.at(known.back())))
      box[key] = read_values(*values, row);
    else
      box[key] = ValueSet::single(default_index(row));
  }
  for (const auto& item : from.json().items())
    if (std::ranges::find(known, item.key()) == known.end()) from.at(item.key()).fail("no such parameter");
  return box;
}

/// Every value that the unit's formats admit; assumptions may add to what is searched otherwise.
ValueSet widest(const ParameterInfo& row, const Signature& formats) {
  ValueSet all = row.searched(formats);
  for (int i = 0; i < row.size; ++i)
    if (row.widens(i, formats)) all.insert(i);
  return all;
}

/// Spaces from files are trusted with nothing: their hypotheses are counted and evaluated.
void require_legal(const JsonReader& from, const std::vector<JsonReader>& skeletons, const Space& space) {
  std::set<Skeleton> seen;
  for (std::size_t i = 0; i < space.skeletons.size(); ++i) {
    skeletons[i].only({"blocks", "c_enters", "inside", "tree", "operands"});
    if (!seen.insert(space.skeletons[i]).second) skeletons[i].fail("each skeleton once");
    if (classes_of(space.skeletons[i].tree) > kMostClasses)
      skeletons[i].fail(fmt::format("a skeleton of at most {} classes", kMostClasses));
    try {
      validate(space.model(static_cast<int>(i), space.whole(static_cast<int>(i)).box.lowest(), std::nullopt));
    } catch (const std::invalid_argument& error) {
      skeletons[i].fail(std::string("a legal skeleton (") + error.what() + ")");
    }
  }
  for (const ParameterInfo& row : all_parameters()) {
    ValueSet legal = widest(row, space.formats);
    legal.intersect(space.box[row.id]);
    if (legal != space.box[row.id])
      from.at("parameters").at(row.name).fail("values that units of these formats can have");
  }
}

}  // namespace

/// What later classes may have: nothing is said where they add exactly.
constexpr std::string_view kLaterClasses = "later_classes";
constexpr std::array<std::string_view, 2> kLaterWords{"exact", "free"};
/// Any one pattern, or several that are not told apart.
constexpr std::array<std::string_view, 2> kNanWords{"any", "several"};

int parameter_value_from_json(const JsonReader& from, Parameter parameter) {
  return read_value(from, info(parameter));
}

Json count_to_json(const Count& n) {
  if (n < Count(1) << 53) return static_cast<std::uint64_t>(n);
  return approximate(n);
}

Json to_json(Parameter parameter, const ValueSet& values, Runs runs) {
  constexpr std::size_t kShortestRun = 4;
  const ParameterInfo& row = info(parameter);
  const std::vector<int> all = values.values();
  Json json = Json::array();
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (runs == Runs::merged && end < all.size() && all[end] == all[end - 1] + 1 &&
           is_run(row, all[end - 1], all[end]))
      ++end;
    if (end - i >= kShortestRun) {
      json.push_back({{kFrom, value_to_json(row, all[i])}, {kTo, value_to_json(row, all[end - 1])}});
    } else {
      end = i + 1;
      json.push_back(value_to_json(row, all[i]));
    }
    i = end;
  }
  return json;
}

Json to_json(const Space& space, const HypothesisSet& set) {
  Json json = to_json(space.skeleton(set));
  json["parameters"] = parameters_to_json(set.box, space.whole(set.skeleton).box);
  json["nan"] = set.nan ? Json(pattern_text(space.formats.d, *set.nan)) : Json(nullptr);
  return json;
}

HypothesisSet set_from_json(const JsonReader& from, const Space& space) {
  const auto place = std::ranges::find(space.skeletons, skeleton_from_json(from, space.k));
  if (place == space.skeletons.end()) from.fail("a skeleton of the space");
  const int skeleton = static_cast<int>(place - space.skeletons.begin());
  HypothesisSet set{skeleton, read_parameters(from.at("parameters"), space.whole(skeleton).box),
                    std::nullopt};
  if (const JsonReader nan = from.at("nan"); !nan.is_null()) {
    set.nan = nan.pattern(space.formats.d);
    if (info(space.formats.d).has_nan() && !is_nan(space.formats.d, *set.nan))
      nan.fail("a NaN of " + std::string(name(space.formats.d)));
  }
  return set;
}

Json to_json(const Search& search) {
  Json skeletons = Json::array();
  for (const Skeleton& skeleton : search.space.skeletons) skeletons.push_back(to_json(skeleton));
  return to_json(search, std::move(skeletons));
}

Json to_json(const Search& search, Json skeletons) {
  Json json{{"hypotheses", count_to_json(search.size())},
            {"skeletons", std::move(skeletons)},
            {"parameters", parameters_to_json(search.space.box, search.space.box)},
            {"nan", kNanWords[static_cast<std::size_t>(search.space.nan_results)]},
            {"assumed", features_to_json(search.assumed, search.space.formats)}};
  if (search.space.later_classes != LaterClasses::exact)
    json[kLaterClasses] = kLaterWords[static_cast<std::size_t>(search.space.later_classes)];
  return json;
}

Search search_from_json(const JsonReader& from, const Instruction& instruction) {
  from.only({"hypotheses", "skeletons", "chains", "parameters", "nan", "assumed", kLaterClasses});
  if (const auto why = not_modelled(instruction.formats)) throw BadInput("formats: expected " + *why);
  Space space{instruction.name, instruction.k, instruction.formats, {}, Box(1)};
  // Older documents know chains alone.
  const auto chains = from.find("chains");
  const JsonReader list = chains ? *chains : from.at("skeletons");
  const auto skeletons = list.elements(kMostSkeletons);
  for (const JsonReader& skeleton : skeletons)
    space.skeletons.push_back(skeleton_from_json(skeleton, space.k));
  if (skeletons.empty()) list.fail("at least one skeleton");
  if (const auto later = from.find(kLaterClasses))
    space.later_classes = read_word<LaterClasses>(*later, kLaterWords);
  space.box = read_parameters(from.at("parameters"), space.box);
  require_legal(from, skeletons, space);
  space.nan_results = read_word<NanResults>(from.at("nan"), kNanWords);
  Search search(std::move(space), features_from_json(from.at("assumed"), instruction.k, instruction.formats));
  if (from.at("hypotheses").json() != count_to_json(search.size()))
    from.at("hypotheses")
        .fail(count_to_json(search.size()).dump() + ", as many as skeletons and parameters make");
  return search;
}

}  // namespace mmaprint
