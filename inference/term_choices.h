// Which products may be nonzero: what has to be asked so that all inputs of so many products are.
//
// Places at the same nodes of both trees are alike, so that of these only the number counts. And where nodes
// with nothing to do are left out (inference/few_products.h), choices at other nodes come to the same
// question.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// Two units that compute as the models do where no other products than these are nonzero.
struct TermQuestion {
  std::vector<bool> products;
  UnitModel left, right;
};

class TermChoices {
 public:
  /// The models have the same K and formats, and outlive this.
  TermChoices(const UnitModel& left, const UnitModel& right);

  /// Questions that together are about all inputs of `count` nonzero products; nullopt if there are too many.
  [[nodiscard]] std::optional<std::vector<TermQuestion>> questions(int count) const;

 private:
  using Places = std::vector<std::size_t>;
  [[nodiscard]] std::optional<std::vector<std::vector<bool>>> choices(int count) const;

  const UnitModel& left_;
  const UnitModel& right_;
  bool is_any_order_;  ///< of operands within a node
  std::vector<Places> alike_;
};

}  // namespace mmaprint
