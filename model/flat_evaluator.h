// The datapath on a flat unit, for device code and for the host alike: no allocation, no exception, words of
// fixed widths. Instances: one that is compiled for usual chains of blocks, and one for any unit.
#pragma once

#include <limits>

#include "model/block_plan.h"
#include "model/concrete.h"
#include "model/datapath.h"
#include "model/flat_plan.h"
#include "model/known_widths.h"
#include "model/multiword.h"
#include "model/nan_rule.h"
#include "model/prepared_operand.h"
#include "model/usual_parameters.h"

namespace mmaprint {

/// Words of type W, and of type Wide for nodes that need more; every node is known to do with those.
template <class W, class Wide, class ParameterSource>
class FlatWords : public Concrete<W, ParameterSource> {
 public:
  static constexpr int kBits = std::is_same_v<W, Wide> ? std::numeric_limits<int>::max() : kWordBits<W>;
  constexpr explicit FlatWords(ParameterSource& source)
      : Concrete<W, ParameterSource>(source), own_(&source) {}

  template <class Fn>
  [[nodiscard]] constexpr auto with_width(int /*bits*/, Fn&& fn) const {
    return fn(FlatWords<Wide, Wide, ParameterSource>(*own_));
  }

 private:
  ParameterSource* own_;
};

/// The widths in bits of the words that a model needs.
struct WordsNeeded {
  int operands = 0;  ///< products and results
  int sums = 0;      ///< a node's accumulator and what is aligned to it
};
/// Requires a model that has a flat unit (model/flat_unit.h).
[[nodiscard]] WordsNeeded words_needed(const UnitModel& model);

/// Evaluates any flat unit whose operands fit words of type W and whose sums fit words of type Wide. Operands
/// are decoded where they are used. Units that have kinds of operands need FlatNodeOfKinds.
template <class W, class Wide, class Node = FlatNode>
class FlatEvaluator {
  using Algebra = FlatWords<W, Wide, FlatParameters>;

 public:
  using Prepared = Pattern;
  /// Refers to the unit.
  constexpr explicit FlatEvaluator(const FlatUnit& unit) : unit_(&unit) {}

  [[nodiscard]] constexpr Prepared prepare_a(Pattern p) const { return p; }
  [[nodiscard]] constexpr Prepared prepare_b(Pattern p) const { return p; }
  /// Is there a way that is quicker where this is an operand of none?
  [[nodiscard]] static constexpr bool is_special(Prepared /*x*/) { return true; }
  /// The product that stands at place k of prepared rows.
  [[nodiscard]] constexpr int index_at(int k) const { return k; }
  [[nodiscard]] constexpr Pattern operator()(const Prepared* a, const Prepared* b, Pattern c) const {
    FlatParameters source(*unit_);
    const Algebra algebra(source);
    const FlatPlan<Node> plan(*unit_);
    const MachineOperands<Algebra> in(algebra, unit_->widths, a, b, c);
    if (plan.d.is_integer()) return low_word(Datapath::dot(algebra, plan, in).pattern.value);
    typename FlatPlan<Node>::template Results<Operand<Algebra>> results(plan.nodes.size());
    Datapath::node_results(algebra, plan, in, results);
    const Operand<Algebra>& root = results[results.size() - 1];
    if (!root.nan.value) return low_word(encode(algebra, plan.d, root).value);
    return unit_->by_rule ? nan_by_rule(plan, unit_->rule, in, results) : unit_->nan;
  }

 private:
  const FlatUnit* unit_;
};

/// Evaluates chains of blocks of Width products with the usual parameters. Operands are decoded once.
/// Addends are words of 32 bits, which GPUs are quickest with; sums may have 64.
template <std::size_t Width, class Widths = AnyWidths>
class BlockEvaluator {
  using Word = std::uint32_t;
  using Algebra = FlatWords<Word, std::uint64_t, Usual<FlatParameters>>;

 public:
  using Prepared = std::uint64_t;
  static constexpr int kInfinite = PreparedOperand::kInfinite, kNan = PreparedOperand::kNan,
                       kNegative = PreparedOperand::kNegative, kExponentAt = PreparedOperand::kExponentAt;
  /// Refers to the unit.
  constexpr explicit BlockEvaluator(const FlatUnit& unit) : unit_(&unit), plan_(Widths::of(unit.widths)) {}

  [[nodiscard]] constexpr Prepared prepare_a(Pattern p) const {
    return prepare(Widths::of(unit_->widths).a, p);
  }
  [[nodiscard]] constexpr Prepared prepare_b(Pattern p) const {
    return prepare(Widths::of(unit_->widths).b, p);
  }
  /// NaN or infinite.
  [[nodiscard]] static constexpr bool is_special(Prepared x) { return (x >> kInfinite & 3U) != 0; }
  /// Which bit says it of a place.
  [[nodiscard]] static constexpr unsigned place(int k) {
    return static_cast<unsigned>(k < kLastPlace ? k : kLastPlace);
  }
  /// The product that stands at place k of prepared rows: blocks one after the other.
  [[nodiscard]] constexpr int index_at(int k) const { return unit_->products[k]; }
  [[nodiscard]] constexpr Pattern operator()(const Prepared* a, const Prepared* b, Pattern c) const {
    return evaluated(a, b, c, kAnyPlace);
  }
  /// The same for rows without NaN and infinities.
  [[nodiscard]] constexpr Pattern finite(const Prepared* a, const Prepared* b, Pattern c) const {
    return evaluated(a, b, c, 0);
  }
  /// The same for rows of which the first 63 places have some where bit k of `specials` is set, and all later
  /// ones may have some where bit 63 is.
  [[nodiscard]] constexpr Pattern evaluated(const Prepared* a, const Prepared* b, Pattern c,
                                            std::uint64_t specials) const {
    Usual<FlatParameters> source(*unit_);
    const Algebra algebra(source);
    const auto result = Datapath::dot(algebra, plan_, Operands{&algebra, unit_, a, b, c, specials});
    return result.nan.value ? unit_->nan : result.pattern.value;
  }

 private:
  static constexpr int kLastPlace = 63;  ///< the first that has no bit of its own
  static constexpr std::uint64_t kAnyPlace = ~std::uint64_t{0};
  [[nodiscard]] constexpr Prepared prepare(const FormatInfo& f, Pattern pattern) const {
    Usual<FlatParameters> source(*unit_);
    const Algebra algebra(source);
    const auto x =
        Datapath::read_operand<Parameter::input_subnormals>(algebra, f, {static_cast<Word>(pattern)});
    return PreparedOperand::of(x);
  }
  static constexpr Operand<Algebra> operand(Prepared x) {
    const auto low = static_cast<std::uint32_t>(x);
    return {{low >> kNegative != 0},
            {(low >> kNan & 1U) != 0},
            {(low >> kInfinite & 1U) != 0},
            {static_cast<int>(static_cast<std::uint32_t>(x >> kExponentAt))},
            {low & 0xFFFFU}};
  }

  struct Operands {
    const Algebra* algebra;
    const FlatUnit* unit;
    const Prepared* prepared_a;
    const Prepared* prepared_b;
    Pattern pattern_c;
    std::uint64_t specials;
    [[nodiscard]] constexpr Operand<Algebra> a(std::size_t k) const { return operand(prepared_a[k]); }
    [[nodiscard]] constexpr Operand<Algebra> b(std::size_t k) const { return operand(prepared_b[k]); }
    static constexpr bool zeros_are_lowest = true;  // NOLINT(readability-identifier-naming): as BlockNode's
    template <class Products>
    [[nodiscard]] constexpr std::size_t next_special(const Products& products, std::size_t from) const {
      if (specials == 0) return products.size();
      const std::size_t place = products[from];
      if (place >= kLastPlace) return specials >> kLastPlace != 0 ? from : products.size();
      const std::uint64_t rest = specials >> place;
      return rest == 0 ? products.size() : from + static_cast<std::size_t>(lowest_bit(rest));
    }
    [[nodiscard]] constexpr Operand<Algebra> c() const {
      const FormatInfo& f = Widths::of(unit->widths).c;
      return Datapath::read_operand<Parameter::c_subnormals>(*algebra, f, {static_cast<Word>(pattern_c)});
    }
  };
  const FlatUnit* unit_;
  BlockPlan<Width> plan_;
};
/// The width of the blocks of a unit that a BlockEvaluator takes, 4, 8, 16 or 32; 0 for others.
[[nodiscard]] int block_width(const UnitModel& model);

}  // namespace mmaprint
