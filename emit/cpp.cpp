// C++ and CUDA: a header of plain functions. Values are in the machine's words, the narrowest of 32, 64 and
// 128 bits that holds them, or in limbs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "emit/cpp_prelude.h"
#include "emit/emit.h"
#include "emit/writer.h"

namespace mmaprint::emit {
namespace {

/// Words that values are stored in, by their bits: 32, 64, 128, or more, in steps of 64.
int storage_bits(const Type& type) {
  for (const int bits : {32, 64, 128})
    if (type.bits <= bits) return bits;
  return (type.bits + 63) / 64 * 64;
}
bool is_signed(const Type& type) { return type.kind == Kind::integer; }

std::string cpp_type(const Type& type) {
  if (type.kind == Kind::boolean) return "bool";
  if (type.kind == Kind::record) return type.record;
  const int bits = storage_bits(type);
  if (bits > 128) return fmt::format("wide<{}>", bits / 64);
  if (is_signed(type) && bits == 32) return "int";
  return fmt::format("{}{}", is_signed(type) ? 'i' : 'u', bits);
}
/// Of a pattern as users have it in arrays.
std::string pattern_type(const Type& type) {
  for (const int bits : {8, 16, 32})
    if (type.bits <= bits) return fmt::format("std::uint{}_t", bits);
  return "std::uint64_t";
}

/// A printed expression, and whether it has to stand in brackets beside an operator.
struct Printed {
  std::string text;
  bool compound = false;
  [[nodiscard]] std::string operand() const { return compound ? "(" + text + ")" : text; }
};

class CppPrinter {
 public:
  CppPrinter(const Program& program, std::string function)
      : program_(program), function_(std::move(function)) {}

  std::string text() {
    for (const Record& r : program_.records) print(r);
    for (const Function& f : program_.functions) print(f);
    return std::move(out_).text();
  }

 private:
  void comment(const std::string& text) {
    for (const std::string& line : lines_of(text, 100)) out_.line("/// " + line);
  }
  void print(const Record& r) {
    comment(r.comment + ".");
    out_.line("struct " + r.name + " {");
    out_.in();
    for (const Field& f : r.fields) out_.line(fmt::format("{} {};", cpp_type(f.type), f.name));
    out_.out();
    out_.line("};");
    out_.line();
  }
  void print(const Function& f) {
    comment(f.comment);
    std::string parameters;
    for (const Parameter& p : f.parameters) {
      if (!parameters.empty()) parameters += ", ";
      if (p.type.is_array())
        parameters += fmt::format("const {}* {}", element_type(p.type), p.name);
      else if (p.type.kind == Kind::record)
        parameters += fmt::format("const {}& {}", cpp_type(p.type), p.name);
      else
        parameters += fmt::format("{} {}", cpp_type(p.type), p.name);
    }
    out_.line(fmt::format("{} {} {}({}) {{", function_, cpp_type(f.result), f.name, parameters));
    result_ = f.result;
    print(f.body);
    out_.line("}");
    out_.line();
  }
  static std::string element_type(const Type& array) {
    return array.kind == Kind::pattern ? pattern_type(array) : cpp_type(array.element());
  }

  void print(const std::vector<Statement>& body) {
    out_.in();
    for (const Statement& s : body) print(s);
    out_.out();
  }
  void print(const Statement& s) {
    using What = Statement::What;
    for (const std::string& line : lines_of(s.comment, 100))
      if (!line.empty()) out_.line("// " + line);
    switch (s.what) {
      case What::define:
        out_.line(fmt::format("const {} {} = {};", cpp_type(s.value->type), s.name, text_of(s.value)));
        break;
      case What::variable:
        variables_[s.name] = s.value->type;
        out_.line(fmt::format("{} {} = {};", cpp_type(s.value->type), s.name, text_of(s.value)));
        break;
      case What::assign:
        out_.line(fmt::format("{} = {};", s.name, in_words_of(s.value, variables_.at(s.name)).text));
        break;
      case What::repeat:
        out_.line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {{", s.name, s.count));
        print(s.body);
        out_.line("}");
        break;
      case What::fill:
        out_.line(fmt::format("{} {}[{}];", cpp_type(s.value->type), s.name, s.count));
        out_.line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = {3};", s.index, s.count, s.name,
                              text_of(s.value)));
        break;
      case What::gather: {
        std::string all;
        for (const int i : s.indices)
          all += fmt::format("{}{}[{}]", all.empty() ? "" : ", ", text_of(s.value), i);
        out_.line(fmt::format("const {} {}[] = {{{}}};", element_type(s.value->type), s.name, all));
        break;
      }
      case What::result_if:
        out_.line(
            fmt::format("if ({}) return {};", text_of(s.condition), in_words_of(s.value, result_).text));
        break;
      case What::result:
        out_.line(fmt::format("return {};", in_words_of(s.value, result_).text));
        break;
    }
  }

  [[nodiscard]] std::string text_of(const Expr& x) const { return printed(x).text; }

  /// In the words of another type.
  [[nodiscard]] Printed in_words_of(const Expr& x, const Type& type) const {
    if (x->op == Op::constant && type.kind != Kind::boolean) return literal(type, x->value);
    const bool alike = type.kind == Kind::record || cpp_type(x->type) == cpp_type(type);
    return alike ? printed(x) : Printed{fmt::format("{}({})", cpp_type(type), text_of(x)), false};
  }
  static Printed literal(const Type& type, std::int64_t value) {
    if (type.kind == Kind::boolean) return {value != 0 ? "true" : "false", false};
    const int bits = storage_bits(type);
    if (is_signed(type) && bits == 32) return {fmt::format("{}", value), value < 0};
    if (is_signed(type) && bits == 64) return {fmt::format("i64({})", value), false};
    const auto number = static_cast<std::uint64_t>(value);
    if (bits == 32) return {number < 10 ? fmt::format("{}u", number) : fmt::format("{:#x}u", number), false};
    const std::string digits = number < 10 ? fmt::format("{}", number)
                                           : fmt::format("{:#x}{}", number, number >> 32 != 0 ? "u" : "");
    if (bits > 128) return {fmt::format("{}(u64({}))", cpp_type(type), digits), false};
    return {fmt::format("{}({})", cpp_type(type), digits), false};
  }

  [[nodiscard]] Printed operation(const char* sign, const Expr& x, const Expr& y, const Type& type) const {
    return {fmt::format("{} {} {}", in_words_of(x, type).operand(), sign, in_words_of(y, type).operand()),
            true};
  }
  [[nodiscard]] Printed comparison(const char* sign, const Expr& x, const Expr& y) const {
    return operation(sign, x, y, storage_bits(x->type) >= storage_bits(y->type) ? x->type : y->type);
  }
  [[nodiscard]] Printed two(const char* sign, const Expr& x) const {
    return operation(sign, x->operands[0], x->operands[1], x->type);
  }
  [[nodiscard]] Printed shift(const char* sign, const Expr& x) const {
    return {fmt::format("{} {} {}", in_words_of(x->operands[0], x->type).operand(), sign,
                        printed(x->operands[1]).operand()),
            true};
  }
  [[nodiscard]] Printed of_two(const char* name, const Expr& x) const {
    return {fmt::format("{}({}, {})", name, in_words_of(x->operands[0], x->type).text,
                        in_words_of(x->operands[1], x->type).text),
            false};
  }
  [[nodiscard]] Printed made(const Expr& x) const {
    const Record& r = program_.record(x->type.record);
    std::string fields;
    for (std::size_t i = 0; i < r.fields.size(); ++i)
      fields += (i == 0 ? "" : ", ") + in_words_of(x->operands[i], r.fields[i].type).text;
    return {fmt::format("{}{{{}}}", r.name, fields), false};
  }
  [[nodiscard]] Printed called(const Expr& x) const {
    const auto& f = *std::ranges::find(program_.functions, x->name, &Function::name);
    std::string arguments;
    for (std::size_t i = 0; i < x->operands.size(); ++i) {
      const Type& type = f.parameters[i].type;
      arguments += (i == 0 ? "" : ", ") +
                   (type.is_array() ? text_of(x->operands[i]) : in_words_of(x->operands[i], type).text);
    }
    return {fmt::format("{}({})", x->name, arguments), false};
  }
  [[nodiscard]] Printed negated(const Expr& x) const {
    const Expr& y = x->operands[0];
    if (y->op == Op::equal) return comparison("!=", y->operands[0], y->operands[1]);
    if (y->op == Op::less) return comparison(">=", y->operands[0], y->operands[1]);
    return {"!" + printed(y).operand(), false};
  }
  [[nodiscard]] Printed low(const Expr& x) const {
    const Expr& y = x->operands[0];
    const bool narrows = storage_bits(y->type) > storage_bits(x->type) || is_signed(y->type);
    const Printed value =
        narrows ? Printed{fmt::format("{}({})", cpp_type(x->type), text_of(y)), false} : printed(y);
    if (x->type.bits == storage_bits(x->type)) return value;
    const auto mask = static_cast<std::int64_t>((std::uint64_t{1} << x->type.bits) - 1);
    const Type type = narrows ? x->type : y->type;
    const Printed masked{fmt::format("{} & {}", value.operand(), literal(type, mask).text), true};
    if (cpp_type(type) == cpp_type(x->type)) return masked;
    return {fmt::format("{}({})", cpp_type(x->type), masked.text), false};
  }
  [[nodiscard]] Printed printed(const Expr& x) const;

  const Program& program_;
  std::string function_;
  Writer out_;
  Type result_;
  std::map<std::string, Type> variables_;
};

Printed CppPrinter::printed(const Expr& x) const {
  const auto& of = x->operands;
  switch (x->op) {
    case Op::constant:
      return literal(x->type, x->value);
    case Op::variable:
      return {x->name, false};
    case Op::field:
      return {fmt::format("{}.{}", printed(of[0]).operand(), x->name), false};
    case Op::element:
      return {fmt::format("{}[{}]", text_of(of[0]), text_of(of[1])), false};
    case Op::slice:
      return of[1]->op == Op::constant && of[1]->value == 0
                 ? printed(of[0])
                 : Printed{fmt::format("{} + {}", text_of(of[0]), text_of(of[1])), true};
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
      return two("/", x);
    case Op::negate:
      return {"-" + in_words_of(of[0], x->type).operand(), false};
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
      return x->operands[0]->type.kind == Kind::boolean
                 ? Printed{fmt::format("{} == {}", printed(of[0]).operand(), printed(of[1]).operand()), true}
                 : comparison("==", of[0], of[1]);
    case Op::less:
      return comparison("<", of[0], of[1]);
    case Op::both:
      return {fmt::format("{} && {}", printed(of[0]).operand(), printed(of[1]).operand()), true};
    case Op::either:
      return {fmt::format("{} || {}", printed(of[0]).operand(), printed(of[1]).operand()), true};
    case Op::no:
      return negated(x);
    case Op::choose:
      if (x->type.kind == Kind::record)
        return {fmt::format("{} ? {} : {}", printed(of[0]).operand(), text_of(of[1]), text_of(of[2])), true};
      return {fmt::format("{} ? {} : {}", printed(of[0]).operand(), in_words_of(of[1], x->type).operand(),
                          in_words_of(of[2], x->type).operand()),
              true};
    case Op::cast:
      return in_words_of(of[0], x->type);
    case Op::low_bits:
      return low(x);
    case Op::wrapped:
      return {fmt::format("wrapped({}, {})", in_words_of(of[0], x->type).text, x->value), false};
    case Op::bit_length:
      // Of one width for all short words.
      return {fmt::format("bit_length({})", storage_bits(of[0]->type) == 32
                                                ? fmt::format("u64({})", text_of(of[0]))
                                                : text_of(of[0])),
              false};
    case Op::is_negative:
      return storage_bits(of[0]->type) > 128 ? Printed{fmt::format("is_negative({})", text_of(of[0])), false}
                                             : Printed{fmt::format("{} < 0", printed(of[0]).operand()), true};
    case Op::magnitude:
      return {fmt::format("magnitude({})", text_of(of[0])), false};
    case Op::maximum:
      return of_two("maximum", x);
    case Op::minimum:
      return of_two("minimum", x);
  }
  return {};
}

/// The function for users: of patterns in their own types.
std::string cpp_interface(const Function& unit, const std::string& name, const std::string& function) {
  std::vector<std::string> inputs;
  std::string parameters, arguments;
  for (const Parameter& p : unit.parameters) {
    const bool is_array = p.type.is_array();
    inputs.push_back(!is_array           ? p.name
                     : p.type.count == 1 ? p.name + "[0]"
                                         : fmt::format("{}[0 .. {}]", p.name, p.type.count - 1));
    const char* separator = parameters.empty() ? "" : ", ";
    parameters += separator +
                  (is_array ? fmt::format("const {}* ", pattern_type(p.type)) : pattern_type(p.type) + " ") +
                  p.name;
    arguments += separator + p.name;
  }
  const std::string result = pattern_type(unit.result);
  return fmt::format(
      "/// d for {}, as bit patterns.\n{} {} {}({}) {{\n  return static_cast<{}>({}_steps::unit({}));\n}}\n",
      list_of(inputs), function, result, name, parameters, result, name, arguments);
}

std::string cpp_text(const UnitModel& model, const Provenance& from, const std::string& function) {
  const std::string name = identifier_of(model);
  const Program program = program_of(model, "unit");
  std::string text;
  for (const std::string& line : head_lines(model, from)) text += line.empty() ? "//\n" : "// " + line + "\n";
  text += "#pragma once\n\n#include <cstdint>\n\n";
  text += fmt::format("namespace {}_steps {{\n\n", name);
  text += cpp_prelude(program, function) + "\n";
  text += CppPrinter(program, function).text();
  text += fmt::format("}}  // namespace {}_steps\n\n", name);
  return text + cpp_interface(program.unit(), name, function);
}

}  // namespace

std::string to_cpp(const UnitModel& model, const Provenance& from) { return cpp_text(model, from, "inline"); }
std::string to_cuda(const UnitModel& model, const Provenance& from) {
  return cpp_text(model, from, "__host__ __device__ inline");
}

}  // namespace mmaprint::emit
