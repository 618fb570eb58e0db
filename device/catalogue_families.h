// The parts of the catalogue, one for each vendor; device/catalogue.h puts them together.
#pragma once

#include <string>
#include <vector>

#include "device/catalogue.h"

namespace mmaprint {

/// "k{8,16}" is "k8" and "k16": the names that a row stands for.
[[nodiscard]] std::vector<std::string> names_of(std::string_view row);

[[nodiscard]] std::vector<CataloguedUnit> nvidia_units();
/// In the tables' order; empty for an unknown name.
[[nodiscard]] std::vector<UnitModel> nvidia_models(std::string_view unit);
/// AMD's, Arm's and Google's.
[[nodiscard]] std::vector<CataloguedUnit> other_units();
[[nodiscard]] std::vector<UnitModel> other_models(std::string_view unit);

}  // namespace mmaprint
