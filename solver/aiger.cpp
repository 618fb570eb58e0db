#include "solver/aiger.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace mmaprint {
namespace {

/// AIGER's literals are like ours: twice a variable's number, odd where complemented, 0 for false. Its
/// variables are numbered inputs first, then gates, each after its operands.
class AigerWriter {
 public:
  explicit AigerWriter(const Formula& formula) : formula_(formula), literals_(formula.graph.size(), 0) {}

  std::string operator()(const std::vector<std::string>& about) {
    const std::vector<std::uint32_t> nodes = cone(formula_);
    for (const std::uint32_t n : nodes)
      if (is_input(n)) {
        inputs_.push_back(n);
        literals_[n] = next();
      }
    for (const std::uint32_t n : nodes)
      if (!is_input(n)) literals_[n] = gate(formula_.graph.gate(n));
    unsigned output = 1;
    for (const Literal x : formula_.asserted) output = both(output, literal(x));
    std::string text =
        fmt::format("aig {} {} 0 1 {}\n{}\n", inputs_.size() + gates_, inputs_.size(), gates_, output);
    text += conjunctions_;
    const std::vector<std::string> names = bit_names(formula_);
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!names[inputs_[i]].empty()) text += fmt::format("i{} {}\n", i, names[inputs_[i]]);
    text += "o0 all that is asserted\nc\n";
    for (const std::string& line : about) text += line + "\n";
    return text;
  }

 private:
  [[nodiscard]] bool is_input(std::uint32_t n) const {
    return formula_.graph.gate(n).kind == Aig::Kind::input;
  }
  [[nodiscard]] unsigned literal(Literal x) const {
    return literals_[x.node()] ^ (x.complemented() ? 1U : 0U);
  }
  [[nodiscard]] unsigned next() { return 2 * ++variables_; }

  /// Seven bits a byte, the lowest first.
  void number(unsigned value) {
    for (; value > 0x7F; value >>= 7) conjunctions_ += static_cast<char>((value & 0x7F) | 0x80);
    conjunctions_ += static_cast<char>(value);
  }
  unsigned both(unsigned x, unsigned y) {
    if (x < y) std::swap(x, y);
    if (y == 0 || x == (y ^ 1)) return 0;
    if (y == 1 || x == y) return x;
    const unsigned result = next();
    ++gates_;
    number(result - x);
    number(x - y);
    return result;
  }
  unsigned gate(const Aig::Gate& g) {
    const unsigned p = literal(g.x[0]), q = literal(g.x[1]), r = literal(g.x[2]);
    if (g.kind == Aig::Kind::conjunction) return both(p, q);
    const unsigned either = g.kind == Aig::Kind::exclusive ? q ^ 1 : q;  // where p
    const unsigned other = g.kind == Aig::Kind::exclusive ? q : r;       // where not
    const unsigned first = both(p, either);
    const unsigned second = both(p ^ 1, other);
    return both(first ^ 1, second ^ 1) ^ 1;
  }

  const Formula& formula_;
  std::vector<unsigned> literals_;  ///< by node
  std::vector<std::uint32_t> inputs_;
  unsigned variables_ = 0;
  std::size_t gates_ = 0;
  std::string conjunctions_;
};

}  // namespace

std::string aiger_text(const Formula& formula, const std::vector<std::string>& about) {
  return AigerWriter(formula)(about);
}

}  // namespace mmaprint
