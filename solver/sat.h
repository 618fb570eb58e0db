// The clauses of a graph's gates in a SAT solver (CaDiCaL): assert, check under assumptions, value of.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "solver/aig.h"
#include "solver/limits.h"

namespace mmaprint {

class Sat {
 public:
  /// Once the deadline has passed, assert_unit() throws DeadlinePassed.
  explicit Sat(const Aig& graph, const Deadline& deadline = {});
  ~Sat();
  Sat(Sat&&) noexcept;
  Sat& operator=(Sat&&) noexcept;
  Sat(const Sat&) = delete;
  Sat& operator=(const Sat&) = delete;

  /// From now on x is true.
  void assert_unit(Literal x);
  [[nodiscard]] Verdict check(std::span<const Literal> assumptions, const Limits& limits);
  /// After `satisfiable`: the value of any gate of the graph; inputs that no clause mentions are false.
  [[nodiscard]] bool value(Literal x) const;
  [[nodiscard]] std::int64_t clauses() const;
  /// Of all checks so far, as clauses learned from them.
  [[nodiscard]] std::int64_t conflicts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mmaprint
