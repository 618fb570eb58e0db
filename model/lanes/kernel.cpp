// Compiled once for each set of vector instructions, and linked so that nothing of it can stand for what is
// compiled for all processors (model/CMakeLists.txt).
#include "model/lanes/kernel.h"

#include <functional>

#include "model/block_plan.h"
#include "model/datapath.h"
#include "model/flat_plan.h"
#include "model/lanes/lanes.h"
#include "model/usual_parameters.h"

namespace mmaprint {
namespace {

using lanes::kLanes;

/// One word for each lane, in memory.
using LaneRow = std::uint64_t[kLanes];
LanesWord loaded(const LaneRow& row) { return {lanes::hn::Load(lanes::Words(), row)}; }

/// The words of kLanes inputs, role by role: patterns, or factors as they are prepared.
struct Rows {
  alignas(64) LaneRow a[FlatUnit::kMostProducts];
  alignas(64) LaneRow b[FlatUnit::kMostProducts];
  alignas(64) LaneRow c;

  /// Puts a word for each factor, which `word_a` and `word_b` make of patterns, in the order in which the
  /// plan has the products. Lanes to spare repeat the last input.
  template <class Order, class WordA, class WordB>
  void fill(std::size_t k, const Order& order, const DotInput* inputs, std::size_t count, WordA&& word_a,
            WordB&& word_b) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const DotInput& input = inputs[std::min(lane, count - 1)];
      for (std::size_t i = 0; i < k; ++i) {
        a[i][lane] = word_a(input.a[order(i)]);
        b[i][lane] = word_b(input.b[order(i)]);
      }
      c[lane] = input.c;
    }
  }
};

template <class A>
class PatternLanes {
 public:
  PatternLanes(const A& algebra, const PlanWidths& plan, const Rows& rows)
      : algebra_(&algebra), plan_(&plan), rows_(&rows) {}
  [[nodiscard]] Operand<A> a(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_a, plan_->a, rows_->a[k]);
  }
  [[nodiscard]] Operand<A> b(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_b, plan_->b, rows_->b[k]);
  }
  [[nodiscard]] Operand<A> c() const {
    return read<Parameter::c_subnormals>(plan_->from_c, plan_->c, rows_->c);
  }

 protected:
  template <Parameter P>
  [[nodiscard]] Operand<A> read(const Container& from, const FormatInfo& f, const LaneRow& row) const {
    return Datapath::read_operand<P>(*algebra_, from, f, loaded(row));
  }
  const A* algebra_;
  const PlanWidths* plan_;
  const Rows* rows_;
};

/// Factors that are prepared, and neither NaN nor infinite.
template <class A>
class PreparedLanes : public PatternLanes<A> {
 public:
  using PatternLanes<A>::PatternLanes;
  [[nodiscard]] Operand<A> a(std::size_t k) const { return unpacked(this->rows_->a[k]); }
  [[nodiscard]] Operand<A> b(std::size_t k) const { return unpacked(this->rows_->b[k]); }

 private:
  [[nodiscard]] Operand<A> unpacked(const LaneRow& row) const {
    const LanesWord x = loaded(row);
    const auto exponent = lanes::hn::ShiftRight<PreparedOperand::kExponentAt>(lanes::as_ints(x.value));
    return {this->algebra_->bit(x, PreparedOperand::kNegative),
            LanesBool{},
            LanesBool{},
            {exponent},
            this->algebra_->low_bits(LanesSum{x.value}, PreparedOperand::kSignificandBits)};
  }
};

template <class A>
void store(const LaneBatch& batch, std::size_t first, std::size_t count, const DotResult<A>& result) {
  alignas(64) LaneRow d, nan;
  lanes::hn::Store(result.pattern.value, lanes::Words(), d);
  lanes::hn::Store(result.nan.value, lanes::Words(), nan);
  for (std::size_t lane = 0; lane < count; ++lane) {
    batch.d[first + lane] = d[lane];
    batch.is_nan[first + lane] = nan[lane] != 0;
  }
}

template <class Source, class AnyPlan, class Order>
void run(const LaneBatch& batch, const AnyPlan& plan, const Order& order) {
  using A = Lanes<Source>;
  Source source(*batch.unit);
  const A algebra(source);
  const auto k = static_cast<std::size_t>(plan.k);
  Rows rows;  // NOLINT(*-member-init): filled below
  for (std::size_t first = 0; first < batch.count; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.count - first);
    const DotInput* inputs = batch.inputs + first;
    if (batch.a != nullptr) {
      Heads::Prepared seen = 0;
      rows.fill(
          k, order, inputs, count, [&](Pattern p) { return (*batch.a)(p, seen); },
          [&](Pattern p) { return (*batch.b)(p, seen); });
      if (batch.a->all_plain(seen)) {
        store(batch, first, count, Datapath::dot(algebra, plan, PreparedLanes<A>(algebra, plan, rows)));
        continue;
      }
    }
    const auto as_it_is = [](Pattern p) { return p; };
    rows.fill(k, order, inputs, count, as_it_is, as_it_is);
    store(batch, first, count, Datapath::dot(algebra, plan, PatternLanes<A>(algebra, plan, rows)));
  }
}

template <std::size_t Width>
void run_blocks(const LaneBatch& batch) {
  const FlatUnit& unit = *batch.unit;
  // A block's node takes its products one after the other.
  run<Usual<FlatParameters>>(batch, BlockPlan<Width>(unit.widths),
                             [&](std::size_t i) -> std::size_t { return unit.products[i]; });
}

void run_any(const LaneBatch& batch) {
  const std::identity order;  // nodes name their products by index
  if (batch.unit->has_kinds)
    run<FlatParameters>(batch, FlatPlan<FlatNodeOfKinds>(*batch.unit), order);
  else
    run<FlatParameters>(batch, FlatPlan<FlatNode>(*batch.unit), order);
}

}  // namespace

extern "C" void MMAPRINT_LANE_KERNEL(const LaneBatch& batch) {
  switch (batch.block_width) {
    case 4:
      return run_blocks<4>(batch);
    case 8:
      return run_blocks<8>(batch);
    case 16:
      return run_blocks<16>(batch);
    case 32:
      return run_blocks<32>(batch);
    default:
      return run_any(batch);
  }
}

}  // namespace mmaprint
