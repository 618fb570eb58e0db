// Compiled once for each set of vector instructions, and linked so that nothing of it can stand for what is
// compiled for all processors (model/CMakeLists.txt).
#include "model/lanes/kernel.h"

#include <bit>
#include <functional>

#include "model/block_plan.h"
#include "model/datapath.h"
#include "model/flat_plan.h"
#include "model/lanes/lanes.h"
#include "model/lanes/preparer.h"
#include "model/lanes/rows.h"
#include "model/prepared_operand.h"
#include "model/usual_parameters.h"

namespace mmaprint {
namespace {

using lanes::kLanes;

/// Operands that are patterns. `Rows` has them (model/lanes/rows.h).
template <class A, class Rows>
class PatternLanes {
 public:
  PatternLanes(const A& algebra, const PlanWidths& plan, const Rows& rows)
      : algebra_(&algebra), plan_(&plan), rows_(&rows) {}
  [[nodiscard]] Operand<A> a(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_a, plan_->a, rows_->a(k));
  }
  [[nodiscard]] Operand<A> b(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_b, plan_->b, rows_->b(k));
  }
  [[nodiscard]] Operand<A> c() const {
    return read<Parameter::c_subnormals>(plan_->from_c, plan_->c, rows_->c());
  }

 protected:
  template <Parameter P>
  [[nodiscard]] Operand<A> read(const Container& from, const FormatInfo& f, const LanesWord& pattern) const {
    return Datapath::read_operand<P>(*algebra_, from, f, pattern);
  }
  const A* algebra_;
  const PlanWidths* plan_;
  const Rows* rows_;
};

/// Factors that are prepared, and neither NaN nor infinite.
template <class A, class Rows>
class PreparedLanes : public PatternLanes<A, Rows> {
 public:
  using PatternLanes<A, Rows>::PatternLanes;
  [[nodiscard]] Operand<A> a(std::size_t k) const { return unpacked(this->rows_->prepared_a(k)); }
  [[nodiscard]] Operand<A> b(std::size_t k) const { return unpacked(this->rows_->prepared_b(k)); }
  static constexpr bool zeros_are_lowest = true;  // NOLINT(readability-identifier-naming): as BlockNode's
  template <class Products>
  [[nodiscard]] static constexpr std::size_t next_special(const Products& products, std::size_t /*from*/) {
    return products.size();
  }

 private:
  static_assert(PreparedOperand::kNegative == 31, "a half's sign");
  [[nodiscard]] Operand<A> unpacked(const lanes::Factor& x) const {
    const LanesSum low{lanes::as_words(x.low)};
    return {this->algebra_->is_negative(low),
            LanesBool{},
            LanesBool{},
            {x.exponent},
            this->algebra_->low_bits(low, PreparedOperand::kSignificandBits)};
  }
};

/// So many results, and which of them are NaN.
std::uint64_t store(const LanesWord& pattern, const LanesBool& is_nan, std::size_t count, Pattern* d) {
  alignas(64) lanes::Row patterns;
  lanes::hn::Store(pattern.value, lanes::Words(), patterns);
  if (count == kLanes)
    std::copy_n(patterns, kLanes, d);
  else
    std::copy_n(patterns, count, d);
  std::uint8_t bits[sizeof(std::uint64_t)] = {};
  lanes::hn::StoreMaskBits(lanes::Words(), lanes::hn::MaskFromVec(is_nan.value), bits);
  return std::bit_cast<std::uint64_t>(bits) & low_ones<std::uint64_t>(static_cast<int>(count));
}

template <class Operands>
inline constexpr bool kArePrepared = false;
template <class A, class Rows>
inline constexpr bool kArePrepared<PreparedLanes<A, Rows>> = true;

/// What nearly all inputs of nearly all units take: one function, as GCC would not make it by itself, and
/// does not where this is inlined.
template <class A, class AnyPlan, class Operands>
[[gnu::flatten, gnu::noinline]] DotResult<A> dot_in_one(const A& algebra, const AnyPlan& plan,
                                                        const Operands& in) {
  const AnyPlan own = plan;  // a copy, which no vector that is stored can lie in
  return Datapath::dot(algebra, own, in);
}
template <class A, class AnyPlan, class Operands>
DotResult<A> lanes_dot(const A& algebra, const AnyPlan& plan, const Operands& in) {
  if constexpr (kArePrepared<Operands> && requires { AnyPlan::kWidth; })
    return dot_in_one(algebra, plan, in);
  else
    return Datapath::dot(algebra, plan, in);
}

/// A dot product in each lane.
template <class Source>
class Dots {
  using A = Lanes<Source>;

 public:
  explicit Dots(const LaneBatch& batch) : batch_(batch) {}

  template <class AnyPlan, class Order>
  void operator()(const AnyPlan& plan, const Order& order) const {
    Source source(*batch_.unit);
    const A algebra(source);
    lanes::InputRows rows(static_cast<std::size_t>(plan.k), order);
    lanes::HalfRows a, b;  // NOLINT(*-member-init): filled below
    *batch_.nans = 0;
    for (std::size_t first = 0; first < batch_.count; first += kLanes) {
      rows.fill(batch_, first);
      const auto run = [&](const auto& operands) {
        const auto result = lanes_dot(algebra, plan, operands);
        const std::size_t count = std::min(kLanes, batch_.count - first);
        *batch_.nans |= store(result.pattern, result.nan, count, batch_.d + first) << first;
      };
      const auto k = static_cast<std::size_t>(plan.k);
      if (batch_.prepares && lanes::prepared(algebra, plan.from_a, plan.a, k, rows.all_a(), a) &&
          lanes::prepared(algebra, plan.from_b, plan.b, k, rows.all_b(), b)) {
        const lanes::FactorRows factors(a.rows(), b.rows(), rows.c());
        run(PreparedLanes<A, lanes::FactorRows>(algebra, plan, factors));
      } else {
        run(PatternLanes<A, lanes::InputRows>(algebra, plan, rows));
      }
    }
  }

 private:
  const LaneBatch& batch_;
};

/// A chain of dot products in each lane.
template <class Source>
class Chains {
  using A = Lanes<Source>;
  using Rows = lanes::FactorRows;

 public:
  explicit Chains(const LaneChains& chains) : chains_(chains) {}

  /// (The factors stand in the plan's order.)
  template <class AnyPlan, class Order>
  void operator()(const AnyPlan& plan, const Order& /*order*/) const {
    if (chains_.prepared)
      run<PreparedLanes<A, Rows>>(plan);
    else
      run<PatternLanes<A, Rows>>(plan);
  }

 private:
  template <class Operands, class AnyPlan>
  void run(const AnyPlan& plan) const {
    Source source(*chains_.unit);
    const A algebra(source);
    LanesWord c = first_c();
    LanesBool is_nan;
    const auto k = static_cast<std::size_t>(plan.k);
    lanes::HalfRows a;  // NOLINT(*-member-init): filled below
    for (std::size_t first = 0; first < chains_.steps * k; first += k) {
      for (std::size_t i = 0; i < k; ++i) a.put_all(i, chains_.low_a[first + i], chains_.high_a[first + i]);
      const std::size_t of_b = first * kLanes;
      const Rows rows(a.rows(), {chains_.low_b + of_b, chains_.high_b + of_b}, c);
      const auto d = lanes_dot(algebra, plan, Operands(algebra, plan, rows));
      is_nan = algebra.any(is_nan, d.nan);
      c = algebra.mux(d.nan, algebra.word(kPatternBits, chains_.unit->nan), d.pattern);
    }
    *chains_.nans = store(c, is_nan, kLanes, chains_.d);
  }
  [[nodiscard]] LanesWord first_c() const {
    alignas(64) lanes::Row c;
    std::transform(chains_.d, chains_.d + kLanes, c, [](Pattern p) { return static_cast<lanes::Word>(p); });
    return lanes::loaded(c);
  }
  static constexpr int kPatternBits = 64;

  const LaneChains& chains_;
};

template <std::size_t Width, template <class> class Work, class Batch>
void run_blocks(const Batch& batch) {
  const FlatUnit& unit = *batch.unit;
  // A block's node takes its products one after the other.
  Work<Usual<FlatParameters>>{batch}(BlockPlan<Width>(unit.widths),
                                     [&](std::size_t i) -> std::size_t { return unit.products[i]; });
}

template <template <class> class Work, class Batch>
void run_any(const Batch& batch) {
  const std::identity order;  // nodes name their products by index
  if (batch.unit->has_kinds)
    Work<FlatParameters>{batch}(FlatPlan<FlatNodeOfKinds>(*batch.unit), order);
  else
    Work<FlatParameters>{batch}(FlatPlan<FlatNode>(*batch.unit), order);
}

template <template <class> class Work, class Batch>
void run(const Batch& batch) {
  switch (batch.block_width) {
    case 4:
      return run_blocks<4, Work>(batch);
    case 8:
      return run_blocks<8, Work>(batch);
    case 16:
      return run_blocks<16, Work>(batch);
    case 32:
      return run_blocks<32, Work>(batch);
    default:
      if constexpr (MMAPRINT_LANE_BITS == 64) run_any<Work>(batch);
  }
}

}  // namespace

extern "C" const LaneFunctions MMAPRINT_LANE_KERNEL;
const LaneFunctions MMAPRINT_LANE_KERNEL{MMAPRINT_LANE_BITS, kLanes, &run<Dots, LaneBatch>,
                                         &run<Chains, LaneChains>};

}  // namespace mmaprint
