// Every expression and type of a program.
#pragma once

#include "emit/program.h"

namespace mmaprint::emit {

template <class Fn>
void for_each_expression(const Expr& x, Fn&& fn) {
  if (x.is_void()) return;
  fn(*x);
  for (const Expr& y : x->operands) for_each_expression(y, fn);
}
template <class Fn>
void for_each_expression(const std::vector<Statement>& body, Fn&& fn) {
  for (const Statement& s : body) {
    for_each_expression(s.condition, fn);
    for_each_expression(s.value, fn);
    for_each_expression(s.body, fn);
  }
}
template <class Fn>
void for_each_expression(const Program& program, Fn&& fn) {
  for (const Function& f : program.functions) for_each_expression(f.body, fn);
}

}  // namespace mmaprint::emit
