// Inputs on which a carried sum takes c to an edge between two results, and a little beyond.
//
// What the join of a carried sum and c loses lies below c's exponent by its F bits, and is rounded again: it
// shows where c less the sum lies on a tie of the last rounding, and a unit of the sum's last place decides.
// A sum has places as low as that beside its own exponent only where products cancel. So two products that do
// are set, which give the sum its exponent, and others that add up to what takes c to a tie, and a few units.
#pragma once

#include <optional>
#include <vector>

#include "inference/random_draws.h"
#include "model/plan.h"
#include "model/unit_model.h"
#include "solver/summands.h"

namespace mmaprint {

class InputsAtJoins : RandomDraws {
 public:
  /// For two models of floating formats with the same K, formats and tree. With the same seed always the
  /// same.
  InputsAtJoins(const UnitModel& x, const UnitModel& y, std::uint64_t seed);
  InputsAtJoins(const InputsAtJoins&) = delete;
  InputsAtJoins& operator=(const InputsAtJoins&) = delete;

  /// Has the tree a join of that kind, at which the models differ?
  [[nodiscard]] bool has_any() const { return !joins_.empty(); }
  /// nullopt where some attempts failed. Requires that there is a join.
  [[nodiscard]] std::optional<DotInput> next();

 private:
  struct Join {
    std::size_t node, place_of_c;
    std::vector<std::size_t> products;  ///< below it
    int fraction_bits;                  ///< that the sums which it takes are multiples of, below their E
  };

  void collect(std::size_t node, Join& join) const;
  [[nodiscard]] std::optional<DotInput> attempt();
  /// Two products of 2^exponent and the opposite, where two are zeros yet.
  [[nodiscard]] bool put_cancelling(const Join& join, int exponent, DotInput& input);

  UnitModel x_, y_;
  Plan plan_;
  Summands summands_;
  std::vector<Join> joins_;
};

}  // namespace mmaprint
