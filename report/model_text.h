// A model in words and bits.
#pragma once

#include <string>
#include <vector>

#include "model/model_json.h"
#include "report/style.h"

namespace mmaprint {

/// A feature's name and value, as reports write them.
struct FeatureText {
  std::string_view name;
  std::string value;
  bool goes_without_saying = false;  ///< few units have another value
};
/// Features in the order of documents, `monotonic` aside where it is not established.
[[nodiscard]] std::vector<FeatureText> feature_texts(const Features& features, const Signature& formats);
[[nodiscard]] std::vector<FeatureText> feature_texts(const PartialFeatures& features,
                                                     const Signature& formats);

/// The tree, and the datapath of each adder, drawn.
[[nodiscard]] std::string unit_drawing(const UnitModel& model, const Style& style);

/// Title, tree, the datapath of each adder, features. A partial model: what it states.
[[nodiscard]] std::string model_text(const AnyModel& model, const Style& style);

}  // namespace mmaprint
