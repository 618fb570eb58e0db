#include "inference/space_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "model/features_json.h"
#include "model/json_reader.h"
#include "model/parameter_json.h"

namespace mmaprint {
namespace {

constexpr std::string_view kFrom = "from";
constexpr std::string_view kTo = "to";
constexpr std::size_t kMostBlocks = kLargestK;
constexpr std::size_t kMostChains = 100000;

int read_value(const JsonReader& from, const ParameterInfo& row) {
  // Any number, so that the domain's end is said in words.
  if (!row.words.empty()) return from.word(row.words);
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

Json parameters_to_json(const Box& box) {
  Json json = Json::object();
  for (const ParameterInfo& row : all_parameters())
    json[std::string(row.name)] = to_json(row.id, box[row.id], Runs::merged);
  return json;
}

Box read_parameters(const JsonReader& from) {
  Box box;
  for (const ParameterInfo& row : all_parameters()) box[row.id] = read_values(from.at(row.name), row);
  for (const auto& item : from.json().items())
    if (std::ranges::find(all_parameters(), item.key(), &ParameterInfo::name) == all_parameters().end())
      from.at(item.key()).fail("no such parameter");
  return box;
}

Chain read_chain(const JsonReader& from, int k) {
  Chain chain;
  std::vector<bool> seen(static_cast<std::size_t>(k), false);
  for (const JsonReader& block : from.at("blocks").elements(kMostBlocks)) {
    auto& products = chain.blocks.emplace_back();
    for (const JsonReader& product : block.elements(kLargestK)) {
      products.push_back(product.integer(0, k - 1));
      auto known = seen[static_cast<std::size_t>(products.back())];
      if (known) product.fail("each product once");
      known = true;
    }
    if (products.empty()) block.fail("at least one product");
  }
  if (std::ranges::find(seen, false) != seen.end()) from.at("blocks").fail("all products");
  chain.c_enters = read_word<CEnters>(from.at("c_enters"), kCEntersWords);
  return chain;
}

/// Every value that the unit's formats admit; assumptions may add to what is searched otherwise.
ValueSet widest(const ParameterInfo& row, const OperandFormats& formats) {
  ValueSet all = row.searched(formats);
  for (int i = 0; i < row.size; ++i)
    if (row.widens(i, formats)) all.insert(i);
  return all;
}

/// Spaces from files are trusted with nothing: their hypotheses are counted and evaluated.
void require_legal(const JsonReader& from, const Space& space) {
  for (const JsonReader& chain : from.at("chains").elements(kMostChains)) chain.only({"blocks", "c_enters"});
  std::set<std::pair<std::vector<std::vector<int>>, CEnters>> seen;
  for (std::size_t i = 0; i < space.chains.size(); ++i)
    if (!seen.emplace(space.chains[i].blocks, space.chains[i].c_enters).second)
      from.at("chains").elements(kMostChains)[i].fail("each chain once");
  for (const ParameterInfo& row : all_parameters()) {
    ValueSet legal = widest(row, space.formats);
    legal.intersect(space.box[row.id]);
    if (legal != space.box[row.id])
      from.at("parameters").at(row.name).fail("values that units of these formats can have");
  }
}

}  // namespace

/// Any one pattern, or several that are not told apart.
constexpr std::array<std::string_view, 2> kNanWords{"any", "several"};

Json count_to_json(const Count& n) {
  if (n < Count(1) << 53) return static_cast<std::uint64_t>(n);
  return approximate(n);
}

Json to_json(Parameter parameter, const ValueSet& values, Runs runs) {
  constexpr std::size_t kShortestRun = 4;
  const ParameterInfo& row = info(parameter);
  const auto is_number = [&](int index) { return row.words.empty() && row.number(index).has_value(); };
  const std::vector<int> all = values.values();
  Json json = Json::array();
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (runs == Runs::merged && end < all.size() && is_number(all[i]) && is_number(all[end]) &&
           all[end] == all[end - 1] + 1)
      ++end;
    if (end - i >= kShortestRun) {
      json.push_back({{kFrom, *row.number(all[i])}, {kTo, *row.number(all[end - 1])}});
    } else {
      end = i + 1;
      json.push_back(value_to_json(row, all[i]));
    }
    i = end;
  }
  return json;
}

Json to_json(const Chain& chain) {
  return {{"blocks", chain.blocks}, {"c_enters", kCEntersWords[static_cast<std::size_t>(chain.c_enters)]}};
}

Json to_json(const Space& space, const HypothesisSet& set) {
  Json json = to_json(space.chains[static_cast<std::size_t>(set.chain)]);
  json["parameters"] = parameters_to_json(set.box);
  json["nan"] = set.nan ? Json(pattern_text(space.formats.d, *set.nan)) : Json(nullptr);
  return json;
}

HypothesisSet set_from_json(const JsonReader& from, const Space& space) {
  const Chain chain = read_chain(from, space.k);
  const auto place = std::ranges::find(space.chains, chain);
  if (place == space.chains.end()) from.at("blocks").fail("a chain of the space");
  HypothesisSet set{static_cast<int>(place - space.chains.begin()), read_parameters(from.at("parameters")),
                    std::nullopt};
  if (const JsonReader nan = from.at("nan"); !nan.is_null()) {
    set.nan = nan.pattern(space.formats.d);
    if (info(space.formats.d).has_nan() && !is_nan(space.formats.d, *set.nan))
      nan.fail("a NaN of " + std::string(name(space.formats.d)));
  }
  return set;
}

Json to_json(const Search& search) {
  Json chains = Json::array();
  for (const Chain& chain : search.space.chains) chains.push_back(to_json(chain));
  return to_json(search, std::move(chains));
}

Json to_json(const Search& search, Json chains) {
  return {{"hypotheses", count_to_json(search.size())},
          {"chains", std::move(chains)},
          {"parameters", parameters_to_json(search.space.box)},
          {"nan", kNanWords[static_cast<std::size_t>(search.space.nan_results)]},
          {"assumed", features_to_json(search.assumed, search.space.formats)}};
}

Search search_from_json(const JsonReader& from, const Instruction& instruction) {
  from.only({"hypotheses", "chains", "parameters", "nan", "assumed"});
  if (const auto why = not_modelled(instruction.formats)) throw BadInput("formats: expected " + *why);
  Space space{instruction.name, instruction.k, instruction.formats, {}, {}, NanResults::one_pattern};
  for (const JsonReader& chain : from.at("chains").elements(kMostChains))
    space.chains.push_back(read_chain(chain, space.k));
  if (space.chains.empty()) from.at("chains").fail("at least one chain");
  space.box = read_parameters(from.at("parameters"));
  require_legal(from, space);
  space.nan_results = read_word<NanResults>(from.at("nan"), kNanWords);
  Search search(std::move(space), features_from_json(from.at("assumed"), instruction.k, instruction.formats));
  if (from.at("hypotheses").json() != count_to_json(search.size()))
    from.at("hypotheses")
        .fail(count_to_json(search.size()).dump() + ", as many as chains and parameters make");
  return search;
}

}  // namespace mmaprint
