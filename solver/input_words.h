// A dot product's operands in formulas, over any backend: unknowns within a restriction, or constants.
#pragma once

#include <string>
#include <string_view>

#include "model/operand.h"
#include "model/pattern.h"
#include "solver/distinguish.h"
#include "solver/symbolic_core.h"

namespace mmaprint {

template <class G>
using WordOf = typename SymbolicCore<G>::Word;

/// A dot product's operands as words of a formula.
template <class G>
struct InputWords {
  std::vector<WordOf<G>> a, b;
  WordOf<G> c;  ///< detail::no_c() where there is none
  std::vector<WordOf<G>> sa, sb;
  /// For the question about a single node: what the nodes before it gave, as patterns of their formats.
  std::optional<std::vector<WordOf<G>>> earlier;
  /// Which exponents each of them has where it is finite and not zero; empty where nothing is said.
  std::vector<std::pair<int, int>> earlier_exponents{};
};

namespace detail {

/// An operand's pattern: free, but for what the restriction makes constant.
template <class G>
WordOf<G> free_operand(G& g, const FormatInfo& f, std::optional<int> fraction_bits, std::string_view name) {
  const int kept = std::min(f.fraction_bits, fraction_bits.value_or(f.fraction_bits));
  const int constant = f.ignored_low_bits + f.fraction_bits - kept;
  return {g.concat(g.inputs(f.container_bits - constant, name), g.word(constant, 0))};
}

/// A zero of either sign, where the format has two.
template <class G>
WordOf<G> free_zero(G& g, const FormatInfo& f, std::string_view name) {
  if (zero_pattern(f, true) == 0) return {g.word(f.container_bits, 0)};
  const auto sign = g.concat(g.inputs(1, name), g.word(f.sign_bit(), 0));
  return {g.concat(g.word(f.container_bits - 1 - f.sign_bit(), 0), sign)};
}

/// What stands for a c that is not there, which nothing reads: no unknown, and 0 in a witness.
template <class G>
WordOf<G> no_c(G& g, const Signature& formats) {
  return {g.word(info(room_for_c(formats)).container_bits, 0)};
}

template <class G>
WordOf<G> number_of_ones(const SymbolicCore<G>& core, const std::vector<typename G::Bool>& bits) {
  int width = 1;
  while ((std::size_t{1} << width) <= bits.size()) ++width;
  auto count = core.word(width, 0);
  for (const auto& b : bits) count = core.increment(count, b, width);
  return count;
}

}  // namespace detail

namespace detail {

/// The scales of one role, all free.
template <class G>
std::vector<WordOf<G>> free_scales(G& g, const Signature& formats, int k, Role of) {
  std::vector<WordOf<G>> words;
  for (const auto& [role, format, count] : input_roles(formats, k))
    for (std::size_t i = 0; role == of && i < count; ++i)
      words.push_back({g.inputs(info(format).container_bits, std::string(name(role)) + std::to_string(i))});
  return words;
}

}  // namespace detail

template <class G>
InputWords<G> free_input(G& g, const Signature& formats, int k, const Restriction& where) {
  InputWords<G> in;
  // Without any digits there is nothing to multiply.
  const bool has_digits = where.at_most_fraction_bits != 0 || info(formats.d).is_integer();
  const auto a_bits = has_digits ? where.leading_fraction_bits : 0;
  const auto b_bits = where.b_power_of_two ? 0 : a_bits;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    if (where.products && !(*where.products)[i]) {
      in.a.push_back(detail::free_zero(g, info(formats.a), "a" + std::to_string(i)));
      in.b.push_back({g.word(info(formats.b).container_bits, 0)});
      continue;
    }
    in.a.push_back(detail::free_operand(g, info(formats.a), a_bits, "a" + std::to_string(i)));
    in.b.push_back(detail::free_operand(g, info(formats.b), b_bits, "b" + std::to_string(i)));
  }
  const auto c_bits = has_digits ? std::nullopt : std::optional(0);
  in.c = formats.c ? detail::free_operand(g, info(*formats.c), c_bits, "c") : detail::no_c(g, formats);
  in.sa = detail::free_scales(g, formats, k, Role::sa);
  in.sb = detail::free_scales(g, formats, k, Role::sb);
  return in;
}

/// What the restriction demands beyond constants.
template <class G>
typename G::Bool admissible(G& g, const Signature& formats, const InputWords<G>& in,
                            const Restriction& where) {
  const SymbolicCore<G> core(g);
  auto ok = core.truth(true);
  const auto bits_of = [&](const WordOf<G>& w, int low, int count, std::vector<typename G::Bool>& out) {
    for (int i = 0; i < count; ++i) out.push_back(core.bit(w, low + i));
  };
  if (where.finite_inputs) {
    const auto finite = [&](const FormatInfo& f, const WordOf<G>& w) {
      const auto x = decode(core, f, w);
      return core.no(core.any(x.nan, x.infinite));
    };
    for (const auto& w : in.a) ok = core.all(ok, finite(info(formats.a), w));
    for (const auto& w : in.b) ok = core.all(ok, finite(info(formats.b), w));
    if (formats.c) ok = core.all(ok, finite(info(*formats.c), in.c));
    for (const auto& w : in.sa) ok = core.all(ok, finite(info(formats.sa->format), w));
    for (const auto& w : in.sb) ok = core.all(ok, finite(info(formats.sb->format), w));
  }
  if (where.at_most_nonzero_products) {
    std::vector<typename G::Bool> nonzero;
    for (std::size_t i = 0; i < in.a.size(); ++i) {
      const auto x = decode(core, info(formats.a), in.a[i]);
      const auto y = decode(core, info(formats.b), in.b[i]);
      nonzero.push_back(core.no(core.any(core.is_zero(x.significand), core.is_zero(y.significand))));
    }
    const auto limit = static_cast<std::uint64_t>(*where.at_most_nonzero_products);
    ok = core.all(ok, core.no(core.greater(detail::number_of_ones(core, nonzero), core.word(16, limit))));
  }
  if (where.at_most_fraction_bits) {
    std::vector<typename G::Bool> bits;
    const auto digits_of = [&](const FormatInfo& f, const WordOf<G>& w) {  // significand_digits()
      if (f.is_integer())
        bits_of(decode(core, f, w).significand, 0, f.precision(), bits);
      else
        bits_of(w, f.ignored_low_bits, f.fraction_bits, bits);
    };
    for (const auto& w : in.a) digits_of(info(formats.a), w);
    for (const auto& w : in.b) digits_of(info(formats.b), w);
    if (formats.c) digits_of(info(*formats.c), in.c);
    const auto limit = static_cast<std::uint64_t>(*where.at_most_fraction_bits);
    ok = core.all(ok, core.no(core.greater(detail::number_of_ones(core, bits), core.word(16, limit))));
  }
  return ok;
}

template <class G>
InputWords<G> constant_input(G& g, const Signature& formats, const DotInput& input) {
  InputWords<G> in;
  for (const Pattern p : input.a) in.a.push_back({g.word(info(formats.a).container_bits, p)});
  for (const Pattern p : input.b) in.b.push_back({g.word(info(formats.b).container_bits, p)});
  in.c = formats.c ? WordOf<G>{g.word(info(*formats.c).container_bits, input.c)} : detail::no_c(g, formats);
  const DotInput all = with_all_scales(input, formats);
  for (const Pattern p : all.sa) in.sa.push_back({g.word(info(formats.sa->format).container_bits, p)});
  for (const Pattern p : all.sb) in.sb.push_back({g.word(info(formats.sb->format).container_bits, p)});
  return in;
}

}  // namespace mmaprint
