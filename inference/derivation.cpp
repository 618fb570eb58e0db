#include "inference/derivation.h"

#include <utility>

namespace mmaprint {

void end_at(Derivation& derivation, UnitModel begin, const UnitModel& model) {
  std::size_t needed = 0;
  for (UnitModel at = std::move(begin); at != model && needed < derivation.models.size(); ++needed) {
    const ModelStep& step = derivation.models[needed];
    at = step.left == at ? step.right : step.left;
  }
  derivation.models.erase(derivation.models.begin() + static_cast<std::ptrdiff_t>(needed),
                          derivation.models.end());
}

}  // namespace mmaprint
