// Skeletons as JSON, both ways (docs/models.md). Chains of blocks have a short form.
#pragma once

#include "base/json_source.h"
#include "model/format.h"
#include "model/json_reader.h"
#include "model/skeleton.h"

namespace mmaprint {

/// {"blocks":[[..]],"c_enters":"first"} of chains, and "inside":{"format":..,"c_joins":..} where their nodes'
/// results have another format than D; [{"adder":..,"operands":[..],"result":..}, ..] of other trees, and of
/// chains unless `short_chains`.
[[nodiscard]] Json to_json(const Tree& tree, bool short_chains);
/// The inverse of both forms. Whether each product is there once is validate()'s to say. Throws FieldError.
[[nodiscard]] Tree tree_from_json(const JsonReader& from, int k);

/// {"a":{"format":"fp16","conversion":"exact"},..}: what is converted.
[[nodiscard]] Json to_json(const OperandPaths& paths);
[[nodiscard]] OperandPaths paths_from_json(const JsonReader& from);

/// A chain's short form or {"tree":[..]}, and "operands":{..} where any is converted.
[[nodiscard]] Json to_json(const Skeleton& skeleton);
/// Reads these fields of an object that may have others. Each product has to be there once.
[[nodiscard]] Skeleton skeleton_from_json(const JsonReader& from, int k);

}  // namespace mmaprint
