// A unit's computation as a small program: what every export prints, each in its language.
//
// Values are truth values, naturals and integers of stated widths, bit patterns, records of such and arrays.
// Functions are pure: definitions, loops of a fixed count and early results, nothing else. No operation ever
// leaves the range of its type, so that a language may compute in any wider type; what is cut is cut by
// `low_bits` or `wrapped`. A value is shifted by less than it has bits. All that holds behind early results,
// too, so that a language without these (arrays of inputs, terms) may compute everything and choose.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mmaprint::emit {

enum class Kind : std::uint8_t {
  boolean,
  pattern,  ///< a bit pattern as it comes in or goes out
  natural,  ///< 0 .. 2^bits - 1
  integer,  ///< -2^(bits-1) .. 2^(bits-1) - 1
  record,
};
struct Type {
  Kind kind = Kind::boolean;
  int bits = 1;
  std::string record = {};  ///< its name
  int count = 0;            ///< of an array's elements; 0: no array

  [[nodiscard]] bool is_array() const { return count > 0; }
  [[nodiscard]] Type element() const { return {kind, bits, record, 0}; }
  friend bool operator==(const Type&, const Type&) = default;
};
inline Type boolean() { return {}; }
inline Type pattern(int bits) { return {Kind::pattern, bits}; }
inline Type natural(int bits) { return {Kind::natural, bits}; }
inline Type integer(int bits) { return {Kind::integer, bits}; }
inline Type record(std::string name) { return {Kind::record, 0, std::move(name)}; }
inline Type array(Type element, int count) {
  element.count = count;
  return element;
}
/// Exponents, distances and lengths of words: of every format, products' included, with room to spare.
inline Type exponent_type() { return integer(16); }

enum class Op : std::uint8_t {
  constant,
  variable,
  field,    ///< `name` of the record
  element,  ///< of an array
  slice,    ///< `type.count` neighbours of an array, from an index on
  make,     ///< the record of `type`, its fields in their order
  call,     ///< the function `name`
  add,
  subtract,
  multiply,
  quotient,  ///< of an index and a constant, rounded down
  negate,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  equal,
  less,
  both,  ///< truth values
  either,
  no,
  choose,      ///< condition, then, else
  cast,        ///< the same number in another type
  low_bits,    ///< the number's lowest bits as a natural; `type.bits` says how many
  wrapped,     ///< an integer's lowest `value` bits as a two's complement number
  bit_length,  ///< of a natural: 0 of 0
  is_negative,
  magnitude,
  maximum,
  minimum,
};

struct Expression;
/// An expression: a shared tree.
class Expr {
 public:
  Expr() = default;
  explicit Expr(Expression expression);
  [[nodiscard]] const Expression* operator->() const { return tree_.get(); }
  [[nodiscard]] const Expression& operator*() const { return *tree_; }
  [[nodiscard]] bool is_void() const { return tree_ == nullptr; }

 private:
  std::shared_ptr<const Expression> tree_;
};
struct Expression {
  Op op = Op::constant;
  Type type;
  std::vector<Expr> operands = {};
  std::int64_t value = 0;  ///< of a constant; of patterns its 64 bits
  std::string name = {};
};

struct Statement {
  enum class What : std::uint8_t {
    define,    ///< name, value
    variable,  ///< the same; `assign` changes it
    assign,
    repeat,     ///< `name` counts 0 .. count - 1
    fill,       ///< an array of `count` values, `index` counting
    gather,     ///< an array: elements `indices` of the array `value`
    result_if,  ///< value is the result if the condition holds
    result,
  } what = What::define;
  std::string name = {};
  Expr value = {};
  Expr condition = {};
  int count = 0;
  std::string index = {};
  std::vector<int> indices = {};
  std::vector<Statement> body = {};
  std::string comment = {};  ///< lines before it
};

struct Field {
  std::string name;
  Type type;  ///< no record, no array
};
struct Record {
  std::string name, comment;
  std::vector<Field> fields;
};
struct Parameter {
  std::string name;
  Type type;
};
struct Function {
  std::string name, comment;
  std::vector<Parameter> parameters;
  Type result;
  std::vector<Statement> body;
};
/// Each function after those that it calls. The last is the unit: a, b (arrays of patterns) and, where there
/// are such, c, sa and sb (arrays); its result is d.
struct Program {
  std::vector<Record> records;
  std::vector<Function> functions;

  [[nodiscard]] const Record& record(const std::string& name) const;
  [[nodiscard]] const Function& unit() const { return functions.back(); }
};

}  // namespace mmaprint::emit
