#include "emit/build.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace mmaprint::emit {
namespace {

Expr expression(Op op, const Type& type, std::vector<Expr> operands, std::int64_t value = 0) {
  return Expr(Expression{op, type, std::move(operands), value, {}});
}
/// One type for both: of naturals the wider one.
Type common(const Expr& x, const Expr& y) {
  if (x->type.kind != y->type.kind) throw std::logic_error("emit: operands of two kinds");
  return x->type.bits >= y->type.bits ? x->type : y->type;
}
bool is_number(const Expr& x, std::int64_t value) {
  return x->op == Op::constant && x->type.kind != Kind::boolean && x->value == value;
}

}  // namespace

Expr::Expr(Expression expression) : tree_(std::make_shared<const Expression>(std::move(expression))) {}

const Record& Program::record(const std::string& name) const {
  for (const Record& r : records)
    if (r.name == name) return r;
  throw std::logic_error("emit: no record " + name);
}

Expr constant(const Type& type, std::int64_t value) { return expression(Op::constant, type, {}, value); }
Expr truth(bool value) { return constant(boolean(), value ? 1 : 0); }
Expr number(int value) { return constant(exponent_type(), value); }
Expr variable(std::string name, const Type& type) {
  return Expr(Expression{Op::variable, type, {}, 0, std::move(name)});
}
Expr field(const Expr& of, std::string name, const Type& type) {
  return Expr(Expression{Op::field, type, {of}, 0, std::move(name)});
}
Expr element(const Expr& of, const Expr& index) {
  return expression(Op::element, of->type.element(), {of, index});
}
Expr slice(const Expr& of, const Expr& from, int count) {
  if (is_number(from, 0) && count == of->type.count) return of;
  return expression(Op::slice, array(of->type, count), {of, from});
}
Expr make(const Type& record, std::vector<Expr> fields) {
  return expression(Op::make, record, std::move(fields));
}
Expr call(const Callee& function, std::vector<Expr> arguments) {
  return Expr(Expression{Op::call, function.result, std::move(arguments), 0, function.name});
}

Expr operator+(const Expr& x, const Expr& y) {
  if (is_number(y, 0)) return x;
  if (is_number(x, 0)) return y;
  if (x->op == Op::constant && y->op == Op::constant) return constant(common(x, y), x->value + y->value);
  if (y->op == Op::constant && y->value < 0 && y->type.kind == Kind::integer)
    return x - constant(y->type, -y->value);
  return expression(Op::add, common(x, y), {x, y});
}
Expr operator-(const Expr& x, const Expr& y) {
  if (is_number(y, 0)) return x;
  if (x->op == Op::constant && y->op == Op::constant) return constant(common(x, y), x->value - y->value);
  if (y->op == Op::constant && y->value < 0 && y->type.kind == Kind::integer)
    return x + constant(y->type, -y->value);
  return expression(Op::subtract, common(x, y), {x, y});
}
Expr operator&(const Expr& x, const Expr& y) { return expression(Op::bit_and, common(x, y), {x, y}); }
Expr operator|(const Expr& x, const Expr& y) { return expression(Op::bit_or, common(x, y), {x, y}); }
Expr operator^(const Expr& x, const Expr& y) { return expression(Op::bit_xor, common(x, y), {x, y}); }
Expr operator-(const Expr& x) { return expression(Op::negate, x->type, {x}); }
Expr operator*(const Expr& x, const Expr& y) {
  Type type = common(x, y);
  type.bits = x->type.bits + y->type.bits;
  return expression(Op::multiply, type, {x, y});
}
Expr quotient(const Expr& index, int by) {
  if (by == 1) return index;
  if (index->op == Op::constant) return number(static_cast<int>(index->value) / by);
  return expression(Op::quotient, index->type, {index, number(by)});
}
Expr operator<<(const Expr& x, const Expr& by) {
  return is_number(by, 0) ? x : expression(Op::shift_left, x->type, {x, by});
}
Expr operator>>(const Expr& x, const Expr& by) {
  return is_number(by, 0) ? x : expression(Op::shift_right, x->type, {x, by});
}
Expr operator<<(const Expr& x, int by) { return x << number(by); }
Expr operator>>(const Expr& x, int by) { return x >> number(by); }

Expr equal(const Expr& x, const Expr& y) { return expression(Op::equal, boolean(), {x, y}); }
Expr equal(const Expr& x, std::int64_t y) { return equal(x, constant(x->type, y)); }
Expr less(const Expr& x, const Expr& y) { return expression(Op::less, boolean(), {x, y}); }
Expr at_least(const Expr& x, std::int64_t y) { return !less(x, constant(x->type, y)); }
Expr is_zero(const Expr& x) { return equal(x, 0); }
Expr not_zero(const Expr& x) { return !equal(x, 0); }

bool is_constant(const Expr& x, bool value) {
  return x->op == Op::constant && x->type.kind == Kind::boolean && (x->value != 0) == value;
}
Expr operator&&(const Expr& x, const Expr& y) {
  if (is_constant(x, false) || is_constant(y, true)) return x;
  if (is_constant(y, false) || is_constant(x, true)) return y;
  return expression(Op::both, boolean(), {x, y});
}
Expr operator||(const Expr& x, const Expr& y) {
  if (is_constant(x, true) || is_constant(y, false)) return x;
  if (is_constant(y, true) || is_constant(x, false)) return y;
  return expression(Op::either, boolean(), {x, y});
}
Expr operator!(const Expr& x) {
  if (x->op == Op::constant) return truth(x->value == 0);
  if (x->op == Op::no) return x->operands.front();
  return expression(Op::no, boolean(), {x});
}
Expr choose(const Expr& condition, const Expr& yes, const Expr& no) {
  if (is_constant(condition, true)) return yes;
  if (is_constant(condition, false)) return no;
  if (yes->type.kind == Kind::boolean && no->type.kind == Kind::boolean) {
    if (is_constant(yes, true)) return condition || no;
    if (is_constant(yes, false)) return !condition && no;
    if (is_constant(no, true)) return !condition || yes;
    if (is_constant(no, false)) return condition && yes;
  }
  return expression(Op::choose, yes->type.kind == Kind::record ? yes->type : common(yes, no),
                    {condition, yes, no});
}

Expr cast(const Expr& x, const Type& to) {
  if (x->type == to) return x;
  if (x->op == Op::constant) return constant(to, x->value);
  return expression(Op::cast, to, {x});
}
Expr widened(const Expr& x, int bits) {
  Type type = x->type;
  type.bits = std::max(type.bits, bits);
  return cast(x, type);
}
Expr low_bits(const Expr& x, int bits) {
  return x->type.kind != Kind::integer && x->type.bits <= bits ? cast(x, natural(bits))
                                                               : expression(Op::low_bits, natural(bits), {x});
}
Expr bits(const Expr& x, int first, int count) {
  const bool all_above = x->type.kind != Kind::integer && first + count >= x->type.bits;
  return all_above ? cast(x >> first, natural(count)) : low_bits(x >> first, count);
}
Expr bit(const Expr& x, int place) { return not_zero(bits(x, place, 1)); }
Expr as_natural(const Expr& truth_value) {
  return choose(truth_value, constant(natural(1), 1), constant(natural(1), 0));
}
Expr wrapped(const Expr& x, int bits) { return expression(Op::wrapped, x->type, {x}, bits); }
Expr bit_length(const Expr& x) { return expression(Op::bit_length, exponent_type(), {x}); }
Expr is_negative(const Expr& x) { return expression(Op::is_negative, boolean(), {x}); }
Expr magnitude(const Expr& x) { return expression(Op::magnitude, natural(x->type.bits), {x}); }
Expr with_sign(const Expr& negative, const Expr& x, int bits) {
  const Expr value = cast(x, integer(bits));
  return choose(negative, -value, value);
}
Expr maximum(const Expr& x, const Expr& y) { return expression(Op::maximum, common(x, y), {x, y}); }
Expr minimum(const Expr& x, const Expr& y) { return expression(Op::minimum, common(x, y), {x, y}); }

void Body::append(Statement statement) {
  statement.comment = std::exchange(comment_, {});
  statements_.push_back(std::move(statement));
}
Expr Body::define(std::string name, const Expr& value) {
  if (value->op == Op::constant || value->op == Op::variable) return value;
  append({Statement::What::define, name, value});
  return variable(std::move(name), value->type);
}
Expr Body::start(std::string name, const Expr& value) {
  append({Statement::What::variable, name, value});
  return variable(std::move(name), value->type);
}
void Body::assign(const Expr& variable, const Expr& value) {
  if (value->op == Op::variable && value->name == variable->name) return;
  append({Statement::What::assign, variable->name, cast(value, variable->type)});
}
void Body::result_if(const Expr& condition, const Expr& value) {
  if (is_constant(condition, false)) return;
  append({Statement::What::result_if, {}, value, condition});
}
void Body::result(const Expr& value) { append({Statement::What::result, {}, value}); }
Expr Body::gather(std::string name, const Expr& from, std::vector<int> indices) {
  const Type type = array(from->type, static_cast<int>(indices.size()));
  append({Statement::What::gather, name, from, {}, type.count, {}, std::move(indices)});
  return variable(std::move(name), type);
}

}  // namespace mmaprint::emit
