#include "model/flat_evaluator.h"

#include <algorithm>

namespace mmaprint {

WordsNeeded words_needed(const UnitModel& model) {
  const Plan plan(model.formats, model.k, skeleton_of(model));
  if (plan.d.is_integer()) return {plan.integer_width(), plan.integer_width()};
  const FixedParameters source(model);
  const Concrete<std::uint64_t, const FixedParameters> algebra(source);
  WordsNeeded needed{std::max(plan.product_width(), plan.addend_width()), plan.addend_width()};
  for (const Container* from : {&plan.from_a, &plan.from_b, &plan.from_c})
    if (from->conversion) needed.operands = std::max(needed.operands, from->format.container_bits + 1);
  for (const PlannedNode& node : plan.nodes) {
    const Adder& adder = model.adders[static_cast<std::size_t>(node.adder)];
    const auto f = adder.alignment_fraction_bits;
    const NodeShape shape(plan, node);
    const auto to =
        policy::aligned_alike(algebra, shape)
            ? Lowered::alignment(algebra, plan, shape, f, {0}, {0})
            : Lowered::alignment_by_kind(
                  algebra, plan, shape,
                  policy::fraction_bits(shape, f, adder.carried_fraction_bits, adder.c_fraction_bits), {0});
    needed.sums = std::max(needed.sums, to.width);
  }
  return needed;
}

int block_width(const UnitModel& model) {
  constexpr int kLargestSignificand = 16;
  if (info(model.formats.d).is_integer()) return 0;
  const auto chain = chain_of(model.tree);
  if (!chain || chain->inside || model.paths != OperandPaths{} || chain->c_enters != CEnters::first ||
      !has_usual_parameters(model) || std::holds_alternative<NanRule>(model.nan))
    return 0;
  const WordsNeeded needed = words_needed(model);
  if (std::max(info(model.formats.a).precision(), info(model.formats.b).precision()) > kLargestSignificand ||
      std::max(info(room_for_c(model.formats)).container_bits, info(model.formats.d).container_bits) > 32 ||
      needed.operands > kWordBits<std::uint32_t> || needed.sums > kWordBits<std::uint64_t>)
    return 0;
  const std::size_t width = chain->blocks.front().size();
  const auto equal = [&](const std::vector<int>& block) { return block.size() == width; };
  if (!std::ranges::all_of(chain->blocks, equal)) return 0;
  return width == 4 || width == 8 || width == 16 || width == 32 ? static_cast<int>(width) : 0;
}

}  // namespace mmaprint
