#include "solver/dimacs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace mmaprint {

std::string dimacs_text(const Formula& formula, const Cnf& cnf, const std::vector<std::string>& about) {
  std::string text;
  const auto add = std::back_inserter(text);
  for (const std::string& line : about) fmt::format_to(add, "c {}\n", line);
  for (const NamedWord& word : formula.inputs)
    for (std::size_t i = 0; i < word.bits.size(); ++i)
      if (cnf.mentions(word.bits[i].node()))
        fmt::format_to(add, "c {}[{}] = {}\n", word.name, i, Cnf::variable(word.bits[i]));
  int variables = 0;
  for (const int x : cnf.clauses()) variables = std::max(variables, std::abs(x));
  fmt::format_to(add, "p cnf {} {}\n", variables, cnf.count());
  for (const int x : cnf.clauses()) {
    text += fmt::format_int(x).c_str();
    text += x == 0 ? '\n' : ' ';
  }
  return text;
}

}  // namespace mmaprint
