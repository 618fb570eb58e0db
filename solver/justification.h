// Which inputs of a graph make a gate what it is.
//
// A solution names a value for every input, and most of them do not matter. From the gate backwards, of each
// gate only those operands are needed that decide it: both of a conjunction that holds, one that does not of
// one that does not hold, the branch of a multiplexer that is taken. Whatever the other inputs are, the gate
// is as it was. Of several that would do, those are taken that cost least.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "solver/aig.h"

namespace mmaprint {

class Justification {
 public:
  /// Of `root`, true in the assignment that `value` tells of every gate. What needing an input costs, `cost`
  /// tells of its node.
  Justification(const Aig& graph, Literal root, const std::function<bool(Literal)>& value,
                const std::function<std::int64_t(std::uint32_t)>& cost);

  /// The inputs that are needed, as literals that hold.
  [[nodiscard]] const std::vector<Literal>& needed() const { return needed_; }
  /// The gate's value where the needed inputs are as they are and others anything; nullopt if that depends on
  /// others (or seems to).
  [[nodiscard]] std::optional<bool> implied(Literal x);

 private:
  void add_costs(const std::function<std::int64_t(std::uint32_t)>& cost);
  void need_from(std::uint32_t root);
  [[nodiscard]] bool of(Literal x) const { return values_[x.node()] != x.complemented(); }
  [[nodiscard]] std::int64_t cost_of(Literal x) const { return costs_[x.node()]; }
  /// The operands that make the gate what it is.
  struct Operands {
    Literal x[2];
    int count;
  };
  [[nodiscard]] Operands deciding(const Aig::Gate& gate) const;
  [[nodiscard]] std::optional<bool> computed(const Aig::Gate& gate) const;

  const Aig& graph_;
  std::vector<bool> values_;
  std::vector<std::int64_t> costs_;
  std::vector<bool> is_needed_;
  std::vector<Literal> needed_;
  enum class Implied : std::uint8_t { not_known, no, yes, open };
  std::vector<Implied> implied_;
};

}  // namespace mmaprint
