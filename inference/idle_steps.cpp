#include "inference/idle_steps.h"

#include <utility>

#include "solver/idle_values.h"

namespace mmaprint {
namespace {

class IdleSteps {
 public:
  IdleSteps(const UnitModel& from, const ParameterValues& goal)
      : plan_(from.formats, from.k, skeleton_of(from)), goal_(goal), at_(from) {}

  std::vector<ModelStep> operator()() && {
    for (bool taken = true; taken;) {
      taken = false;
      for (int of_class = 0; std::cmp_less(of_class, goal_.adders.size()); ++of_class)
        taken = takes({{{Parameter::alignment_fraction_bits, of_class},
                        {Parameter::minimum_alignment_exponent, of_class}}}) ||
                taken;
      for (const ParameterKey& p : differences_between(values_of(at_), goal_)) taken = takes({{p}}) || taken;
    }
    return std::move(steps_);
  }

 private:
  bool takes(const std::vector<ParameterKey>& keys) {
    const ParameterValues now = values_of(at_);
    ParameterValues next = now;
    for (const ParameterKey& p : keys) set_value(next, p, value_index(goal_, p));
    const bool is_idle = keys.size() == 1 ? makes_no_difference(plan_, now, goal_, keys[0])
                                          : are_clamped_alike(plan_, now, next, keys[0].of_class);
    UnitModel there = at_;
    there.adders = next.adders;
    there.conventions = next.conventions;
    if (next == now || !is_idle || !is_legal(there)) return false;
    ModelStep step{std::exchange(at_, there), std::move(there), ByIdleValues{}};
    if (keys.size() > 1) step.by = ByClamp{keys[0].of_class};
    steps_.push_back(std::move(step));
    return true;
  }

  Plan plan_;
  const ParameterValues& goal_;
  UnitModel at_;
  std::vector<ModelStep> steps_;
};

}  // namespace

std::vector<ParameterKey> differences_between(const ParameterValues& x, const ParameterValues& y) {
  std::vector<ParameterKey> all;
  for (const ParameterKey& p : order_of_proof(static_cast<int>(y.adders.size())))
    if (value_index(x, p) != value_index(y, p)) all.push_back(p);
  return all;
}

std::vector<ModelStep> idle_steps(const UnitModel& from, const ParameterValues& goal) {
  return IdleSteps(from, goal)();
}

}  // namespace mmaprint
