// How each feature of the representative stands among the survivors.
#pragma once

#include <string>
#include <vector>

#include "inference/assumption.h"
#include "inference/identify.h"

namespace mmaprint {

struct FeatureStanding {
  std::string name;
  std::string value;  ///< the representative's
  std::string
      unobservable;  ///< other values that are proved to give the same results, as text; empty for none
  std::string open;  ///< other values that are neither refuted nor proved to give the same
  bool assumed = false;
};
/// In the order of documents. Requires result.model.
[[nodiscard]] std::vector<FeatureStanding> feature_standings(const Search& search,
                                                             const Identification& result);

/// "-300..-134, none": a parameter's values as text, runs of numbers joined.
[[nodiscard]] std::string values_text(Parameter parameter, const ValueSet& values);

}  // namespace mmaprint
