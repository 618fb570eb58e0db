// What a public Model holds, for the rest of this room.
#pragma once

#include <memory>

#include "mmaprint/model.h"
#include "model/model_json.h"

namespace mmaprint {

inline namespace api {
struct ModelAccess {
  [[nodiscard]] static Model wrapped(AnyModel model);
  [[nodiscard]] static const AnyModel& any(const Model& model);
};
}  // namespace api

/// The unit that a model is. Throws BadInput for a partial one; `name` is what messages call it.
[[nodiscard]] const UnitModel& full(const Model& model, const char* name);

}  // namespace mmaprint
