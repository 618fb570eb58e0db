// SMT-LIB 2, QF_BV. Records are bit-vectors, their fields beside each other; loops are unrolled, and what is
// assigned anew has a new name. Reading a pattern and multiplying are definitions of their own. All other
// steps stand where they are used, as `let`. Z3 4.8 reads chains of blocks in seconds so; a unit of 16
// products that is normalised at every addition it did not read within a minute.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "emit/emit.h"
#include "emit/smt2_terms.h"

namespace mmaprint::emit {
namespace {

/// What names stand for within a function.
struct SmtNames {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> arrays;
  std::map<std::string, int> indices;
  std::set<std::string> used;

  std::string fresh(const std::string& name) {
    std::string made = name;
    for (int n = 1; !used.insert(made).second; ++n) made = fmt::format("{}.{}", name, n);
    return made;
  }
};

class SmtPrinter {
 public:
  SmtPrinter(const Program& program, std::string unit) : program_(program), unit_(std::move(unit)) {}

  std::string text() {
    for (const Record& r : program_.records) print(r);
    for (const Function& f : program_.functions)
      if (is_definition(f.name) || &f == &program_.unit()) print(f);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string global(const std::string& name) const { return unit_ + "." + name; }
  static std::string bit_vector(int bits) { return fmt::format("(_ BitVec {})", bits); }
  [[nodiscard]] std::string sort(const Type& type) const {
    if (type.kind == Kind::boolean) return "Bool";
    return bit_vector(type.kind == Kind::record ? bits_of(program_.record(type.record)) : type.bits);
  }
  static int bits_of(const Record& r) {
    int bits = 0;
    for (const Field& f : r.fields) bits += f.type.bits;
    return bits;
  }
  void comment(const std::string& text) {
    for (const std::string& line : lines_of(text, 100)) out_ += "; " + line + "\n";
  }
  /// Has it a definition of its own? Its operands are never deep.
  static bool is_definition(const std::string& function) {
    return function.starts_with("read_") || function == "product" || function.starts_with("product_");
  }
  void print(const Record& r);
  void print(const Function& f);
  void print(const std::vector<Statement>& body, int& open);
  void print(const Statement& s, int& open);
  void let(const std::string& symbol, const std::string& value, int& open) {
    out_ += fmt::format("  (let (({} {}))\n", symbol, value);
    ++open;
  }

  [[nodiscard]] int index_of(const Expr& x) const;
  [[nodiscard]] std::vector<std::string> symbols(const Expr& array) const;
  [[nodiscard]] std::string text_of(const Expr& x);
  [[nodiscard]] std::string literal(const Type& type, std::int64_t value, int bits) const;
  [[nodiscard]] std::string as_bits(const Expr& x, int bits);
  [[nodiscard]] std::string two(const char* function, const Expr& x) {
    return fmt::format("({} {} {})", function, as_bits(x->operands[0], x->type.bits),
                       as_bits(x->operands[1], x->type.bits));
  }
  [[nodiscard]] std::string shift(const char* function, const Expr& x);
  [[nodiscard]] std::string comparison(const char* function, const Expr& x);
  [[nodiscard]] std::string field_of(const Expr& x);
  [[nodiscard]] std::string made(const Expr& x);
  [[nodiscard]] std::string called(const Expr& x);
  [[nodiscard]] std::string argument(const Expr& x, const Type& type);
  static std::string resized(const std::string& text, const Type& from, int bits) {
    if (from.bits == bits) return text;
    if (from.bits > bits) return fmt::format("((_ extract {} 0) {})", bits - 1, text);
    return fmt::format("((_ {} {}) {})", from.kind == Kind::integer ? "sign_extend" : "zero_extend",
                       bits - from.bits, text);
  }

  const Program& program_;
  std::string unit_, out_;
  SmtNames names_;
};

void SmtPrinter::print(const Record& r) {
  comment(r.comment + "; its fields from the highest bits down:");
  int high = bits_of(r);
  for (const Field& f : r.fields) {
    comment(fmt::format("  {}: bits {} to {}", f.name, high - 1, high - f.type.bits));
    high -= f.type.bits;
  }
  out_ += "\n";
}

void SmtPrinter::print(const Function& f) {
  names_ = {};
  const bool is_unit = &f == &program_.unit();
  comment(f.comment);
  std::string parameters;
  for (const Parameter& p : f.parameters) {
    std::vector<std::string> all;
    for (int i = 0; i < std::max(1, p.type.count); ++i) {
      all.push_back(names_.fresh(p.type.is_array() ? fmt::format("{}{}", p.name, i) : p.name));
      parameters +=
          fmt::format("{}({} {})", parameters.empty() ? "" : " ", all.back(), sort(p.type.element()));
    }
    if (p.type.is_array())
      names_.arrays[p.name] = all;
    else
      names_.values[p.name] = all.front();
  }
  out_ +=
      fmt::format("(define-fun {} ({}) {}\n", is_unit ? unit_ : global(f.name), parameters, sort(f.result));
  int open = 1;
  print(f.body, open);
  out_.pop_back();  // the line's end
  out_ += std::string(static_cast<std::size_t>(open), ')') + "\n\n";
}

void SmtPrinter::print(const std::vector<Statement>& body, int& open) {
  for (const Statement& s : body) print(s, open);
}

void SmtPrinter::print(const Statement& s, int& open) {
  using What = Statement::What;
  for (const std::string& line : lines_of(s.comment, 100))
    if (!line.empty()) out_ += "  ; " + line + "\n";
  switch (s.what) {
    case What::define:
    case What::variable:
    case What::assign: {
      const std::string value = text_of(s.value);
      const std::string symbol = names_.fresh(s.name);
      let(symbol, value, open);
      names_.values[s.name] = symbol;
      break;
    }
    case What::repeat:
      for (int i = 0; i < s.count; ++i) {
        names_.indices[s.name] = i;
        print(s.body, open);
      }
      names_.indices.erase(s.name);
      break;
    case What::fill: {
      std::vector<std::string> all;
      for (int i = 0; i < s.count; ++i) {
        names_.indices[s.index] = i;
        const std::string value = text_of(s.value);
        all.push_back(names_.fresh(fmt::format("{}{}", s.name, i)));
        let(all.back(), value, open);
      }
      names_.indices.erase(s.index);
      names_.arrays[s.name] = std::move(all);
      break;
    }
    case What::gather: {
      const auto from = symbols(s.value);
      std::vector<std::string> all;
      for (const int i : s.indices) all.push_back(from.at(static_cast<std::size_t>(i)));
      names_.arrays[s.name] = std::move(all);
      break;
    }
    case What::result_if:
      out_ += fmt::format("  (ite {} {}\n", text_of(s.condition), text_of(s.value));
      ++open;
      break;
    case What::result:
      out_ += "  " + text_of(s.value) + "\n";
      break;
  }
}

int SmtPrinter::index_of(const Expr& x) const {
  switch (x->op) {
    case Op::constant:
      return static_cast<int>(x->value);
    case Op::variable:
      return names_.indices.at(x->name);
    case Op::cast:
      return index_of(x->operands[0]);
    case Op::add:
      return index_of(x->operands[0]) + index_of(x->operands[1]);
    case Op::multiply:
      return index_of(x->operands[0]) * index_of(x->operands[1]);
    case Op::quotient:
      return index_of(x->operands[0]) / index_of(x->operands[1]);
    default:
      throw std::logic_error("emit: an index that is no sum, product or quotient of counters");
  }
}

std::vector<std::string> SmtPrinter::symbols(const Expr& array) const {
  if (array->op == Op::variable) return names_.arrays.at(array->name);
  const auto all = symbols(array->operands[0]);
  const auto first = all.begin() + index_of(array->operands[1]);
  return {first, first + array->type.count};
}

std::string SmtPrinter::literal(const Type& type, std::int64_t value, int bits) const {
  if (type.kind == Kind::boolean) return value != 0 ? "true" : "false";
  if (type.kind == Kind::integer && value < 0) return fmt::format("(bvneg (_ bv{} {}))", -value, bits);
  return fmt::format("(_ bv{} {})", static_cast<std::uint64_t>(value), bits);
}
std::string SmtPrinter::as_bits(const Expr& x, int bits) {
  if (x->op == Op::constant) return literal(x->type, x->value, bits);
  return resized(text_of(x), x->type, bits);
}
std::string SmtPrinter::shift(const char* function, const Expr& x) {
  const int bits = std::max(x->type.bits, kDistanceBits);
  const std::string moved =
      fmt::format("({} {} {})", function, as_bits(x->operands[0], bits), as_bits(x->operands[1], bits));
  return resized(moved, natural(bits), x->type.bits);
}
std::string SmtPrinter::comparison(const char* function, const Expr& x) {
  const int bits = std::max(x->operands[0]->type.bits, x->operands[1]->type.bits);
  return fmt::format("({} {} {})", function, as_bits(x->operands[0], bits), as_bits(x->operands[1], bits));
}
std::string SmtPrinter::field_of(const Expr& x) {
  const Record& r = program_.record(x->operands[0]->type.record);
  int high = bits_of(r);
  for (const Field& f : r.fields) {
    const int low = high - f.type.bits;
    if (f.name == x->name) {
      const std::string text = fmt::format("((_ extract {} {}) {})", high - 1, low, text_of(x->operands[0]));
      return f.type.kind == Kind::boolean ? fmt::format("(= {} #b1)", text) : text;
    }
    high = low;
  }
  throw std::logic_error("emit: no field " + x->name);
}
std::string SmtPrinter::made(const Expr& x) {
  const Record& r = program_.record(x->type.record);
  std::string fields;
  for (std::size_t i = 0; i < r.fields.size(); ++i) {
    const Expr& value = x->operands[i];
    const std::string text = r.fields[i].type.kind != Kind::boolean ? as_bits(value, r.fields[i].type.bits)
                             : value->op == Op::constant            ? (value->value != 0 ? "#b1" : "#b0")
                                                         : fmt::format("(ite {} #b1 #b0)", text_of(value));
    fields += " " + text;
  }
  return "(concat" + fields + ")";
}
std::string SmtPrinter::argument(const Expr& x, const Type& type) {
  return type.kind == Kind::boolean || type.kind == Kind::record ? text_of(x) : as_bits(x, type.bits);
}
std::string SmtPrinter::called(const Expr& x) {
  const auto& f = *std::ranges::find(program_.functions, x->name, &Function::name);
  if (is_definition(f.name)) {
    std::string text = "(" + global(x->name);
    for (std::size_t i = 0; i < x->operands.size(); ++i)
      text += " " + argument(x->operands[i], f.parameters[i].type);
    return text + ")";
  }
  // Its body, where it is called: names are all different, those of its operands are kept.
  std::string bound;
  SmtNames inside{{}, {}, {}, {}};
  for (std::size_t i = 0; i < x->operands.size(); ++i) {
    const Parameter& p = f.parameters[i];
    if (p.type.is_array()) {
      inside.arrays[p.name] = symbols(x->operands[i]);
      continue;
    }
    const std::string value = argument(x->operands[i], p.type);
    const std::string symbol = names_.fresh(p.name);
    bound += fmt::format("{}({} {})", bound.empty() ? "" : " ", symbol, value);
    inside.values[p.name] = symbol;
  }
  inside.used = std::move(names_.used);
  std::swap(inside, names_);
  std::string before = std::exchange(out_, {});
  comment(f.comment);
  int open = bound.empty() ? 0 : 1;
  if (open > 0) out_ += fmt::format("  (let ({})\n", bound);
  print(f.body, open);
  out_.pop_back();
  out_ += std::string(static_cast<std::size_t>(open), ')');
  std::swap(inside, names_);
  names_.used = std::move(inside.used);
  return "\n" + std::exchange(out_, std::move(before));
}

std::string SmtPrinter::text_of(const Expr& x) {
  const auto& of = x->operands;
  const int bits = x->type.bits;
  const auto call = [](const std::string& function, const auto&... arguments) {
    std::string text = "(" + function;
    ((text += " " + arguments), ...);
    return text + ")";
  };
  switch (x->op) {
    case Op::constant:
      return literal(x->type, x->value, bits);
    case Op::variable:
      return names_.values.at(x->name);
    case Op::field:
      return field_of(x);
    case Op::element:
      return symbols(of[0]).at(static_cast<std::size_t>(index_of(of[1])));
    case Op::slice:
    case Op::quotient:
      throw std::logic_error("emit: an array or an index as a value");
    case Op::make:
      return made(x);
    case Op::call:
      return called(x);
    case Op::add:
      return two("bvadd", x);
    case Op::subtract:
      return two("bvsub", x);
    case Op::multiply:
      return two("bvmul", x);
    case Op::negate:
      return call("bvneg", as_bits(of[0], bits));
    case Op::shift_left:
      return shift("bvshl", x);
    case Op::shift_right:
      return shift("bvlshr", x);
    case Op::bit_and:
      return two("bvand", x);
    case Op::bit_or:
      return two("bvor", x);
    case Op::bit_xor:
      return two("bvxor", x);
    case Op::equal:
      return of[0]->type.kind == Kind::boolean ? call("=", text_of(of[0]), text_of(of[1]))
                                               : comparison("=", x);
    case Op::less:
      return comparison(of[0]->type.kind == Kind::integer ? "bvslt" : "bvult", x);
    case Op::both:
      return call("and", text_of(of[0]), text_of(of[1]));
    case Op::either:
      return call("or", text_of(of[0]), text_of(of[1]));
    case Op::no:
      return call("not", text_of(of[0]));
    case Op::choose:
      if (x->type.kind == Kind::record) return call("ite", text_of(of[0]), text_of(of[1]), text_of(of[2]));
      return call("ite", text_of(of[0]), as_bits(of[1], bits), as_bits(of[2], bits));
    case Op::cast:
      return as_bits(of[0], bits);
    case Op::low_bits:
      return resized(text_of(of[0]), of[0]->type, bits);
    case Op::wrapped: {
      const int kept = static_cast<int>(x->value);
      return resized(fmt::format("((_ extract {} 0) {})", kept - 1, text_of(of[0])), integer(kept), bits);
    }
    case Op::bit_length:
      return smt_bit_length(text_of(of[0]), of[0]->type.bits);
    case Op::is_negative:
      return call("bvslt", text_of(of[0]), literal(of[0]->type, 0, of[0]->type.bits));
    case Op::magnitude:
      return fmt::format("(let ((x {})) (ite (bvslt x (_ bv0 {})) (bvneg x) x))", text_of(of[0]), bits);
    case Op::maximum:
    case Op::minimum:
      return fmt::format("(let ((x {}) (y {})) (ite (bvslt x y) {}))", as_bits(of[0], bits),
                         as_bits(of[1], bits), x->op == Op::maximum ? "y x" : "x y");
  }
  return {};
}

}  // namespace

std::string to_smt2(const UnitModel& model, const Provenance& from) {
  const std::string name = identifier_of(model);
  const Program program = program_of(model, "unit");
  std::string text;
  for (const std::string& line : head_lines(model, from)) text += line.empty() ? ";\n" : "; " + line + "\n";
  std::vector<std::string> inputs;
  for (const Parameter& p : program.unit().parameters)
    inputs.push_back(!p.type.is_array()  ? p.name
                     : p.type.count == 1 ? p.name + "0"
                                         : fmt::format("{0}0 .. {0}{1}", p.name, p.type.count - 1));
  text += fmt::format(";\n; {} is a function of the patterns {}; no logic is set here, QF_BV does.\n\n", name,
                      list_of(inputs));
  return text + SmtPrinter(program, name).text();
}

}  // namespace mmaprint::emit
