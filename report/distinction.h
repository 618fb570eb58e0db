// The smallest difference between two models, for people and as a document.
#pragma once

#include <array>
#include <string>

#include "base/json_source.h"
#include "inference/input_size.h"
#include "inference/minimal.h"
#include "report/style.h"

namespace mmaprint {

inline constexpr std::string_view kDistinctionSchema = "mmaprint/distinction/1";

/// The compared models' formats and products, what to call the models, and how many steps of them were
/// compared, where one has fewer products than the other (model/chained.h).
struct Compared {
  Signature formats;
  ProductKinds products;
  std::string first, second;
  std::array<int, 2> steps = {1, 1};
};
[[nodiscard]] std::string distinction_text(const Compared& models, const MinimalDistinction& result,
                                           const Style& style);
[[nodiscard]] Json distinction_document(const Compared& models, const MinimalDistinction& result);

}  // namespace mmaprint
