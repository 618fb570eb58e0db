// Octave and MATLAB: one function file. Every name is a column over the inputs. Numbers up to 2^53 are
// doubles, which hold them exactly; wider ones are rows of limbs (emit/octave_prelude.cpp); patterns of 64
// bits are uint64. Records are structs, arrays are cells.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "emit/emit.h"
#include "emit/octave_prelude.h"
#include "emit/writer.h"

namespace mmaprint::emit {
namespace {

enum class OctaveStorage : std::uint8_t { truth, narrow, wide, word, record };

OctaveStorage octave_storage(const Type& type) {
  if (type.kind == Kind::boolean) return OctaveStorage::truth;
  if (type.kind == Kind::record) return OctaveStorage::record;
  if (type.bits <= 53) return OctaveStorage::narrow;
  return type.kind == Kind::pattern ? OctaveStorage::word : OctaveStorage::wide;
}
int limbs_of(const Type& type) { return (type.bits + kOctaveLimb - 1) / kOctaveLimb; }

class OctavePrinter {
 public:
  explicit OctavePrinter(const Program& program) : program_(program) {}

  std::string text() {
    for (const Function& f : program_.functions) print(f);
    return std::move(out_).text();
  }

 private:
  void comment(const std::string& text) {
    for (const std::string& line : lines_of(text, 95))
      if (!line.empty()) out_.line("% " + line);
  }
  void print(const Function& f);
  void print(const std::vector<Statement>& body) {
    for (const Statement& s : body) print(s);
  }
  void print(const Statement& s);

  [[nodiscard]] std::string as(const Expr& x, const Type& type) const;
  [[nodiscard]] std::string literal(const Type& type, std::int64_t value) const;
  [[nodiscard]] std::string sum(const char* sign, const Expr& x) const {
    const std::string text =
        fmt::format("({} {} {})", as(x->operands[0], x->type), sign, as(x->operands[1], x->type));
    return is_wide(x->type) ? fmt::format("wide_carried{}", text) : text;
  }
  [[nodiscard]] std::string function(const char* name, const Expr& x) const {
    return fmt::format("{}({}, {})", name, as(x->operands[0], x->type), as(x->operands[1], x->type));
  }
  [[nodiscard]] std::string shift(bool left, const Expr& x) const;
  [[nodiscard]] std::string comparison(const char* sign, const Expr& x) const;
  [[nodiscard]] std::string made(const Expr& x) const;
  [[nodiscard]] std::string called(const Expr& x) const;
  [[nodiscard]] std::string low(const Expr& x) const;
  [[nodiscard]] std::string chosen(const Expr& x) const {
    if (x->type.kind == Kind::record)
      return fmt::format("choose({}, {}, {})", text_of(x->operands[0]), text_of(x->operands[1]),
                         text_of(x->operands[2]));
    return fmt::format("choose({}, {}, {})", text_of(x->operands[0]), as(x->operands[1], x->type),
                       as(x->operands[2], x->type));
  }
  [[nodiscard]] std::string text_of(const Expr& x) const;
  static bool is_wide(const Type& type) { return octave_storage(type) == OctaveStorage::wide; }

  const Program& program_;
  Writer out_;
  Type result_;
  std::map<std::string, Type> variables_;
  std::vector<std::pair<std::string, std::string>> early_;
};

void OctavePrinter::print(const Function& f) {
  std::string parameters;
  for (const Parameter& p : f.parameters) parameters += (parameters.empty() ? "" : ", ") + p.name;
  out_.line();
  out_.line(fmt::format("function result = {}({})", f.name, parameters));
  out_.in();
  comment(f.comment);
  early_.clear();
  result_ = f.result;
  print(f.body);
  out_.out();
  out_.line("end");
}

void OctavePrinter::print(const Statement& s) {
  using What = Statement::What;
  comment(s.comment);
  switch (s.what) {
    case What::define:
    case What::variable:
      variables_[s.name] = s.value->type;
      out_.line(fmt::format("{} = {};", s.name, text_of(s.value)));
      break;
    case What::assign:
      out_.line(fmt::format("{} = {};", s.name, as(s.value, variables_.at(s.name))));
      break;
    case What::repeat:
      out_.line(fmt::format("for {} = 0:{}", s.name, s.count - 1));
      out_.in();
      print(s.body);
      out_.out();
      out_.line("end");
      break;
    case What::fill:
      out_.line(fmt::format("{} = cell(1, {});", s.name, s.count));
      out_.line(fmt::format("for {} = 0:{}", s.index, s.count - 1));
      out_.in();
      out_.line(fmt::format("{}{{{} + 1}} = {};", s.name, s.index, text_of(s.value)));
      out_.out();
      out_.line("end");
      break;
    case What::gather: {
      std::string all;
      for (const int i : s.indices) all += fmt::format("{}{}", all.empty() ? "" : ", ", i + 1);
      out_.line(fmt::format("{} = {}([{}]);", s.name, text_of(s.value), all));
      break;
    }
    case What::result_if:
      early_.emplace_back(fmt::format("case_{}", early_.size() + 1), as(s.value, result_));
      out_.line(fmt::format("{} = {};", early_.back().first, text_of(s.condition)));
      break;
    case What::result:
      out_.line(fmt::format("result = {};", as(s.value, result_)));
      std::ranges::reverse(early_);
      for (const auto& [condition, value] : early_)
        out_.line(fmt::format("result = choose({}, {}, result);", condition, value));
      break;
  }
}

std::string OctavePrinter::literal(const Type& type, std::int64_t value) const {
  if (type.kind == Kind::boolean) return value != 0 ? "true" : "false";
  const auto number = static_cast<std::uint64_t>(value);
  if (octave_storage(type) == OctaveStorage::word)
    return fmt::format("bitor(bitshift(uint64({}), 32), uint64({}))", number >> 32, number & 0xFFFFFFFF);
  return is_wide(type) ? fmt::format("wide({}, {})", value, limbs_of(type)) : fmt::format("{}", value);
}

/// Stored as another type is.
std::string OctavePrinter::as(const Expr& x, const Type& type) const {
  if (x->op == Op::constant) return literal(type.kind == Kind::record ? x->type : type, x->value);
  const OctaveStorage from = octave_storage(x->type), to = octave_storage(type);
  if (to == OctaveStorage::wide && from == OctaveStorage::narrow)
    return fmt::format("wide({}, {})", text_of(x), limbs_of(type));
  if (to == OctaveStorage::wide && from == OctaveStorage::wide)
    return limbs_of(type) == limbs_of(x->type)
               ? text_of(x)
               : fmt::format("wide_resized({}, {})", text_of(x), limbs_of(type));
  if (from == OctaveStorage::wide && to == OctaveStorage::narrow)
    return fmt::format("narrow({}, {})", text_of(x), type.bits);
  if (to == OctaveStorage::word && from == OctaveStorage::narrow)
    return fmt::format("uint64({})", text_of(x));
  if (from == OctaveStorage::word && to == OctaveStorage::narrow)
    return fmt::format("double({})", text_of(x));
  return text_of(x);
}

std::string OctavePrinter::shift(bool left, const Expr& x) const {
  const Expr &value = x->operands[0], &by = x->operands[1];
  switch (octave_storage(x->type)) {
    case OctaveStorage::word:
      return fmt::format("bitshift({}, {})", as(value, x->type),
                         left ? text_of(by) : fmt::format("-({})", text_of(by)));
    case OctaveStorage::wide:
      return fmt::format("wide_shift_{}({}, {})", left ? "left" : "right", as(value, x->type), text_of(by));
    default:
      break;
  }
  const std::string power = fmt::format("2 .^ ({})", text_of(by));
  return left ? fmt::format("({} .* {})", as(value, x->type), power)
              : fmt::format("floor({} ./ {})", as(value, x->type), power);
}

std::string OctavePrinter::comparison(const char* sign, const Expr& x) const {
  const Expr &p = x->operands[0], &q = x->operands[1];
  const Type& type = p->type.bits >= q->type.bits ? p->type : q->type;
  if (is_wide(type)) {
    if (x->op != Op::equal) throw NotExported("a comparison of wide numbers in Octave is not exported yet");
    return fmt::format("wide_equal({}, {})", as(p, type), as(q, type));
  }
  return fmt::format("({} {} {})", as(p, type), sign, as(q, type));
}

std::string OctavePrinter::made(const Expr& x) const {
  const Record& r = program_.record(x->type.record);
  std::string fields;
  for (std::size_t i = 0; i < r.fields.size(); ++i)
    fields +=
        fmt::format("{}'{}', {}", i == 0 ? "" : ", ", r.fields[i].name, as(x->operands[i], r.fields[i].type));
  return fmt::format("struct({})", fields);
}

std::string OctavePrinter::called(const Expr& x) const {
  const auto& f = *std::ranges::find(program_.functions, x->name, &Function::name);
  std::string arguments;
  for (std::size_t i = 0; i < x->operands.size(); ++i) {
    const Type& type = f.parameters[i].type;
    arguments +=
        (i == 0 ? "" : ", ") + (type.is_array() ? text_of(x->operands[i]) : as(x->operands[i], type));
  }
  return fmt::format("{}({})", x->name, arguments);
}

std::string OctavePrinter::low(const Expr& x) const {
  const Expr& y = x->operands[0];
  switch (octave_storage(y->type)) {
    case OctaveStorage::wide:
      return fmt::format("narrow({}, {})", text_of(y), x->type.bits);
    case OctaveStorage::word: {
      const std::uint64_t mask =
          (std::uint64_t{1} << x->type.bits) - 1;  // at most 53 bits, which doubles hold
      return fmt::format("double(bitand({}, uint64({})))", text_of(y), mask);
    }
    default:
      return fmt::format("mod({}, 2 ^ {})", text_of(y), x->type.bits);
  }
}

std::string OctavePrinter::text_of(const Expr& x) const {
  const auto& of = x->operands;
  const bool wide = is_wide(x->type);
  switch (x->op) {
    case Op::constant:
      return literal(x->type, x->value);
    case Op::variable:
      return x->name;
    case Op::field:
      return text_of(of[0]) + "." + x->name;
    case Op::element:
      return fmt::format("{}{{{} + 1}}", text_of(of[0]), text_of(of[1]));
    case Op::slice:
      return fmt::format("{}({} + (1:{}))", text_of(of[0]), text_of(of[1]), x->type.count);
    case Op::make:
      return made(x);
    case Op::call:
      return called(x);
    case Op::add:
      return sum("+", x);
    case Op::subtract:
      return sum("-", x);
    case Op::multiply:
      if (wide)
        return fmt::format("wide_product({}, {}, {})", as(of[0], x->type), as(of[1], x->type),
                           limbs_of(x->type));
      return fmt::format("({} .* {})", text_of(of[0]), text_of(of[1]));
    case Op::quotient:
      return fmt::format("floor({} / {})", text_of(of[0]), text_of(of[1]));
    case Op::negate:
      return wide ? fmt::format("wide_carried(-{})", as(of[0], x->type))
                  : fmt::format("(-{})", text_of(of[0]));
    case Op::shift_left:
      return shift(true, x);
    case Op::shift_right:
      return shift(false, x);
    case Op::bit_and:
      return function("bitand", x);
    case Op::bit_or:
      return function(wide ? "wide_bitor" : "bitor", x);
    case Op::bit_xor:
      return function("bitxor", x);
    case Op::equal:
      return of[0]->type.kind == Kind::boolean ? fmt::format("({} == {})", text_of(of[0]), text_of(of[1]))
                                               : comparison("==", x);
    case Op::less:
      return comparison("<", x);
    case Op::both:
      return fmt::format("({} & {})", text_of(of[0]), text_of(of[1]));
    case Op::either:
      return fmt::format("({} | {})", text_of(of[0]), text_of(of[1]));
    case Op::no:
      return fmt::format("~{}", text_of(of[0]));
    case Op::choose:
      return chosen(x);
    case Op::cast:
      return as(of[0], x->type);
    case Op::low_bits:
      return low(x);
    case Op::wrapped:
      return fmt::format("{}wrapped({}, {})", wide ? "wide_" : "", as(of[0], x->type), x->value);
    case Op::bit_length:
      return fmt::format("{}bit_length({})", is_wide(of[0]->type) ? "wide_" : "", text_of(of[0]));
    case Op::is_negative:
      return is_wide(of[0]->type) ? fmt::format("wide_is_negative({})", text_of(of[0]))
                                  : fmt::format("({} < 0)", text_of(of[0]));
    case Op::magnitude:
      return fmt::format("{}({})", wide ? "wide_magnitude" : "abs", text_of(of[0]));
    case Op::maximum:
      return function("max", x);
    case Op::minimum:
      return function("min", x);
  }
  return {};
}

}  // namespace

std::string to_octave(const UnitModel& model, const Provenance& from) {
  const std::string name = identifier_of(model);
  const Program program = program_of(model, "unit");
  std::string names, cells, arguments;
  std::vector<std::string> shapes;
  for (const Parameter& p : program.unit().parameters) {
    const char* separator = names.empty() ? "" : ", ";
    const char* stored = p.type.bits > 53 ? "uint64" : "double";
    names += separator + p.name;
    if (!p.type.is_array()) {
      shapes.push_back(fmt::format("{}, a column of n", p.name));
      arguments += fmt::format("{}{}({}(:))", separator, stored, p.name);
      continue;
    }
    shapes.push_back(fmt::format("{}, n rows of {}", p.name, p.type.count));
    cells += fmt::format("  {0} = num2cell({1}({0}), 1);\n", p.name, stored);
    arguments += separator + p.name;
  }
  std::string text =
      fmt::format("function d = {}({})\n  % d of n inputs, as uint64. Patterns:\n", name, names);
  for (const std::string& shape : shapes) text += fmt::format("  %   {}\n", shape);
  for (const std::string& line : head_lines(model, from))
    text += line.empty() ? "  %\n" : "  % " + line + "\n";
  text += fmt::format("{}  d = uint64(unit({}));\nend\n", cells, arguments);
  const std::string steps = OctavePrinter(program).text();
  return text + steps + octave_prelude(steps);
}

}  // namespace mmaprint::emit
