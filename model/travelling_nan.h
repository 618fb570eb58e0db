// A NaN that a unit lets through, on its way from node to node, as a rule has it. The datapath only says that
// a result is NaN; which one is worked out after it, and only then. For host and device code.
//
// At each node the rule puts the node's NaN operands in an order, and the first goes on: its sign, and its
// payload's high bits, which is what fits the format of the node's result, with the top bit set (quiet).
// Where there is none, an invalid operation has made the unit's own NaN.
#pragma once

#include <algorithm>
#include <optional>

#include "model/nan_behaviour.h"
#include "model/pattern.h"
#include "model/plan.h"
#include "model/row.h"

namespace mmaprint {

struct TravellingNan {
  static constexpr int kPayloadBits = 64;

  bool negative = false, signalling = false;
  std::uint64_t payload = 0;  ///< its fraction, the top bit first

  /// Of a pattern that the unit reads as a NaN.
  [[nodiscard]] static constexpr TravellingNan of(const FormatInfo& container, const FormatInfo& computed,
                                                  Pattern p) {
    const int cut = std::max(0, container.fraction_bits - computed.fraction_bits);
    const Pattern fraction =
        (p >> container.ignored_low_bits & ((Pattern{1} << container.fraction_bits) - 1)) >> cut << cut;
    const std::uint64_t payload = fraction << (kPayloadBits - container.fraction_bits);
    const bool quiet = container.specials != Specials::ieee || payload >> (kPayloadBits - 1) != 0;
    return {(p & sign_pattern(container)) != 0, !quiet, payload};
  }
  /// As the result of a node.
  [[nodiscard]] constexpr TravellingNan quieted(const FormatInfo& to) const {
    const int cut = kPayloadBits - to.fraction_bits;
    return {negative, false, (payload | std::uint64_t{1} << (kPayloadBits - 1)) >> cut << cut};
  }
  [[nodiscard]] constexpr Pattern pattern(const FormatInfo& d) const {
    const Pattern fraction = payload >> (kPayloadBits - d.fraction_bits);
    return infinity_pattern(d) | fraction << d.ignored_low_bits | (negative ? sign_pattern(d) : 0);
  }
};

/// A NaN among a node's operands.
struct NanOperand {
  enum class Kind : std::uint8_t { a, b, c, node, zero_times_infinity } kind = Kind::c;
  int place = 0;     ///< among the node's operands
  bool sum = false;  ///< c or a running sum
  int node = 0;      ///< which, of Kind::node
  TravellingNan nan{};
};

/// Smaller goes first.
struct NanRank {
  int group;
  bool behind_invalid;
  int part, place;
  bool second_factor;
  friend constexpr auto operator<=>(const NanRank&, const NanRank&) = default;
};
[[nodiscard]] constexpr NanRank rank(const NanOperand& x, bool signalling, const NanRule& rule) {
  const bool invalid = x.kind == NanOperand::Kind::zero_times_infinity;
  const bool behind_all = invalid && rule.invalid == NanRule::Invalid::last;
  const bool behind_signalling = rule.signalling == NanRule::Signalling::first && !signalling;
  const bool behind_invalid = !invalid || rule.invalid != NanRule::Invalid::first;
  const int place = rule.products == NanRule::Products::ascending ? x.place : -x.place;
  const bool a_first = rule.factors == NanRule::Factors::a_first;
  const bool second_factor = x.kind == (a_first ? NanOperand::Kind::b : NanOperand::Kind::a);
  const int part = rule.sum == NanRule::Sum::first  ? (x.sum ? 0 : 1)
                   : rule.sum == NanRule::Sum::last ? (x.sum ? 1 : 0)
                   : x.sum                          ? 1
                   : second_factor                  ? 2
                                                    : 0;
  return {behind_all ? 2 : behind_signalling ? 1 : 0, behind_invalid, part, place, second_factor};
}

/// The NaN that goes on from a node, of those that it is shown.
class NanThatGoesOn {
 public:
  constexpr explicit NanThatGoesOn(const NanRule& rule) : rule_(&rule) {}
  /// `earlier`: the results of the nodes before, none where that is the unit's own NaN.
  template <class Earlier>
  constexpr void show(const NanOperand& x, const Earlier& earlier) {
    bool is_own = x.kind == NanOperand::Kind::zero_times_infinity;
    TravellingNan nan = x.nan;
    if (x.kind == NanOperand::Kind::node) {
      const auto& result = earlier[static_cast<std::size_t>(x.node)];
      is_own = !result.has_value();
      if (result) nan = *result;
    }
    const NanRank its = rank(x, !is_own && nan.signalling, *rule_);
    if (any_ && !(its < first_)) return;
    any_ = true;
    first_ = its;
    is_own_ = is_own;
    nan_ = nan;
  }
  /// In the format of the node's result; none: the unit's own.
  [[nodiscard]] constexpr std::optional<TravellingNan> result(const FormatInfo& format) const {
    return is_own_ ? std::nullopt : std::optional(nan_.quieted(format));
  }

 private:
  const NanRule* rule_;
  bool any_ = false;
  NanRank first_{};
  bool is_own_ = true;
  TravellingNan nan_{};  ///< unless it is the unit's own; no optional, for which GCC 12 warns
};

}  // namespace mmaprint
