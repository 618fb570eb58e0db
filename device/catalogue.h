// Published units: one table row per instruction, from which models are built.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

struct CataloguedUnit {
  std::string_view name;         ///< as in "sim:NAME"
  std::string_view description;  ///< the hardware it stands for
};

[[nodiscard]] std::vector<CataloguedUnit> catalogued_units();
/// All models of a unit, in the table's order; empty for an unknown name.
[[nodiscard]] std::vector<UnitModel> catalogued_models(std::string_view unit);
/// The model of one instruction of a unit.
[[nodiscard]] std::optional<UnitModel> catalogued_model(std::string_view unit, std::string_view instruction);

}  // namespace mmaprint
