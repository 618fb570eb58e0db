#include "device/catalogue.h"

#include <algorithm>
#include <iterator>

#include "device/catalogue_families.h"

namespace mmaprint {

std::vector<std::string> names_of(std::string_view row) {
  const std::string names(row);
  const std::size_t open = names.find('{');
  if (open == std::string::npos) return {names};
  const std::size_t close = names.find('}', open);
  std::vector<std::string> all;
  for (std::size_t begin = open + 1; begin <= close;) {
    const std::size_t end = std::min(names.find(',', begin), close);
    std::ranges::move(
        names_of(names.substr(0, open) + names.substr(begin, end - begin) + names.substr(close + 1)),
        std::back_inserter(all));
    begin = end + 1;
  }
  return all;
}

std::vector<CataloguedUnit> catalogued_units() {
  std::vector<CataloguedUnit> all = nvidia_units();
  std::ranges::move(other_units(), std::back_inserter(all));
  return all;
}

std::vector<UnitModel> catalogued_models(std::string_view unit) {
  std::vector<UnitModel> models = nvidia_models(unit);
  return models.empty() ? other_models(unit) : models;
}

std::optional<UnitModel> catalogued_model(std::string_view unit, std::string_view instruction) {
  for (UnitModel& model : catalogued_models(unit))
    if (model.instruction == instruction) return std::move(model);
  return std::nullopt;
}

}  // namespace mmaprint
