#include "solver/dimacs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "base/bad_input.h"

namespace mmaprint {
namespace {

/// Reads one number after another of a text, line by line.
class DimacsReader {
 public:
  DimacsReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<int> operator()() {
    std::vector<int> clauses;
    for (; !text_.empty(); ++line_) {
      const std::string_view line = next_line();
      if (line.starts_with('c')) continue;
      if (line.starts_with('p'))
        header(line);
      else
        literals(line, clauses);
    }
    if (!variables_) fail("a line \"p cnf VARIABLES CLAUSES\"");
    if (!clauses.empty() && clauses.back() != 0) fail("a 0 at the end of the last clause");
    if (std::ranges::count(clauses, 0) != stated_) fail(fmt::format("{} clauses", stated_));
    return clauses;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw BadInput(fmt::format("{}:{}: expected {}", file_, line_, expected));
  }
  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return line;
  }
  /// The next number of a line; nullopt at its end.
  std::optional<int> number(std::string_view& line) const {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty()) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc()) fail("a number");
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return value;
  }
  void header(std::string_view line) {
    constexpr std::string_view kHead = "p cnf ";
    if (variables_ || !line.starts_with(kHead)) fail("one line \"p cnf VARIABLES CLAUSES\"");
    line.remove_prefix(kHead.size());
    variables_ = number(line);
    const auto clauses = number(line);
    if (!variables_ || !clauses || *variables_ < 0 || *clauses < 0 || number(line))
      fail("\"p cnf VARIABLES CLAUSES\"");
    stated_ = *clauses;
  }
  void literals(std::string_view line, std::vector<int>& clauses) const {
    while (const auto x = number(line)) {
      if (!variables_) fail("a line \"p cnf VARIABLES CLAUSES\" before clauses");
      if (*x < -*variables_ || *x > *variables_) fail(fmt::format("variables up to {}", *variables_));
      clauses.push_back(*x);
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t line_ = 1;
  std::optional<int> variables_;
  std::int64_t stated_ = 0;
};

}  // namespace

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

std::vector<int> clauses_of_dimacs(std::string_view text, const std::string& file) {
  return DimacsReader(text, file)();
}

}  // namespace mmaprint
