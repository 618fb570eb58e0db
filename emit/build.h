// Expressions and statements, written as one would write them by hand.
#pragma once

#include <initializer_list>
#include <string_view>

#include "emit/program.h"

namespace mmaprint::emit {

[[nodiscard]] Expr constant(const Type& type, std::int64_t value);
[[nodiscard]] Expr truth(bool value);
/// An exponent or a distance.
[[nodiscard]] Expr number(int value);
[[nodiscard]] Expr variable(std::string name, const Type& type);
[[nodiscard]] Expr field(const Expr& of, std::string name, const Type& type);
[[nodiscard]] Expr element(const Expr& of, const Expr& index);
[[nodiscard]] Expr slice(const Expr& of, const Expr& from, int count);
[[nodiscard]] Expr make(const Type& record, std::vector<Expr> fields);
/// A function by which a call is typed.
struct Callee {
  std::string name;
  Type result;
};
[[nodiscard]] Expr call(const Callee& function, std::vector<Expr> arguments);

/// Both have one type; naturals, that of the wider one.
[[nodiscard]] Expr operator+(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator-(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator&(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator|(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator^(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator-(const Expr& x);
/// As wide as both together.
[[nodiscard]] Expr operator*(const Expr& x, const Expr& y);
/// Of an index, rounded down.
[[nodiscard]] Expr quotient(const Expr& index, int by);
/// The bits that come out are kept within the value's own width: cast before.
[[nodiscard]] Expr operator<<(const Expr& x, const Expr& by);
[[nodiscard]] Expr operator>>(const Expr& x, const Expr& by);
[[nodiscard]] Expr operator<<(const Expr& x, int by);
[[nodiscard]] Expr operator>>(const Expr& x, int by);

[[nodiscard]] Expr equal(const Expr& x, const Expr& y);
[[nodiscard]] Expr equal(const Expr& x, std::int64_t y);
[[nodiscard]] Expr less(const Expr& x, const Expr& y);
[[nodiscard]] Expr at_least(const Expr& x, std::int64_t y);
[[nodiscard]] Expr is_zero(const Expr& x);
[[nodiscard]] Expr not_zero(const Expr& x);
/// Constants are folded in these.
[[nodiscard]] Expr operator&&(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator||(const Expr& x, const Expr& y);
[[nodiscard]] Expr operator!(const Expr& x);
[[nodiscard]] Expr choose(const Expr& condition, const Expr& yes, const Expr& no);

[[nodiscard]] Expr cast(const Expr& x, const Type& to);
/// At least that wide, of the same kind.
[[nodiscard]] Expr widened(const Expr& x, int bits);
[[nodiscard]] Expr low_bits(const Expr& x, int bits);
/// Bits first .. first + count - 1 of a pattern, as a natural; their order is the pattern's.
[[nodiscard]] Expr bits(const Expr& x, int first, int count);
[[nodiscard]] Expr bit(const Expr& x, int place);
/// 0 or 1.
[[nodiscard]] Expr as_natural(const Expr& truth_value);
[[nodiscard]] Expr wrapped(const Expr& x, int bits);
[[nodiscard]] Expr bit_length(const Expr& x);
[[nodiscard]] Expr is_negative(const Expr& x);
[[nodiscard]] Expr magnitude(const Expr& x);
/// ± a natural, as an integer of that width.
[[nodiscard]] Expr with_sign(const Expr& negative, const Expr& x, int bits);
[[nodiscard]] Expr maximum(const Expr& x, const Expr& y);
[[nodiscard]] Expr minimum(const Expr& x, const Expr& y);

/// Is it that truth value, whatever the input?
[[nodiscard]] bool is_constant(const Expr& x, bool value);

/// Statements as they come. Conditions and values that are known are left out.
class Body {
 public:
  /// What follows begins with a comment.
  void note(std::string comment) { comment_ = std::move(comment); }
  /// A name for a value; constants and names need none.
  Expr define(std::string name, const Expr& value);
  /// A name for what changes.
  Expr start(std::string name, const Expr& value);
  void assign(const Expr& variable, const Expr& value);
  void result_if(const Expr& condition, const Expr& value);
  void result(const Expr& value);
  Expr gather(std::string name, const Expr& from, std::vector<int> indices);
  /// body(index, statements) `count` times.
  template <class Fn>
  void repeat(std::string index, int count, Fn&& fn) {
    Body inside;
    fn(variable(index, exponent_type()), inside);
    append(
        {Statement::What::repeat, std::move(index), {}, {}, count, {}, {}, std::move(inside).statements()});
  }
  template <class Fn>
  Expr fill(std::string name, int count, Fn&& fn) {
    const Expr value = fn(variable("i", exponent_type()));
    append({Statement::What::fill, name, value, {}, count, "i"});
    return variable(std::move(name), array(value->type, count));
  }
  [[nodiscard]] std::vector<Statement> statements() && { return std::move(statements_); }

 private:
  void append(Statement statement);
  std::vector<Statement> statements_;
  std::string comment_;
};

}  // namespace mmaprint::emit
