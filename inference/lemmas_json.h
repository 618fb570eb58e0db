// Lemmas about products in documents: {"product":N,"x":[MASK,BITS],"y":[..],"is":[..]}.
#pragma once

#include <span>
#include <vector>

#include "model/json_reader.h"
#include "solver/product_lemmas.h"

namespace mmaprint {

[[nodiscard]] Json lemmas_to_json(std::span<const ProductLemma> lemmas);
/// Those of a question, which may have none. Whether they hold is for others to check. Throws FieldError.
[[nodiscard]] std::vector<ProductLemma> lemmas_from_json(const JsonReader& question);

}  // namespace mmaprint
