// Bit-vectors as Z3 terms: the backend whose formulas people can read. Only the Z3 checker and tests include
// it.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "solver/limits.h"

namespace mmaprint {

/// Interface: AigGates. Terms of constants become constants as they are built, and so do the identities that
/// make unobservable parameters vanish; Z3's own simplifier does the rest once a formula is complete.
class Z3Gates {
 public:
  /// Not convertible to bool, unlike Z3's own terms.
  struct Bool {
    z3::expr term;
  };
  /// A width of 0 has no term.
  struct Bits {
    int width = 0;
    std::optional<z3::expr> term;
  };

  /// Terms live in the context and must not outlive it.
  explicit Z3Gates(z3::context& context) : Z3Gates(context, Deadline()) {}
  /// Terms throw DeadlinePassed once it has: what is half built by then is of no use.
  Z3Gates(z3::context& context, const Deadline& deadline, std::optional<std::int64_t> most = std::nullopt)
      : z3_(&context), deadline_(deadline), late_(deadline, 256), most_(most) {}

  [[nodiscard]] Bool truth(bool b) const { return {z3_->bool_val(b)}; }
  [[nodiscard]] std::optional<bool> known(const Bool& x) const;
  [[nodiscard]] Bool no(const Bool& x) const;
  [[nodiscard]] Bool both(const Bool& x, const Bool& y) const;
  [[nodiscard]] Bool differ(const Bool& x, const Bool& y) const;
  [[nodiscard]] Bool mux(const Bool& c, const Bool& yes, const Bool& otherwise) const;
  /// Fresh inputs: one constant of that name, made unique.
  [[nodiscard]] Bits inputs(int width, std::string_view name = {});

  [[nodiscard]] static int width(const Bits& x) { return x.width; }
  /// The same term. Equal terms of one context are one.
  [[nodiscard]] static bool same(const Bits& x, const Bits& y);
  [[nodiscard]] Bits word(int width, std::uint64_t value) const;
  [[nodiscard]] std::optional<std::uint64_t> constant(const Bits& x) const;
  [[nodiscard]] Bits from_bool(const Bool& b) const;
  [[nodiscard]] Bool bit(const Bits& x, int i) const;
  [[nodiscard]] Bits slice(const Bits& x, int low, int count) const;
  [[nodiscard]] Bits concat(const Bits& high, const Bits& low) const;
  [[nodiscard]] Bits sign_extend(const Bits& x, int width) const;
  [[nodiscard]] Bool is_zero(const Bits& x) const;
  [[nodiscard]] Bool less(const Bits& x, const Bits& y) const;
  [[nodiscard]] Bits mux(const Bool& c, const Bits& yes, const Bits& otherwise) const;
  [[nodiscard]] Bits exclusive(const Bits& x, const Bits& y) const;
  [[nodiscard]] Bits flip(const Bits& x, const Bool& b) const;
  [[nodiscard]] Bits add(const Bits& x, const Bits& y, const Bool& carry) const;
  [[nodiscard]] Bits multiply(const Bits& x, const Bits& y) const;

  /// Terms that were asked for.
  [[nodiscard]] std::int64_t asked() const { return asked_; }

 private:
  void require_time() const {
    ++asked_;
    if (most_ && asked_ > *most_) throw StepsSpent();
    if (late_.passed()) throw DeadlinePassed(std::string(deadline_.reason()));
  }

  z3::context* z3_;
  Deadline deadline_;
  mutable Checkpoint late_;
  std::optional<std::int64_t> most_;
  mutable std::int64_t asked_ = 0;
  std::map<std::string, int, std::less<>> names_;  ///< how often each was given
};

}  // namespace mmaprint
