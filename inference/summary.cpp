#include "inference/summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/json_text.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "model/skeleton_json.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostBytesOfValues = 512;                       ///< of one feature
constexpr std::size_t kMostBytesOfSkeletons = std::size_t{12} << 10;  ///< of one list
constexpr std::size_t kShortestRun = 4;

/// The group size g with which product i is in block floor(i/g) mod n, of the blocks or of them reversed.
struct BlockPattern {
  int width = 0;
  int group = 0;
  bool reversed = false;
};

/// Is product i at its place in block floor(i/g) mod n?
bool follows(const std::vector<std::vector<int>>& blocks, const BlockPattern& pattern, int k) {
  const int n = k / pattern.width;
  std::vector<std::size_t> filled(blocks.size(), 0);
  for (int i = 0; i < k; ++i) {
    const int at = i / pattern.group % n;
    const auto block = static_cast<std::size_t>(pattern.reversed ? n - 1 - at : at);
    const auto place = filled[block]++;
    if (place >= blocks[block].size() || blocks[block][place] != i) return false;
  }
  return true;
}

std::optional<BlockPattern> pattern_of(const std::vector<std::vector<int>>& blocks, int k) {
  const int width = static_cast<int>(blocks.front().size());
  if (k % width != 0 || blocks.size() != static_cast<std::size_t>(k / width)) return std::nullopt;
  for (int group = width; group >= 1; --group)
    for (const bool reversed : {false, true})
      if (const BlockPattern pattern{width, group, reversed}; follows(blocks, pattern, k)) return pattern;
  return std::nullopt;
}

Json blocks_summary(const std::vector<std::vector<int>>& blocks, int k) {
  const auto pattern = pattern_of(blocks, k);
  if (!pattern) return {{"blocks", blocks}};
  Json json{{"width", pattern->width}};
  if (pattern->group != pattern->width) json["group"] = pattern->group;
  if (pattern->reversed) json["reversed"] = true;
  return json;
}

/// Adds `items` while they fit; how many did not.
std::size_t fill(Json& list, const std::vector<Json>& items, std::size_t bytes) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    size += json_line(items[i]).size();
    if (size > bytes) return items.size() - i;
    list.push_back(items[i]);
  }
  return 0;
}

/// Runs of four integers and more as {"from":..,"to":..}, in front of everything else.
std::vector<Json> with_runs(const std::vector<Json>& values) {
  std::vector<int> numbers;
  std::vector<Json> rest;
  for (const Json& value : values)
    if (value.is_number_integer())
      numbers.push_back(value.get<int>());
    else
      rest.push_back(value);
  std::ranges::sort(numbers);
  std::vector<Json> joined;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i >= kShortestRun)
      joined.push_back({{"from", numbers[i]}, {"to", numbers[end - 1]}});
    else
      for (std::size_t n = i; n < end; ++n) joined.emplace_back(numbers[n]);
    i = end;
  }
  joined.insert(joined.end(), rest.begin(), rest.end());
  return joined;
}

/// Survivors of one class: all but the skeleton is alike.
using Alike = std::tuple<std::vector<std::array<std::uint64_t, ValueSet::kWords>>, std::optional<Pattern>,
                         SurvivorClass::Standing, std::optional<DotInput>>;
Alike key_of(const SurvivorClass& survivor) {
  Alike key{{}, survivor.set.nan, survivor.standing, survivor.witness};
  for (const ValueSet& set : survivor.set.box.sets()) std::get<0>(key).push_back(set.words());
  return key;
}

/// Indices of survivors by class, in the order of each class's first.
std::vector<std::vector<std::size_t>> classes_of(const std::vector<SurvivorClass>& survivors) {
  std::map<Alike, std::size_t> place;
  std::vector<std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < survivors.size(); ++i) {
    const auto [known, fresh] = place.emplace(key_of(survivors[i]), classes.size());
    if (fresh) classes.emplace_back();
    classes[known->second].push_back(i);
  }
  return classes;
}

class Summarising {
 public:
  Summarising(const Space& space, const Identification& result, bool certified)
      : space_(space), result_(result), certified_(certified) {}

  Json operator()(const std::vector<std::size_t>& alike) const {
    const SurvivorClass& first = result_.survivors[alike.front()];
    Count hypotheses = 0;
    std::int64_t clauses = 0;
    for (const std::size_t i : alike) {
      hypotheses += result_.survivors[i].set.box.size();
      clauses += result_.survivors[i].clauses;
    }
    const bool proved = first.standing == SurvivorClass::Standing::proved;
    Json model = to_json(speaker(alike));
    model.erase("features");  // they follow
    Json json{{"model", std::move(model)},
              {"free", free(alike)},
              {"hypotheses", count_to_json(hypotheses)},
              {"sets", alike.size()},
              {"standing", text(first.standing)},
              {"proof", certified_ && proved ? Json(proof_file(alike.front())) : Json(nullptr)}};
    if (proved) json["clauses"] = clauses;
    return json;
  }

 private:
  [[nodiscard]] Json free(const std::vector<std::size_t>& alike) const {
    const HypothesisSet& set = result_.survivors[alike.front()].set;
    Json json = Json::object();
    for (const ParameterKey& key : set.box.keys())
      if (const ValueSet& values = set.box[key]; !values.is_single())
        json[name_of(key, set.box.classes())] = to_json(key.parameter, values, Runs::merged);
    if (!set.nan) json["nan"] = "any";
    if (alike.size() == 1) return json;
    std::vector<Json> skeletons;
    skeletons.reserve(alike.size());
    for (const std::size_t i : alike)
      skeletons.push_back(skeleton_summary(space_.skeleton(result_.survivors[i].set), space_.k));
    json["skeletons"] = Json::array();
    if (const std::size_t more = fill(json["skeletons"], skeletons, kMostBytesOfSkeletons))
      json["more_skeletons"] = more;
    return json;
  }

  /// The member that speaks for them: the representative where it is one.
  [[nodiscard]] UnitModel speaker(const std::vector<std::size_t>& alike) const {
    for (const std::size_t i : alike)
      if (result_.model && contains(space_, {result_.survivors[i].set}, *result_.model))
        return *result_.model;
    const HypothesisSet& set = result_.survivors[alike.front()].set;
    return space_.model(set.skeleton, plainest(set.box), set.nan);
  }

  const Space& space_;
  const Identification& result_;
  bool certified_;
};

}  // namespace

Json skeleton_summary(const Skeleton& skeleton, int k) {
  Json rest = to_json(skeleton);
  const auto blocks = rest.find("blocks");
  if (blocks == rest.end()) return rest;
  Json json = blocks_summary(blocks->get<std::vector<std::vector<int>>>(), k);
  rest.erase(blocks);
  json.update(rest);
  return json;
}

Json space_summary(const Search& search) {
  std::vector<Json> skeletons;
  skeletons.reserve(search.space.skeletons.size());
  for (const Skeleton& skeleton : search.space.skeletons)
    skeletons.push_back(skeleton_summary(skeleton, search.space.k));
  Json json = to_json(search, Json::array());
  json["default"] = search.is_default();
  if (const std::size_t more = fill(json["skeletons"], skeletons, kMostBytesOfSkeletons))
    json["more_skeletons"] = more;
  return json;
}

Json unobservable_summary(const std::vector<Unobservable>& features, int k, bool certified) {
  Json list = Json::array();
  for (const Unobservable& u : features) {
    std::vector<Json> values = u.values;
    if (u.feature == "blocks")
      for (Json& value : values) value = blocks_summary(value.get<std::vector<std::vector<int>>>(), k);
    Json entry{{"feature", u.feature},
               {"values", {values.front()}},
               {"proof", certified ? Json(proof_file(u.proofs.front())) : Json(nullptr)}};
    const std::vector<Json> others = with_runs({values.begin() + 1, values.end()});
    if (const std::size_t more = fill(entry["values"], others, kMostBytesOfValues))
      entry["more_values"] = more;
    list.push_back(std::move(entry));
  }
  return list;
}

SurvivorSummaries survivor_summaries(const Space& space, const Identification& result, bool certified) {
  const Summarising summarised(space, result, certified);
  const auto classes = classes_of(result.survivors);
  SurvivorSummaries all{{}, classes.size()};
  std::size_t size = 0;
  for (const auto& alike : classes) {
    Json json = summarised(alike);
    size += json_line(json).size();
    if (size > kLargestIdentification) break;
    all.listed.push_back({std::move(json), result.survivors[alike.front()].witness});
  }
  return all;
}

}  // namespace mmaprint
