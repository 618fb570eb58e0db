#include "solver/z3_gates.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint {
namespace {

using Bool = Z3Gates::Bool;
using Bits = Z3Gates::Bits;

unsigned natural(int x) { return static_cast<unsigned>(x); }
bool is_constant(const z3::expr& x) { return x.is_numeral() || x.is_true() || x.is_false(); }
bool identical(const z3::expr& x, const z3::expr& y) { return z3::eq(x, y); }

/// The term, or its value where it has constant arguments alone.
z3::expr folded(const z3::expr& term) {
  for (unsigned i = 0; i < term.num_args(); ++i)
    if (!is_constant(term.arg(i))) return term;
  return term.simplify();
}

Bits bits_of(const z3::expr& term) { return {static_cast<int>(term.get_sort().bv_size()), term}; }

bool is_zero_numeral(const z3::expr& x) {
  return x.is_numeral() && identical(x, x.ctx().bv_val(0, x.get_sort().bv_size()));
}

z3::expr extracted(const z3::expr& x, unsigned low, unsigned count) {
  const unsigned width = x.get_sort().bv_size();
  if (count == width) return x;
  if (!x.is_app()) return x.extract(low + count - 1, low);
  switch (x.decl().decl_kind()) {
    case Z3_OP_CONCAT: {  // of the parts that the slice meets; the first is the highest
      std::optional<z3::expr> result;
      unsigned top = width;
      for (unsigned i = 0; i < x.num_args() && top > low; ++i) {
        const z3::expr part = x.arg(i);
        const unsigned bottom = top - part.get_sort().bv_size();
        if (bottom < low + count) {
          const unsigned from = std::max(bottom, low);
          const z3::expr met = extracted(part, from - bottom, std::min(top, low + count) - from);
          result = result ? folded(z3::concat(*result, met)) : met;
        }
        top = bottom;
      }
      return *result;
    }
    case Z3_OP_EXTRACT:
      return extracted(x.arg(0), low + x.lo(), count);
    case Z3_OP_SIGN_EXT: {
      const z3::expr inner = x.arg(0);
      if (low + count <= inner.get_sort().bv_size()) return extracted(inner, low, count);
      break;
    }
    default:
      break;
  }
  return folded(x.extract(low + count - 1, low));
}

/// Does the term have a bit that is known to be one?
bool has_known_one(const z3::expr& x) {
  if (x.is_numeral()) return !is_zero_numeral(x);
  if (!x.is_app() || x.decl().decl_kind() != Z3_OP_CONCAT) return false;
  for (unsigned i = 0; i < x.num_args(); ++i)
    if (has_known_one(x.arg(i))) return true;
  return false;
}

}  // namespace

std::optional<bool> Z3Gates::known(const Bool& x) const {
  if (x.term.is_true()) return true;
  if (x.term.is_false()) return false;
  return std::nullopt;
}

Bool Z3Gates::no(const Bool& x) const {
  if (const auto k = known(x)) return truth(!*k);
  if (x.term.is_not()) return {x.term.arg(0)};
  return {!x.term};
}

Bool Z3Gates::both(const Bool& x, const Bool& y) const {
  require_time();
  if (x.term.is_false() || y.term.is_true() || identical(x.term, y.term)) return x;
  if (y.term.is_false() || x.term.is_true()) return y;
  if (identical(no(x).term, y.term)) return truth(false);
  return {x.term && y.term};
}

Bool Z3Gates::differ(const Bool& x, const Bool& y) const {
  if (const auto k = known(x)) return *k ? no(y) : y;
  if (const auto k = known(y)) return *k ? no(x) : x;
  if (identical(x.term, y.term)) return truth(false);
  if (identical(no(x).term, y.term)) return truth(true);
  return {x.term != y.term};
}

Bool Z3Gates::mux(const Bool& c, const Bool& yes, const Bool& otherwise) const {
  if (const auto k = known(c)) return *k ? yes : otherwise;
  if (identical(yes.term, otherwise.term)) return yes;
  if (const auto k = known(yes)) return *k ? no(both(no(c), no(otherwise))) : both(no(c), otherwise);
  if (const auto k = known(otherwise)) return *k ? no(both(c, no(yes))) : both(c, yes);
  return {z3::ite(c.term, yes.term, otherwise.term)};
}

Bits Z3Gates::inputs(int width, std::string_view name) {
  if (width == 0) return {};
  std::string unique(name.empty() ? "x" : name);
  const int earlier = names_[unique]++;
  if (earlier > 0) unique += fmt::format("_{}", earlier);
  return bits_of(z3_->bv_const(unique.c_str(), natural(width)));
}

bool Z3Gates::same(const Bits& x, const Bits& y) {
  return x.width == y.width && (x.width == 0 || identical(*x.term, *y.term));
}

Bits Z3Gates::word(int width, std::uint64_t value) const {
  if (width == 0) return {};
  return bits_of(z3_->bv_val(value, natural(width)));
}

std::optional<std::uint64_t> Z3Gates::constant(const Bits& x) const {
  if (x.width == 0) return 0;
  std::uint64_t value = 0;
  if (x.width > 64 || !x.term->is_numeral() || !x.term->is_numeral_u64(value)) return std::nullopt;
  return value;
}

Bits Z3Gates::from_bool(const Bool& b) const {
  if (const auto k = known(b)) return word(1, *k ? 1 : 0);
  return bits_of(z3::ite(b.term, z3_->bv_val(1, 1), z3_->bv_val(0, 1)));
}

Bool Z3Gates::bit(const Bits& x, int i) const { return no(is_zero(slice(x, i, 1))); }

Bits Z3Gates::slice(const Bits& x, int low, int count) const {
  if (count == 0) return {};
  return bits_of(extracted(*x.term, natural(low), natural(count)));
}

Bits Z3Gates::concat(const Bits& high, const Bits& low) const {
  if (high.width == 0) return low;
  if (low.width == 0) return high;
  return bits_of(folded(z3::concat(*high.term, *low.term)));
}

Bits Z3Gates::sign_extend(const Bits& x, int width) const {
  if (width <= x.width) return slice(x, 0, width);
  const Bool sign = bit(x, x.width - 1);
  if (known(sign) == std::optional(false)) return concat(word(width - x.width, 0), x);
  return bits_of(folded(z3::sext(*x.term, natural(width - x.width))));
}

Bool Z3Gates::is_zero(const Bits& x) const {
  require_time();
  if (x.width == 0) return truth(true);
  const z3::expr& term = *x.term;
  if (has_known_one(term)) return truth(false);
  if (term.is_app()) {
    const auto kind = term.decl().decl_kind();
    if (kind == Z3_OP_BXOR && term.num_args() == 2) return {term.arg(0) == term.arg(1)};
    // One bit made of a truth value, as from_bool makes it.
    if (kind == Z3_OP_ITE && x.width == 1 && is_constant(term.arg(1)) && is_constant(term.arg(2)))
      return mux({term.arg(0)}, truth(is_zero_numeral(term.arg(1))), truth(is_zero_numeral(term.arg(2))));
  }
  return {folded(term == z3_->bv_val(0, natural(x.width)))};
}

Bool Z3Gates::less(const Bits& x, const Bits& y) const {
  require_time();
  if (same(x, y) || is_zero_numeral(*y.term)) return truth(false);
  return {folded(z3::ult(*x.term, *y.term))};
}

Bits Z3Gates::mux(const Bool& c, const Bits& yes, const Bits& otherwise) const {
  require_time();
  if (const auto k = known(c)) return *k ? yes : otherwise;
  if (same(yes, otherwise)) return yes;
  return bits_of(z3::ite(c.term, *yes.term, *otherwise.term));
}

Bits Z3Gates::exclusive(const Bits& x, const Bits& y) const {
  require_time();
  if (same(x, y)) return word(x.width, 0);
  if (is_zero_numeral(*x.term)) return y;
  if (is_zero_numeral(*y.term)) return x;
  return bits_of(folded(*x.term ^ *y.term));
}

Bits Z3Gates::flip(const Bits& x, const Bool& b) const {
  if (x.width == 0 || known(b) == std::optional(false)) return x;
  return mux(b, bits_of(folded(~*x.term)), x);
}

Bits Z3Gates::add(const Bits& x, const Bits& y, const Bool& carry) const {
  require_time();
  if (x.width == 0) return {};
  const auto sum = [](const z3::expr& p, const z3::expr& q) {
    if (is_zero_numeral(p)) return q;
    if (is_zero_numeral(q)) return p;
    return folded(p + q);
  };
  const Bits one_bit = from_bool(carry);
  const Bits in = concat(word(x.width - 1, 0), one_bit);
  return bits_of(sum(sum(*x.term, *y.term), *in.term));
}

Bits Z3Gates::multiply(const Bits& x, const Bits& y) const {
  require_time();
  const int width = x.width + y.width;
  if (x.width == 0 || y.width == 0) return word(width, 0);
  const Bits p = concat(word(y.width, 0), x);
  const Bits q = concat(word(x.width, 0), y);
  return bits_of(folded(*p.term * *q.term));
}

}  // namespace mmaprint
