#include "cli/full_model.h"

#include "device/open.h"

namespace mmaprint {

UnitModel full_model(const std::string& spec, const Deadline& deadline) {
  AnyModel model = open_model(spec, deadline);
  if (auto* unit = std::get_if<UnitModel>(&model)) return std::move(*unit);
  throw BadInput(spec + ": unit: expected a full model, as a partial one has no results");
}

}  // namespace mmaprint
