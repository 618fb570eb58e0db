// The clauses of a graph's gates, in DIMACS's terms: a node's variable is its number plus one, negated
// literals are negative.
//
// Clauses are emitted when a gate is first needed, and only in the directions in which it is needed (Plaisted
// and Greenbaum 1986): a gate that is only ever asserted true needs no clause that forces it true. The same
// graph and assertions give the same clauses in the same order.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "solver/aig.h"

namespace mmaprint {

class Cnf {
 public:
  /// Of a graph that outlives it. Once the deadline has passed, need() and assert_unit() throw
  /// DeadlinePassed.
  explicit Cnf(const Aig& graph, const Deadline& deadline = {});

  [[nodiscard]] static int variable(Literal x) {
    const int v = static_cast<int>(x.node()) + 1;
    return x.complemented() ? -v : v;
  }
  /// From now on the clauses say what x is made of, where it is true.
  void need(Literal x);
  /// The same where it is false, too.
  void define(Literal x) {
    need(x);
    need(!x);
  }
  /// From now on x is true.
  void assert_unit(Literal x);

  /// All of them, each ended by 0.
  [[nodiscard]] const std::vector<int>& clauses() const { return clauses_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const std::vector<Literal>& asserted() const { return asserted_; }
  /// Does any clause speak of the node?
  [[nodiscard]] bool mentions(std::uint32_t node) const {
    return node < emitted_.size() && emitted_[node] != 0;
  }

 private:
  void clause(std::initializer_list<int> literals);
  void emit(Literal x, std::vector<Literal>& todo);

  const Aig* graph_;
  std::vector<int> clauses_;
  std::int64_t count_ = 0;
  std::vector<Literal> asserted_;
  /// Bit 0: gate implies its definition; bit 1: definition implies the gate.
  std::vector<std::uint8_t> emitted_;
  Deadline deadline_;
  Checkpoint late_;
};

}  // namespace mmaprint
