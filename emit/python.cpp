// Python: a module for NumPy. Every name is an array over the inputs, a value of each. Integers are int64
// where 63 bits do, Python's own in object arrays where they don't; patterns of 64 bits are uint64. Records
// are tuples.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "emit/emit.h"
#include "emit/walk.h"
#include "emit/writer.h"

namespace mmaprint::emit {
namespace {

enum class Storage : std::uint8_t { truth, int64, uint64, object, tuple };

Storage storage_of(const Type& type) {
  if (type.kind == Kind::boolean) return Storage::truth;
  if (type.kind == Kind::record) return Storage::tuple;
  if (type.bits <= 63 || (type.kind == Kind::integer && type.bits == 64)) return Storage::int64;
  return type.kind == Kind::pattern ? Storage::uint64 : Storage::object;
}
const char* dtype(Storage storage) {
  return storage == Storage::uint64 ? "np.uint64" : storage == Storage::object ? "object" : "np.int64";
}

constexpr const char* kBitLengths = R"(
def _bit_length(x):
    """How many bits each number has up to its leading one: 0 for 0."""
    x = np.asarray(x)
    if x.dtype == object:
        return np.frompyfunc(int.bit_length, 1, 1)(x).astype(np.int64)
    length = np.zeros_like(x)
    for step in (32, 16, 8, 4, 2, 1):
        above = x >> (length + step) != 0
        length += np.where(above, step, 0)
    return length + (x != 0)
)";
constexpr const char* kAs = R"(
def _as(x, dtype):
    """A value in another type of array."""
    return np.asarray(x).astype(dtype)
)";
constexpr const char* kSelect = R"(
def _select(condition, yes, no):
    """Of two values or records, the first where the condition holds."""
    if isinstance(no, tuple):
        return type(no)(*(_select(condition, x, y) for x, y in zip(yes, no)))
    return np.where(condition, yes, no)
)";
constexpr const char* kWrappedOfPython = R"(
def _wrapped(x, bits):
    """The lowest bits as a two's complement number."""
    sign = 1 << (bits - 1)
    return ((x & (2 * sign - 1)) ^ sign) - sign
)";

struct PrintedPython {
  std::string text;
  bool compound = false;
  [[nodiscard]] std::string operand() const { return compound ? "(" + text + ")" : text; }
};

class PythonPrinter {
 public:
  explicit PythonPrinter(const Program& program) : program_(program), out_("    ") {}

  std::string text() {
    for (const Record& r : program_.records) {
      std::string fields;
      for (const Field& f : r.fields) fields += (fields.empty() ? "" : " ") + f.name;
      comment(r.comment + ".");
      out_.line(
          fmt::format("{} = namedtuple(\"{}\", \"{}\")", class_name(r.name), class_name(r.name), fields));
      out_.line();
    }
    for (const Function& f : program_.functions) print(f);
    return std::move(out_).text();
  }

 private:
  static std::string class_name(const std::string& name) { return "_" + name; }
  void comment(const std::string& text) {
    for (const std::string& line : lines_of(text, 95))
      if (!line.empty()) out_.line("# " + line);
  }
  void print(const Function& f) {
    std::string parameters;
    for (const Parameter& p : f.parameters) parameters += (parameters.empty() ? "" : ", ") + p.name;
    out_.line();
    out_.line(fmt::format("def _{}({}):", f.name, parameters));
    out_.in();
    const auto lines = lines_of(f.comment, 90);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out_.line(
          fmt::format("{}{}{}", i == 0 ? "\"\"\"" : "", lines[i], i + 1 == lines.size() ? "\"\"\"" : ""));
    early_.clear();
    result_ = f.result;
    print(f.body);
    out_.out();
    out_.line();
  }
  void print(const std::vector<Statement>& body) {
    for (const Statement& s : body) print(s);
  }
  void print(const Statement& s) {
    using What = Statement::What;
    comment(s.comment);
    switch (s.what) {
      case What::define:
      case What::variable:
        variables_[s.name] = s.value->type;
        out_.line(fmt::format("{} = {}", s.name, text_of(s.value)));
        break;
      case What::assign:
        out_.line(fmt::format("{} = {}", s.name, as(s.value, variables_.at(s.name)).text));
        break;
      case What::repeat:
        out_.line(fmt::format("for {} in range({}):", s.name, s.count));
        out_.in();
        print(s.body);
        out_.out();
        break;
      case What::fill:
        out_.line(fmt::format("{} = [{} for {} in range({})]", s.name, text_of(s.value), s.index, s.count));
        break;
      case What::gather: {
        std::string all;
        for (const int i : s.indices)
          all += fmt::format("{}{}[{}]", all.empty() ? "" : ", ", text_of(s.value), i);
        out_.line(fmt::format("{} = [{}]", s.name, all));
        break;
      }
      case What::result_if:
        // Decided where it stands, used at the end: conditions may speak of what changes later.
        early_.emplace_back(fmt::format("case_{}", early_.size() + 1), as(s.value, result_).text);
        out_.line(fmt::format("{} = {}", early_.back().first, text_of(s.condition)));
        break;
      case What::result:
        if (early_.empty()) {
          out_.line("return " + as(s.value, result_).text);
          break;
        }
        out_.line("result = " + as(s.value, result_).text);
        std::ranges::reverse(early_);
        for (const auto& [condition, value] : early_)
          out_.line(fmt::format("result = _select({}, {}, result)", condition, value));
        out_.line("return result");
        break;
    }
  }

  [[nodiscard]] std::string text_of(const Expr& x) const { return printed(x).text; }
  /// Stored as another type is.
  [[nodiscard]] PrintedPython as(const Expr& x, const Type& type) const {
    const Storage from = storage_of(x->type), to = storage_of(type);
    if (from == to || from == Storage::truth || x->op == Op::constant) {
      // A constant beside arrays takes their type; alone, it has to have one.
      return printed(x);
    }
    return {fmt::format("_as({}, {})", text_of(x), dtype(to)), false};
  }
  [[nodiscard]] PrintedPython operation(const char* sign, const Expr& x, const Expr& y,
                                        const Type& type) const {
    return {fmt::format("{} {} {}", as(x, type).operand(), sign, as(y, type).operand()), true};
  }
  [[nodiscard]] PrintedPython comparison(const char* sign, const Expr& x, const Expr& y) const {
    return operation(sign, x, y, storage_of(x->type) == Storage::int64 ? y->type : x->type);
  }
  [[nodiscard]] PrintedPython two(const char* sign, const Expr& x) const {
    return operation(sign, x->operands[0], x->operands[1], x->type);
  }
  [[nodiscard]] PrintedPython shift(const char* sign, const Expr& x) const {
    return {fmt::format("{} {} {}", as(x->operands[0], x->type).operand(), sign,
                        printed(x->operands[1]).operand()),
            true};
  }
  [[nodiscard]] PrintedPython truths(const char* sign, const Expr& x) const {
    return {
        fmt::format("{} {} {}", printed(x->operands[0]).operand(), sign, printed(x->operands[1]).operand()),
        true};
  }
  [[nodiscard]] PrintedPython function(const std::string& name, const Expr& x) const {
    std::string arguments;
    for (const Expr& y : x->operands) arguments += (arguments.empty() ? "" : ", ") + as(y, x->type).text;
    return {fmt::format("{}({})", name, arguments), false};
  }
  [[nodiscard]] PrintedPython called(const Expr& x) const {
    const auto& f = *std::ranges::find(program_.functions, x->name, &Function::name);
    std::string arguments;
    for (std::size_t i = 0; i < x->operands.size(); ++i)
      arguments += (i == 0 ? "" : ", ") + as(x->operands[i], f.parameters[i].type).text;
    return {fmt::format("_{}({})", x->name, arguments), false};
  }
  [[nodiscard]] PrintedPython made(const Expr& x) const {
    const Record& r = program_.record(x->type.record);
    std::string fields;
    for (std::size_t i = 0; i < r.fields.size(); ++i)
      fields += (i == 0 ? "" : ", ") + as(x->operands[i], r.fields[i].type).text;
    return {fmt::format("{}({})", class_name(r.name), fields), false};
  }
  [[nodiscard]] PrintedPython negated(const Expr& x) const {
    const Expr& y = x->operands[0];
    if (y->op == Op::equal) return comparison("!=", y->operands[0], y->operands[1]);
    if (y->op == Op::less) return comparison(">=", y->operands[0], y->operands[1]);
    return {fmt::format("np.logical_not({})", text_of(y)), false};
  }
  [[nodiscard]] PrintedPython low(const Expr& x) const {
    const Expr& y = x->operands[0];
    const auto mask = (std::uint64_t{1} << x->type.bits) - 1;
    const PrintedPython masked{fmt::format("{} & {:#x}", printed(y).operand(), mask), true};
    return storage_of(y->type) == storage_of(x->type)
               ? masked
               : PrintedPython{fmt::format("_as({}, {})", masked.text, dtype(storage_of(x->type))), false};
  }
  static PrintedPython literal(const Type& type, std::int64_t value) {
    if (type.kind == Kind::boolean) return {value != 0 ? "True" : "False", false};
    if (type.kind != Kind::integer) {
      const auto number = static_cast<std::uint64_t>(value);
      const std::string digits = number < 10 ? fmt::format("{}", number) : fmt::format("{:#x}", number);
      return {type.kind == Kind::pattern && type.bits == 64 ? "np.uint64(" + digits + ")" : digits, false};
    }
    return {fmt::format("{}", value), value < 0};
  }
  [[nodiscard]] PrintedPython printed(const Expr& x) const;

  const Program& program_;
  Writer out_;
  Type result_;
  std::map<std::string, Type> variables_;
  std::vector<std::pair<std::string, std::string>> early_;
};

PrintedPython PythonPrinter::printed(const Expr& x) const {
  const auto& of = x->operands;
  switch (x->op) {
    case Op::constant:
      return literal(x->type, x->value);
    case Op::variable:
      return {x->name, false};
    case Op::field:
      return {printed(of[0]).operand() + "." + x->name, false};
    case Op::element:
      return {fmt::format("{}[{}]", text_of(of[0]), text_of(of[1])), false};
    case Op::slice: {
      const std::string from = text_of(of[1]);
      const bool fixed = of[1]->op == Op::constant;
      return {fmt::format("{}[{}:{}]", text_of(of[0]), from,
                          fixed ? fmt::format("{}", of[1]->value + x->type.count)
                                : fmt::format("{} + {}", from, x->type.count)),
              false};
    }
    case Op::make:
      return made(x);
    case Op::call:
      return called(x);
    case Op::add:
      return two("+", x);
    case Op::subtract:
      return two("-", x);
    case Op::multiply:
      return two("*", x);
    case Op::quotient:
      return two("//", x);
    case Op::negate:
      return {"-" + as(of[0], x->type).operand(), true};
    case Op::shift_left:
      return shift("<<", x);
    case Op::shift_right:
      return shift(">>", x);
    case Op::bit_and:
      return two("&", x);
    case Op::bit_or:
      return two("|", x);
    case Op::bit_xor:
      return two("^", x);
    case Op::equal:
      return comparison("==", of[0], of[1]);
    case Op::less:
      return comparison("<", of[0], of[1]);
    case Op::both:
      return truths("&", x);
    case Op::either:
      return truths("|", x);
    case Op::no:
      return negated(x);
    case Op::choose:
      return {fmt::format("np.where({}, {}, {})", text_of(of[0]), as(of[1], x->type).text,
                          as(of[2], x->type).text),
              false};
    case Op::cast:
      return as(of[0], x->type);
    case Op::low_bits:
      return low(x);
    case Op::wrapped:
      return {fmt::format("_wrapped({}, {})", as(of[0], x->type).text, x->value), false};
    case Op::bit_length:
      return {fmt::format("_bit_length({})", text_of(of[0])), false};
    case Op::is_negative:
      return {fmt::format("{} < 0", printed(of[0]).operand()), true};
    case Op::magnitude:
      return {fmt::format("abs({})", text_of(of[0])), false};
    case Op::maximum:
      return function("np.maximum", x);
    case Op::minimum:
      return function("np.minimum", x);
  }
  return {};
}

std::string simulate_text(const Function& unit) {
  const auto unsigned_type = [](const Type& type) {
    return fmt::format("np.uint{}", type.bits <= 8 ? 8 : type.bits <= 16 ? 16 : type.bits <= 32 ? 32 : 64);
  };
  std::string names, arguments, checks;
  std::vector<std::string> shapes;
  for (const Parameter& p : unit.parameters) {
    names += (names.empty() ? "" : ", ") + p.name;
    checks += fmt::format("    {0} = np.asarray({0}).astype({1})\n", p.name,
                          p.type.bits == 64 ? "np.uint64" : "np.int64");
    const int count = p.type.count;
    shapes.push_back(fmt::format("{} (n,{})", p.name, count > 0 ? fmt::format(" {}", count) : ""));
    if (count > 0) {
      checks += fmt::format("    if {0}.ndim != 2 or {0}.shape[1] != {1}:\n", p.name, count);
      checks += fmt::format("        raise ValueError(\"{}: expected shape (n, {})\")\n", p.name, count);
    }
    arguments += (arguments.empty() ? "" : ", ") +
                 (count > 0 ? fmt::format("[{}[:, i] for i in range({})]", p.name, count) : p.name);
  }
  std::string text = fmt::format("\ndef simulate({}):\n", names);
  text += fmt::format(
      "    \"\"\"d of n inputs, of shape (n,), as unsigned integers: patterns.\n\n"
      "    Shapes: {}.\n    \"\"\"\n",
      list_of(shapes));
  return text + checks +
         fmt::format("    d = _unit({})\n    return np.broadcast_to(d, a.shape[:1]).astype({})\n", arguments,
                     unsigned_type(unit.result));
}

}  // namespace

std::string to_python(const UnitModel& model, const Provenance& from) {
  const Program program = program_of(model, "unit");
  std::string text;
  for (const std::string& line : head_lines(model, from)) text += line.empty() ? "#\n" : "# " + line + "\n";
  text += "from collections import namedtuple\n\nimport numpy as np\n\n";
  bool lengths = false, wraps = false, selects = false;
  for_each_expression(program, [&](const Expression& x) {
    lengths = lengths || x.op == Op::bit_length;
    wraps = wraps || x.op == Op::wrapped;
  });
  for (const Function& f : program.functions)
    for (const Statement& s : f.body) selects = selects || s.what == Statement::What::result_if;
  std::string program_text = PythonPrinter(program).text();
  if (program_text.find("_as(") != std::string::npos) text += std::string(kAs) + "\n";
  if (lengths) text += std::string(kBitLengths) + "\n";
  if (selects) text += std::string(kSelect) + "\n";
  if (wraps) text += std::string(kWrappedOfPython) + "\n";
  text += "\n" + program_text;
  return text + simulate_text(program.unit());
}

}  // namespace mmaprint::emit
