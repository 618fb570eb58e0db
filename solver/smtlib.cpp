#include "solver/smtlib.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace mmaprint {
namespace {

/// A symbol that needs no quotes: "block_rounding[1]" becomes "block_rounding.1".
std::string symbol(std::string name) {
  std::erase(name, ']');
  std::ranges::replace(name, '[', '.');
  return name;
}

class SmtLibWriter {
 public:
  explicit SmtLibWriter(const Formula& formula) : formula_(formula), names_(formula.graph.size()) {}

  std::string operator()(Verdict verdict, const std::vector<std::string>& about) {
    for (const std::string& line : about) add("; {}\n", line);
    add("(set-info :smt-lib-version 2.6)\n(set-info :status {})\n(set-logic QF_BV)\n", word(verdict));
    const std::vector<std::uint32_t> nodes = cone(formula_);
    std::vector<bool> is_needed(formula_.graph.size(), false);
    for (const std::uint32_t n : nodes) is_needed[n] = true;
    for (const NamedWord& word : formula_.inputs) declare(word, is_needed);
    for (const std::uint32_t n : nodes) define(n);
    for (const Literal x : formula_.asserted) add("(assert {})\n", text(x));
    add("(check-sat)\n");
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  void declare(const NamedWord& word, const std::vector<bool>& is_needed) {
    if (std::ranges::none_of(word.bits, [&](Literal x) { return is_needed[x.node()]; })) return;
    const std::string name = symbol(word.name);
    add("(declare-const {} (_ BitVec {}))\n", name, word.bits.size());
    for (std::size_t i = 0; i < word.bits.size(); ++i) {
      const std::uint32_t n = word.bits[i].node();
      if (!is_needed[n]) continue;
      names_[n] = fmt::format("{}@{}", name, i);
      add("(define-fun {} () Bool (= ((_ extract {} {}) {}) #b1))\n", names_[n], i, i, name);
    }
  }
  void define(std::uint32_t n) {
    const Aig::Gate& g = formula_.graph.gate(n);
    if (g.kind == Aig::Kind::input) {
      if (names_[n].empty()) add("(declare-const n{} Bool)\n", n);
      return;
    }
    const std::string_view what = g.kind == Aig::Kind::conjunction ? "and"
                                  : g.kind == Aig::Kind::exclusive ? "xor"
                                                                   : "ite";
    add("(declare-const n{} Bool) (assert (= n{} ({}", n, n, what);
    for (int i = 0; i < operand_count(g.kind); ++i) add(" {}", text(g.x[i]));
    add(")))\n");
  }
  [[nodiscard]] std::string text(Literal x) const {
    if (x.node() == 0) return x.complemented() ? "true" : "false";
    const std::string& known = names_[x.node()];
    const std::string name = known.empty() ? fmt::format("n{}", x.node()) : known;
    return x.complemented() ? "(not " + name + ")" : name;
  }

  const Formula& formula_;
  std::vector<std::string> names_;  ///< of bits of words
  std::string text_;
};

}  // namespace

std::string smtlib_text(const Formula& formula, Verdict verdict, const std::vector<std::string>& about) {
  return SmtLibWriter(formula)(verdict, about);
}

}  // namespace mmaprint
