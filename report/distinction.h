// The smallest difference between two models, for people and as a document.
#pragma once

#include <string>

#include "base/json_source.h"
#include "inference/input_size.h"
#include "inference/minimal.h"
#include "report/style.h"

namespace mmaprint {

inline constexpr std::string_view kDistinctionSchema = "mmaprint/distinction/1";

/// The compared models' formats and products, and what to call the models.
struct Compared {
  OperandFormats formats;
  ProductKinds products;
  std::string first, second;
};
[[nodiscard]] std::string distinction_text(const Compared& models, const MinimalDistinction& result,
                                           const Style& style);
[[nodiscard]] Json distinction_document(const Compared& models, const MinimalDistinction& result);

}  // namespace mmaprint
