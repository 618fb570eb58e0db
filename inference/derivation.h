// Why all hypotheses of a set compute as the model does: the steps by which that was shown, each of which can
// be checked alone (inference/derivation_check.h).
//
// First the set becomes smaller, to one hypothesis in the end: in each step all of its hypotheses compute as
// some that are left. Then models lead from that one to the model, each computing as the one before.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "model/unit_model.h"
#include "solver/distinguish.h"

namespace mmaprint {

/// Bounds show that they differ in what makes no difference (solver/idle_values.h).
struct ByIdleValues {};
/// F and the clamp of one class of nodes leave the same last place (are_clamped_alike).
struct ByClamp {
  int of_class = 0;
};
/// They are the same but for which nodes are of one class.
struct BySameNodes {};
/// Their nodes add the same operands, each in an order that cannot matter (differ_in_order_alone).
struct ByOrder {};
/// They differ in what cannot matter in a model (have_the_same_plain_form).
struct ByPlainForm {};
/// A solver refuted that they differ: at each of their nodes, or as units. Asked about `inputs` alone where
/// elsewhere they can't.
struct ByQuestions {
  Inputs inputs = Inputs::all;
  std::vector<ProvedQuestion> proved{};
};

/// Hypotheses compute as those that have the target's value of `parameter`, the target being the set's
/// nearest to the model. Without a parameter: of idle values one is left of each.
struct SetStep {
  std::optional<ParameterKey> parameter;
  ByQuestions by{};
};

/// Two models compute alike. What was asked has them on these sides.
struct ModelStep {
  UnitModel left, right;
  std::variant<ByIdleValues, ByClamp, BySameNodes, ByOrder, ByPlainForm, ByQuestions> by;
};

struct Derivation {
  std::vector<SetStep> sets;
  std::vector<ModelStep> models;  ///< each has a model of the next; the last one the model
};

/// Leaves out what comes after it has arrived at the model for the first time, from the set's last
/// hypothesis.
void end_at(Derivation& derivation, UnitModel begin, const UnitModel& model);

}  // namespace mmaprint
