// Identifications in short: what a document lists of sets, structures and values, so that it stays small.
//
// Certificates hold all of it. A document merges the survivors that differ in structure alone, names block
// patterns instead of listing products, writes runs of numbers as their ends, and counts what goes beyond its
// size.
#pragma once

#include <nlohmann/json.hpp>

#include "inference/document.h"

namespace mmaprint {

/// How large an identification's document may be as it is printed, the inputs that it quotes left out.
inline constexpr std::size_t kLargestIdentification = std::size_t{64} << 10;

/// {"width":w,"group":g,"reversed":true,"c_enters":..}: product i is in block floor(i/g) mod (K/w). `group`
/// is left out where it is w, `reversed` where it is false. Blocks of no such pattern are listed.
[[nodiscard]] Json skeleton_summary(const Skeleton& skeleton, int k);

/// As to_json(search), with skeletons in short, and whether this is the default space.
[[nodiscard]] Json space_summary(const Search& search);

/// The representative's values first, then the others, runs joined; `more_values` counts what is left out.
[[nodiscard]] Json unobservable_summary(const std::vector<Unobservable>& features, int k, bool certified);

/// Survivors that differ in structure alone: a model, and what is free.
struct SurvivorSummary {
  Json json;
  std::optional<DotInput> witness;
};
struct SurvivorSummaries {
  std::vector<SurvivorSummary> listed;  ///< the first of them, together at most as large as a document
  std::size_t classes = 0;              ///< of all survivors
};
[[nodiscard]] SurvivorSummaries survivor_summaries(const Space& space, const Identification& result,
                                                   bool certified);

}  // namespace mmaprint
