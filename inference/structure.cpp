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
    return sum_of(pivot, others, lost(pivot, others, others, asked_.unit()));
  }

 private:
  using Leaves = std::vector<LeafIndex>;

  // ---- Trees ----

  /// The sum of a pivot and others, of which so many are lost beside the pivot and each of them.
  Joining sum_of(LeafIndex pivot, const Leaves& others, const std::vector<int>& lost) {
    const auto levels = masked_levels(others, lost, [&](LeafIndex leaf, LeafIndex beside) {
      return this->lost(pivot, {beside}, {leaf}, asked_.unit()).front() == 1;
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
    const bool is_one = part.leaves.size() == 1 || part.size == 1;
    std::optional<bool> singly;
    if (!is_one && !part.size && part.leaves.size() >= kFewestForShortcut)
      singly = join_singly(reference, part.leaves);
    if (is_one || singly == true)
      for (const LeafIndex leaf : part.leaves) add_leaf(node, leaf);
    else
      take_apart(node, reference, part, singly == false);
  }

  /// Leaves that meet the reference in one node: which of them are summed before? Where they do not join
  /// singly, sums may be carried on: the node aligns these as if M had not cancelled, and the usual unit is
  /// lost with it. A larger one is tried for the first leaf that is found to be summed with none, and for
  /// those after a leaf that it was right for.
  void take_apart(Joining& node, LeafIndex reference, const MaskedLevel::Part& part, bool may_carry) {
    bool may_try = may_carry;
    for (Leaves rest = part.leaves; !rest.empty();) {
      const LeafIndex pivot = rest.front();
      rest.erase(rest.begin());
      if (rest.empty()) return add_leaf(node, pivot);
      const auto carried = [&] { return summed_beside_lost(pivot, rest, reference, part.leaves); };
      const bool is_tried_first = may_carry && carries_;
      Summed summed = is_tried_first ? carried() : Summed{};
      bool is_carried = !summed.together.empty();
      if (!is_carried) summed = summed_beside_kept(pivot, rest, reference, part);
      if (summed.together.empty() && !is_tried_first && std::exchange(may_try, false)) {
        summed = carried();
        is_carried = carries_ = !summed.together.empty();
      }
      if (summed.together.empty()) {
        add_leaf(node, pivot);
      } else {
        node.sums.push_back(sum_of(pivot, summed.together, summed.lost));
        node.sums.back().is_carried = is_carried;
      }
      rest = std::move(summed.apart);
    }
  }

  /// Leaves that are summed with a pivot before, what is lost beside each, and the others.
  struct Summed {
    Leaves together;
    std::vector<int> lost;
    Leaves apart;
  };

  /// Those beside which the reference is not lost, or, where the node itself loses nothing, beside which less
  /// is.
  Summed summed_beside_kept(LeafIndex pivot, const Leaves& rest, LeafIndex reference,
                            const MaskedLevel::Part& part) {
    Leaves among = rest;
    among.push_back(pivot);
    if (!part.size) among.push_back(reference);
    return parted(rest, lost(pivot, rest, among, asked_.unit()),
                  part.size ? 2 * (*part.size - 1) : static_cast<int>(rest.size()));
  }

  /// Those beside which fewest leaves of the node are lost, of the largest unit that is, if they and the
  /// pivot are a sum that is carried on. None, too, where counts are muddled, and where they can't be taken
  /// at once.
  Summed summed_beside_lost(LeafIndex pivot, const Leaves& rest, LeafIndex reference, const Leaves& all) {
    Summed none{{}, {}, rest};
    if (std::cmp_less(asked_.largest_group(), all.size())) return none;
    try {
      const std::vector<int> count = lost(pivot, rest, all, *largest_lost_);
      Summed summed = parted(rest, count, *std::ranges::min_element(count) + 1);
      if (!are_carried(pivot, summed.together, reference, all)) return none;
      // What other sums lose as a whole is counted, too.
      std::ranges::fill(summed.lost, static_cast<int>(summed.together.size()) - 1);
      return summed;
    } catch (const NotMeasured&) {
      return none;
    }
  }

  /// Together they are not lost beside the reference, where one alone is; and though M cancelled among them,
  /// all others are lost beside them, and the reference. (Beside zeros alone it may count for nothing.)
  bool are_carried(LeafIndex pivot, const Leaves& others, LeafIndex reference, const Leaves& all) {
    const auto is_other = [&](LeafIndex leaf) {
      return leaf != pivot && std::ranges::find(others, leaf) == others.end();
    };
    const auto apart = std::ranges::find_if(all, is_other);
    if (apart == all.end() || !find_largest_lost(reference, *apart, pivot)) return false;
    const bool sign = kSigns[signs_now_].unit;
    std::vector<PowerAt> together = masks(reference, *apart), cancelled = masks(pivot, others.front());
    together.push_back({pivot, sign, *largest_lost_});
    // An even number: the last place that is kept may be twice what is lost.
    for (std::size_t i = 0; i < (others.size() - 1) / 2 * 2 + 1; ++i)
      together.push_back({others[i], sign, *largest_lost_});
    const auto size = static_cast<std::int64_t>(together.size()) - 2;
    if (signed_units(asked_.results({together}, *largest_lost_).front()) != size) return false;
    for (const LeafIndex leaf : all)
      if (leaf != pivot && leaf != others.front()) cancelled.push_back({leaf, sign, asked_.unit()});
    cancelled.push_back({reference, sign, asked_.unit()});
    return asked_.results({cancelled}, asked_.unit()).front() == 0;
  }

  /// Apart are those beside which so many are lost.
  static Summed parted(const Leaves& rest, const std::vector<int>& lost, int apart) {
    Summed summed;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (lost[i] < apart) {
        summed.together.push_back(rest[i]);
        summed.lost.push_back(lost[i]);
      } else {
        summed.apart.push_back(rest[i]);
      }
    }
    return summed;
  }

  /// Do the leaves join the reference's node singly? Two that were added before would not be lost beside M,
  /// each of the largest that is. Those that stand for -M are asked about in turn, and as a pair. Where units
  /// are not counted right, sums wrap: so many leaves may have been added that theirs is zero. Of some of
  /// them it is not, in one of several draws.
  std::optional<bool> join_singly(LeafIndex reference, const Leaves& leaves) {
    constexpr std::size_t kSubsets = 12;
    if (!find_largest_lost(reference, leaves[1], leaves[0])) return std::nullopt;
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
  std::vector<int> lost(LeafIndex pivot, const Leaves& others, const Leaves& among, int unit) {
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
      open = counted(pivot, others, std::move(open), unit, count);
      if (!open.empty()) signs_now_ = (signs_now_ + 1) % kSigns.size();
    }
    return count;
  }

  [[nodiscard]] std::vector<PowerAt> powers_of(LeafIndex pivot, LeafIndex other, const Leaves& leaves,
                                               int unit) const {
    std::vector<PowerAt> powers = masks(pivot, other);
    for (const LeafIndex leaf : leaves) powers.push_back({leaf, kSigns[signs_now_].unit, unit});
    return powers;
  }

  /// Adds what is lost of groups; gives those of which that can't be said.
  std::vector<Group> counted(LeafIndex pivot, const Leaves& others, std::vector<Group> groups, int unit,
                             std::vector<int>& count) {
    std::vector<std::vector<PowerAt>> asked;
    asked.reserve(groups.size());
    for (const Group& group : groups)
      asked.push_back(powers_of(pivot, others[group.other], group.leaves, unit));
    const auto units = asked_.results(asked, unit);
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
  bool carries_ = false;  ///< are sums carried on, as far as was seen?
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
