// Units whose nodes add the same operands, whichever of them are of one class.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// Do nodes of the same place add the same operands in the same order, and round to the same format? Which of
/// them are of one class does not matter, nor does +0 among the operands.
[[nodiscard]] bool add_the_same(const Skeleton& x, const Skeleton& y);

/// The same, and +0 where the other one's do.
[[nodiscard]] bool have_the_same_operands(const Skeleton& x, const Skeleton& y);

/// The same unit, but that nodes add their operands in the order in which the other one's nodes do, where
/// these add the same and no order can matter: +0 first. Sums are exact before they are normalised late, and
/// what decides E is a maximum.
[[nodiscard]] UnitModel ordered_as(const UnitModel& model, const UnitModel& other);
/// Is it the same unit, but for the order of operands at nodes where none can matter?
[[nodiscard]] bool differ_in_order_alone(const UnitModel& x, const UnitModel& y);

/// Is it the same unit, but for which nodes are said to be of one class?
[[nodiscard]] bool has_the_same_nodes(const UnitModel& x, const UnitModel& y);

/// The class of each node.
using NodeClasses = std::vector<int>;
[[nodiscard]] NodeClasses classes_of_nodes(const Tree& tree);

/// The same unit with other classes; nullopt where nodes of one class had different parameters, where there
/// are not as many classes as nodes, or where classes are not numbered in the nodes' order.
[[nodiscard]] std::optional<UnitModel> with_classes(const UnitModel& model, const NodeClasses& classes);
/// The same unit, its nodes of one class where they have the same parameters and results; nullopt where that
/// takes more classes than boxes have.
[[nodiscard]] std::optional<UnitModel> with_fewest_classes(const UnitModel& model);

/// The coarsest classes of which no one has nodes of two classes of either tree. Requires as many nodes.
[[nodiscard]] NodeClasses common_classes(const Tree& x, const Tree& y);

/// Both units, with such classes: each has an adder for every class. nullopt where nodes of the same place
/// add something else, +0 aside; how factors are converted does not matter.
[[nodiscard]] std::optional<std::pair<UnitModel, UnitModel>> with_common_classes(const UnitModel& x,
                                                                                 const UnitModel& y);

}  // namespace mmaprint
