// Bit-vectors over the gates of an Aig: the backend whose formulas go straight to a SAT solver.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/aig.h"
#include "solver/product_lemmas.h"

namespace mmaprint {

/// Inputs that belong together, by a name that people read; bit 0 first.
struct NamedWord {
  std::string name;
  std::vector<Literal> bits;
};

/// What SymbolicCore asks of a backend. Bit 0 is the least significant; widths may be 0.
class AigGates {
 public:
  using Bool = Literal;
  using Bits = std::vector<Literal>;

  explicit AigGates(Aig& graph) : aig_(&graph) {}

  [[nodiscard]] Bool truth(bool b) const { return b ? kTrue : kFalse; }
  [[nodiscard]] std::optional<bool> known(Bool b) const {
    return is_constant(b) ? std::optional(b == kTrue) : std::nullopt;
  }
  [[nodiscard]] Bool no(Bool x) const { return !x; }
  [[nodiscard]] Bool both(Bool x, Bool y) { return aig_->conjunction(x, y); }
  [[nodiscard]] Bool differ(Bool x, Bool y) { return aig_->exclusive(x, y); }
  [[nodiscard]] Bool mux(Bool c, Bool yes, Bool otherwise) { return aig_->multiplexer(c, yes, otherwise); }
  /// Fresh inputs, named for people: of one name the second is NAME_1.
  [[nodiscard]] Bits inputs(int width, std::string_view name = {});
  /// All words of inputs, in the order in which they were made, and each name once.
  [[nodiscard]] const std::vector<NamedWord>& named_inputs() const { return named_; }

  [[nodiscard]] static int width(const Bits& x) { return static_cast<int>(x.size()); }
  [[nodiscard]] static bool same(const Bits& x, const Bits& y) { return x == y; }
  [[nodiscard]] Bits word(int width, std::uint64_t value) const;
  /// The value, where every bit is constant and there are at most 64.
  [[nodiscard]] std::optional<std::uint64_t> constant(const Bits& x) const;
  [[nodiscard]] Bits from_bool(Bool b) const { return {b}; }
  [[nodiscard]] Bool bit(const Bits& x, int i) const { return x[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Bits slice(const Bits& x, int low, int count) const {
    return {x.begin() + low, x.begin() + low + count};
  }
  [[nodiscard]] Bits concat(const Bits& high, Bits low) const {
    low.insert(low.end(), high.begin(), high.end());
    return low;
  }
  /// To `width` bits, which may be fewer than there are.
  [[nodiscard]] Bits sign_extend(Bits x, int width) const {
    const Literal sign = x.back();
    x.resize(static_cast<std::size_t>(width), sign);
    return x;
  }
  [[nodiscard]] Bool is_zero(const Bits& x);
  /// Unsigned, equal widths.
  [[nodiscard]] Bool less(const Bits& x, const Bits& y);
  [[nodiscard]] Bits mux(Bool c, const Bits& yes, const Bits& otherwise);
  [[nodiscard]] Bits exclusive(const Bits& x, const Bits& y);
  /// Every bit complemented where b.
  [[nodiscard]] Bits flip(const Bits& x, Bool b);
  /// x + y + carry modulo 2^width, equal widths.
  [[nodiscard]] Bits add(const Bits& x, const Bits& y, Bool carry);
  /// The full product.
  [[nodiscard]] Bits multiply(const Bits& x, const Bits& y);

  /// From now on products of two words that are not known are words that are not known: the same for the same
  /// two, and of which only `facts_of_products` is known. What holds of such holds of products; a multiplier
  /// is what makes most formulas hard.
  void free_products() { products_are_free_ = true; }
  struct FreeProduct {
    Bits x, y, product;
    Bits unknown;  ///< inputs, of which the product is made where no factor is zero
  };
  /// In the order in which they were asked for first.
  [[nodiscard]] const std::vector<FreeProduct>& free_products_made() const { return made_; }
  /// Those that are not zero are as long as their factors let them be, and zeros among these make zeros.
  [[nodiscard]] Bool facts_of_products() const { return facts_; }
  /// True where these bits of the word are as they are known to be.
  [[nodiscard]] static std::vector<Literal> literals(const Bits& word, const KnownBits& known);
  /// Requires a lemma about one of them.
  [[nodiscard]] Bool said_by(const ProductLemma& lemma);

 private:
  void name(Bits bits, std::string_view text);
  [[nodiscard]] Bits free_product(const Bits& p, const Bits& q);

  Aig* aig_;
  std::vector<NamedWord> named_;
  std::map<std::string, int, std::less<>> names_;  ///< how often each was given
  bool products_are_free_ = false;
  std::vector<FreeProduct> made_;
  std::map<std::pair<Bits, Bits>, std::size_t> products_;  ///< which of them a pair's is
  Literal facts_ = kTrue;
};

}  // namespace mmaprint
