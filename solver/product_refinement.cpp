#include "solver/product_refinement.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "solver/justification.h"

namespace mmaprint {
namespace {

FactorWidths widths_of(const AigGates::FreeProduct& free) {
  return {static_cast<int>(free.x.size()), static_cast<int>(free.y.size())};
}

/// The word's bits that the justification implies.
KnownBits known_bits(Justification& why, const AigGates::Bits& word) {
  KnownBits known;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (const auto bit = why.implied(word[i])) {
      known.mask |= std::uint64_t{1} << i;
      known.value |= std::uint64_t{*bit} << i;
    }
  return known;
}

/// The word is just that.
KnownBits exactly(std::uint64_t value, const AigGates::Bits& word) {
  return {(std::uint64_t{1} << word.size()) - 1, value};
}

}  // namespace

ProductRefinement::ProductRefinement(Aig& graph, AigGates& gates, Sat& sat, Literal goal)
    : graph_(graph),
      gates_(gates),
      sat_(sat),
      goal_(goal),
      any_(graph.input()),
      conflicts_before_(sat.conflicts()) {}

Verdict ProductRefinement::operator()(const Limits& limits) {
  for (const AigGates::FreeProduct& free : gates_.free_products_made())
    if (free.x.size() + free.y.size() > kMostBitsOfFactors) return Verdict::unknown;
  const Deadline deadline(limits.seconds, limits.stop);
  Verdict verdict = Verdict::satisfiable;
  while (verdict == Verdict::satisfiable) {
    const auto values = solution();
    if (std::ranges::all_of(values, [](const Words& w) { return w.x * w.y == w.product; })) return verdict;
    if (const auto real = made_real()) {
      verdict = search(*real, limits, deadline);
      if (verdict != Verdict::unsatisfiable) return verdict;
      // What does not matter of two products may be the same: so what is said is what they are here.
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        const auto& [x, y, product] = values[i];
        const AigGates::FreeProduct& free = gates_.free_products_made()[i];
        const std::uint64_t wrong = (x * y) ^ product;
        if (wrong == 0) continue;
        const std::uint64_t lowest = wrong & (~wrong + 1);
        exclude(i, {exactly(x, free.x), exactly(y, free.y), {lowest, product & lowest}});
      }
    }
    verdict = search(std::array{any_}, limits, deadline);
  }
  return verdict;
}

std::vector<ProductRefinement::Words> ProductRefinement::solution() const {
  const auto value_of = [&](const AigGates::Bits& word) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < word.size(); ++i)
      value |= static_cast<std::uint64_t>(sat_.value(word[i])) << i;
    return value;
  };
  std::vector<Words> all;
  for (const auto& free : gates_.free_products_made())
    all.push_back({value_of(free.x), value_of(free.y), value_of(free.product)});
  return all;
}

std::optional<std::vector<Literal>> ProductRefinement::made_real() {
  // What is known of products is what there has to be factors for.
  std::set<std::uint32_t> of_products;
  for (const auto& free : gates_.free_products_made())
    for (const Literal x : free.unknown) of_products.insert(x.node());
  constexpr std::int64_t kOfProduct = 16;
  Justification why(
      graph_, goal_, [&](Literal x) { return sat_.value(x); },
      [&](std::uint32_t node) { return of_products.contains(node) ? kOfProduct : 1; });
  std::vector<Literal> real = why.needed();
  const std::size_t before = lemmas_.size();
  for (std::uint32_t i = 0; i < gates_.free_products_made().size(); ++i) {
    const AigGates::FreeProduct& free = gates_.free_products_made()[i];
    const PartlyKnown known{known_bits(why, free.x), known_bits(why, free.y), known_bits(why, free.product)};
    if (const auto found = find_factors(known, widths_of(free), tried_)) {
      std::erase_if(real, [&](Literal x) { return std::ranges::count(free.unknown, x.regular()) > 0; });
      const auto make = [&](const AigGates::Bits& word, std::uint64_t value) {
        std::ranges::copy(AigGates::literals(word, exactly(value, word)), std::back_inserter(real));
      };
      make(free.x, found->x);
      make(free.y, found->y);
      make(free.product, found->x * found->y);
    } else {
      exclude(i, known);
    }
  }
  if (lemmas_.size() > before) return std::nullopt;
  std::erase_if(real, [](Literal x) { return x == kTrue; });
  return real;
}

void ProductRefinement::exclude(std::uint32_t product, PartlyKnown known) {
  const FactorWidths widths = widths_of(gates_.free_products_made()[product]);
  lemmas_.push_back({product, generalised(known, widths, kPairsToGeneralise, tried_)});
  sat_.assert_unit(gates_.said_by(lemmas_.back()));
}

Verdict ProductRefinement::search(std::span<const Literal> assumptions, const Limits& limits,
                                  const Deadline& deadline) {
  ++searches_;
  Limits rest = limits;
  if (limits.conflicts) {
    const std::int64_t of_steps = steps() / steps_of_conflict(sat_.cnf().count());
    *rest.conflicts -= sat_.conflicts() - conflicts_before_ + of_steps;
    if (*rest.conflicts <= 0) return Verdict::unknown;
  }
  if (limits.seconds) rest.seconds = deadline.remaining();
  if (deadline.passed()) return Verdict::unknown;
  return sat_.check(assumptions, rest);
}

}  // namespace mmaprint
