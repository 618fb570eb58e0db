#include "inference/structure.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "inference/masked_levels.h"
#include "inference/masked_unit.h"
#include "inference/structure_singly.h"

namespace mmaprint {
namespace {

class Counting {
 public:
  Counting(MaskedUnit& unit, bool has_c) : asked_(unit), c_(has_c ? unit.leaves() - 1 : -1) {}

  /// Throws NotMeasured, also where something of M remains whatever the signs.
  Joining operator()() {
    std::vector<LeafIndex> others;
    const LeafIndex pivot = c_ >= 0 ? c_ : 0;  // where a chain begins
    for (LeafIndex leaf = 0; leaf < asked_.leaves(); ++leaf)
      if (leaf != pivot) others.push_back(leaf);
    return sum_of(pivot, others, lost(pivot, others, others));
  }

 private:
  using Leaves = std::vector<LeafIndex>;

  // ---- Trees ----

  /// The sum of a pivot and others, of which so many are lost beside the pivot and each of them.
  Joining sum_of(LeafIndex pivot, const Leaves& others, const std::vector<int>& lost) {
    const auto levels = masked_levels(others, lost, [&](LeafIndex leaf, LeafIndex beside) {
      return this->lost(pivot, {beside}, {leaf}).front() == 1;
    });
    if (!levels) throw NotMeasured{};
    Joining sum;
    bool first = true;
    for (const MaskedLevel& level : *levels) {
      Joining node;
      if (first)
        add_leaf(node, pivot);
      else
        node.sums.push_back(std::move(sum));
      first = false;
      for (const MaskedLevel::Part& part : level.parts) add_part(node, pivot, part);
      sum = std::move(node);
    }
    return sum;
  }

  void add_leaf(Joining& node, LeafIndex leaf) const {
    if (leaf == c_)
      node.c = true;
    else
      node.products.push_back(leaf);
  }

  void add_part(Joining& node, LeafIndex reference, const MaskedLevel::Part& part) {
    const bool singles =
        part.leaves.size() == 1 || part.size == 1 ||
        (!part.size && part.leaves.size() >= kFewestForShortcut && join_singly(reference, part.leaves));
    if (singles)
      for (const LeafIndex leaf : part.leaves) add_leaf(node, leaf);
    else
      take_apart(node, reference, part);
  }

  /// Leaves that meet the reference in one node: which of them are summed before? They are those beside which
  /// the reference is not lost, or, where the node itself loses nothing, beside which less is.
  void take_apart(Joining& node, LeafIndex reference, const MaskedLevel::Part& part) {
    for (Leaves rest = part.leaves; !rest.empty();) {
      const LeafIndex pivot = rest.front();
      rest.erase(rest.begin());
      if (rest.empty()) return add_leaf(node, pivot);
      Leaves among = rest;
      among.push_back(pivot);
      if (!part.size) among.push_back(reference);
      const std::vector<int> all_lost = lost(pivot, rest, among);
      const int apart = part.size ? 2 * (*part.size - 1) : static_cast<int>(rest.size());
      Leaves together, left;
      std::vector<int> of_together;
      for (std::size_t i = 0; i < rest.size(); ++i) {
        if (all_lost[i] < apart) {
          together.push_back(rest[i]);
          of_together.push_back(all_lost[i]);
        } else {
          left.push_back(rest[i]);
        }
      }
      if (together.empty())
        add_leaf(node, pivot);
      else
        node.sums.push_back(sum_of(pivot, together, of_together));
      rest = std::move(left);
    }
  }

  /// Do the leaves join the reference's node singly? Two that were added before would not be lost beside M,
  /// each of the largest that is. Those that stand for -M are asked about in turn, and as a pair. Where units
  /// are not counted right, sums wrap: so many leaves may have been added that theirs is zero. Of some of
  /// them it is not, in one of several draws.
  bool join_singly(LeafIndex reference, const Leaves& leaves) {
    constexpr std::size_t kSubsets = 12;
    if (!find_largest_lost(reference, leaves[1], leaves[0])) return false;
    const auto beside = [&](LeafIndex negative, const auto& is_in) {
      std::vector<PowerAt> powers = masks(reference, negative);
      for (const LeafIndex leaf : leaves)
        if (leaf != negative && is_in(leaf))
          powers.push_back({leaf, kSigns[signs_now_].unit, *largest_lost_});
      return powers;
    };
    const auto all = [](LeafIndex) { return true; };
    auto pair = masks(leaves[0], leaves[1]);
    pair.push_back({reference, kSigns[signs_now_].unit, asked_.unit()});
    std::vector<std::vector<PowerAt>> asked{beside(leaves[1], all), beside(leaves[0], all), pair};
    std::mt19937_64 random(leaves.size());
    for (std::size_t i = 0; asked_.largest_group() == 1 && i < kSubsets; ++i)
      asked.push_back(beside(leaves[i % 2], [&](LeafIndex) { return random() % 2 == 0; }));
    return std::ranges::all_of(asked_.results(asked, *largest_lost_),
                               [](const auto& units) { return units == 0; });
  }

  /// The largest power of two at `leaf` that is lost beside M and -M; the last one found is tried first.
  bool find_largest_lost(LeafIndex reference, LeafIndex negative, LeafIndex leaf) {
    const auto are_lost = [&](std::initializer_list<int> exponents) {
      std::vector<std::vector<PowerAt>> asked;
      for (const int exponent : exponents) {
        asked.push_back(masks(reference, negative));
        asked.back().push_back({leaf, kSigns[signs_now_].unit, exponent});
      }
      std::vector<bool> lost;
      for (const auto& units : asked_.results(asked, asked_.lowest())) lost.push_back(units == 0);
      return lost;
    };
    if (largest_lost_ && are_lost({*largest_lost_, *largest_lost_ + 1}) == std::vector{true, false})
      return true;
    int low = asked_.unit(), high = asked_.mask();
    if (!are_lost({low})[0]) return false;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (are_lost({middle})[0] ? low : high) = middle;
    }
    largest_lost_ = low;
    return true;
  }

  // ---- Counts ----

  /// Some of the leaves that are asked about beside the pivot and one of the others.
  struct Group {
    std::size_t other;
    Leaves leaves;
  };

  /// Beside the pivot and each of the others, how many of `among` are lost?
  std::vector<int> lost(LeafIndex pivot, const Leaves& others, const Leaves& among) {
    std::vector<int> count(others.size(), 0);
    std::vector<Group> open;
    for (std::size_t i = 0; i < others.size(); ++i) {
      Group group{i, {}};
      for (const LeafIndex leaf : among) {
        if (leaf == pivot || leaf == others[i]) continue;
        group.leaves.push_back(leaf);
        if (std::cmp_equal(group.leaves.size(), asked_.largest_group()))
          open.push_back(std::exchange(group, Group{i, {}}));
      }
      if (!group.leaves.empty()) open.push_back(std::move(group));
    }
    // Something of M remains: with other signs nothing may.
    for (std::size_t tries = 0; !open.empty(); ++tries) {
      if (tries == kSigns.size()) throw NotMeasured{};
      open = counted(pivot, others, std::move(open), count);
      if (!open.empty()) signs_now_ = (signs_now_ + 1) % kSigns.size();
    }
    return count;
  }

  [[nodiscard]] std::vector<PowerAt> powers_of(LeafIndex pivot, LeafIndex other, const Leaves& leaves) const {
    std::vector<PowerAt> powers = masks(pivot, other);
    for (const LeafIndex leaf : leaves) powers.push_back({leaf, kSigns[signs_now_].unit, asked_.unit()});
    return powers;
  }

  /// Adds what is lost of groups; gives those of which that can't be said.
  std::vector<Group> counted(LeafIndex pivot, const Leaves& others, std::vector<Group> groups,
                             std::vector<int>& count) {
    std::vector<std::vector<PowerAt>> asked;
    asked.reserve(groups.size());
    for (const Group& group : groups) asked.push_back(powers_of(pivot, others[group.other], group.leaves));
    const auto units = asked_.results(asked, asked_.unit());
    std::vector<Group> open;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto size = static_cast<std::int64_t>(groups[i].leaves.size());
      const std::int64_t kept = signed_units(units[i]).value_or(-1);
      if (kept < 0 || kept > size)
        open.push_back(std::move(groups[i]));
      else
        count[groups[i].other] += static_cast<int>(size - kept);
    }
    return open;
  }

  [[nodiscard]] std::optional<std::int64_t> signed_units(std::optional<std::int64_t> units) const {
    return units && kSigns[signs_now_].unit ? std::optional(-*units) : units;
  }

  // ---- Inputs ----

  [[nodiscard]] std::vector<PowerAt> masks(LeafIndex x, LeafIndex y) const {
    const bool negative = kSigns[signs_now_].mask;
    return {{x, negative, asked_.mask()}, {y, !negative, asked_.mask()}};
  }

  static constexpr std::size_t kFewestForShortcut = 5;

  MaskedUnit& asked_;
  LeafIndex c_;  ///< -1 where there is none
  std::optional<int> largest_lost_;
  /// Are M (at the pivot) and the units negative?
  struct Signs {
    bool mask, unit;
  };
  static constexpr std::array<Signs, 4> kSigns{{{false, false}, {false, true}, {true, false}, {true, true}}};
  std::size_t signs_now_ = 0;
};

}  // namespace

std::size_t most_masking_inputs(int k) {
  constexpr std::size_t kFor64 = 500;
  return kFor64 * static_cast<std::size_t>((k + 63) / 64);
}

std::optional<Joining> measured_structure(int k, const Signature& formats, const AskAll& ask) {
  // Three at a time is many times as many.
  constexpr std::size_t kSingly = 8;
  const bool has_c = formats.c.has_value();
  try {
    MaskedUnit unit(k, formats, ask, most_masking_inputs(k));
    return Counting(unit, has_c)();
  } catch (const NotMeasured&) {  // it may be by three
  }
  try {
    MaskedUnit unit(k, formats, ask, kSingly * most_masking_inputs(k));
    return structure_singly(unit, has_c);
  } catch (const NotMeasured&) {
    return std::nullopt;
  }
}

}  // namespace mmaprint
