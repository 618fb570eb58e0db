// A graph of and-, xor- and if-then-else-gates over inputs, hashed so that equal structure exists once.
//
// Gates are simplified as they are built: constants, repeated and complementary operands, and a few two-level
// rules. What two datapaths share is therefore the same literal on both sides, and their difference shrinks
// to the part where their parameters matter, often to nothing before any solver runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/deadline.h"
#include "solver/limits.h"

namespace mmaprint {

/// A gate's output or its complement.
struct Literal {
  std::uint32_t code = 0;  ///< 2·node + complemented; node 0 is the constant false
  [[nodiscard]] constexpr std::uint32_t node() const { return code >> 1; }
  [[nodiscard]] constexpr bool complemented() const { return (code & 1) != 0; }
  [[nodiscard]] constexpr Literal operator!() const { return {code ^ 1}; }
  [[nodiscard]] constexpr Literal regular() const { return {code & ~1U}; }
  friend constexpr auto operator<=>(Literal, Literal) = default;
};
inline constexpr Literal kFalse{0};
inline constexpr Literal kTrue{1};
[[nodiscard]] constexpr bool is_constant(Literal x) { return x.node() == 0; }

class Aig {
 public:
  enum class Kind : std::uint8_t { constant, input, conjunction, exclusive, multiplexer };
  /// Operands: conjunction x0 & x1; exclusive x0 ^ x1; multiplexer x0 ? x1 : x2.
  struct Gate {
    Kind kind;
    Literal x[3];
    friend bool operator==(const Gate&, const Gate&) = default;
  };

  Aig() : Aig(Deadline()) {}
  /// Gates throw DeadlinePassed once it has, and StepsSpent when more than `most` were asked for: what is
  /// half built by then is of no use.
  explicit Aig(const Deadline& deadline, std::optional<std::int64_t> most = std::nullopt)
      : deadline_(deadline), late_(deadline, 4096), most_(most), gates_{{Kind::constant, {}}} {}

  [[nodiscard]] Literal input();
  [[nodiscard]] Literal conjunction(Literal x, Literal y);
  [[nodiscard]] Literal disjunction(Literal x, Literal y) { return !conjunction(!x, !y); }
  [[nodiscard]] Literal exclusive(Literal x, Literal y);
  [[nodiscard]] Literal multiplexer(Literal condition, Literal yes, Literal no);

  [[nodiscard]] const Gate& gate(std::uint32_t node) const { return gates_[node]; }
  [[nodiscard]] std::size_t size() const { return gates_.size(); }
  /// Gates that were asked for, whether they existed already or not.
  [[nodiscard]] std::int64_t asked() const { return asked_; }
  [[nodiscard]] const std::vector<std::uint32_t>& inputs() const { return inputs_; }

 private:
  struct GateHash {
    std::size_t operator()(const Gate& g) const;
  };
  [[nodiscard]] Literal hashed(const Gate& gate);
  void require_time() {
    ++asked_;
    if (most_ && asked_ > *most_) throw StepsSpent();
    if (late_.passed()) throw DeadlinePassed(std::string(deadline_.reason()));
  }

  Deadline deadline_;
  Checkpoint late_;
  std::optional<std::int64_t> most_;
  std::int64_t asked_ = 0;
  std::vector<Gate> gates_;
  std::vector<std::uint32_t> inputs_;
  std::unordered_map<Gate, std::uint32_t, GateHash> known_;
};

/// Number of operands of a gate of this kind.
[[nodiscard]] constexpr int operand_count(Aig::Kind kind) {
  switch (kind) {
    case Aig::Kind::conjunction:
    case Aig::Kind::exclusive:
      return 2;
    case Aig::Kind::multiplexer:
      return 3;
    default:
      return 0;
  }
}

}  // namespace mmaprint
