// The tree: nodes that add as many operands of the same kinds, with the same adder, are one function.
#include "emit/unit_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/integer_steps.h"
#include "emit/node_steps.h"
#include "emit/tree_writer.h"

namespace mmaprint::emit {
namespace {

std::vector<int> products_of(const Node& node) {
  std::vector<int> all;
  for (const Leaf& leaf : node.operands)
    if (const auto* p = std::get_if<ProductLeaf>(&leaf)) all.push_back(p->index);
  return all;
}
std::vector<Parameter> unit_parameters(const UnitModel& model) {
  std::vector<Parameter> all;
  for (const auto& [role, format, count] : input_roles(model.formats, model.k)) {
    const Type one = pattern(info(format).container_bits);
    all.push_back(
        {std::string(mmaprint::name(role)), role == Role::c ? one : array(one, static_cast<int>(count))});
  }
  return all;
}

/// a_values and b_values.
void read_factors(Body& body, const std::vector<Parameter>& parameters, const Callee& a, const Callee& b,
                  int k) {
  for (const int i : {0, 1})
    body.fill(i == 0 ? "a_values" : "b_values", k, [&](const Expr& index) {
      const Parameter& p = parameters[static_cast<std::size_t>(i)];
      return call(i == 0 ? a : b, {element(variable(p.name, p.type), index)});
    });
}

/// What nodes that share a function have in common: bits and bounds that hold of all of them.
struct Shape {
  int adder;
  std::vector<OperandKind> kinds;
  OperandBits bits;
  CarriedOperands carried;
};

class FloatingUnit {
 public:
  FloatingUnit(Context& context, std::string name) : context_(context), name_(std::move(name)) {}

  void write() {
    readings_ = reading_functions(context_);
    find_shapes();
    const UnitModel& model = context_.model;
    const auto parameters = unit_parameters(model);
    Body body;
    read_factors(body, parameters, readings_.a.function, readings_.b.function, model.k);
    if (model.formats.c)
      c_ = body.define("c_value", call(readings_.c.function, {variable("c", parameters[2].type)}));
    scales_ = unit_scales(context_, body);
    TreeWriter tree(readings_.a.number.type, readings_.b.number.type, model.k, scales_);
    std::vector<PlannedCall> calls;
    for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) calls.push_back(planned(tree, n));
    const Expr root = tree.write(body, calls);
    finish(body, root);
    context_.add({context_.unique(name_), "d of the unit.", parameters,
                  pattern(context_.plan.d.container_bits), std::move(body).statements()});
  }

 private:
  void find_shapes() {
    for (const PlannedNode& node : context_.plan.nodes) {
      auto same = std::ranges::find_if(
          shapes_, [&](const Shape& s) { return s.adder == node.adder && s.kinds == node.kinds; });
      if (same == shapes_.end()) {
        shapes_.push_back({node.adder, node.kinds, node.bits, node.carried});
        continue;
      }
      same->bits.lowest = std::min(same->bits.lowest, node.bits.lowest);
      same->bits.subnormal = std::max(same->bits.subnormal, node.bits.subnormal);
      same->carried.bounds = std::max(same->carried.bounds, node.carried.bounds);
      same->carried.largest = std::max(same->carried.largest, node.carried.largest);
    }
  }

  [[nodiscard]] Expr plus_zero() {
    const Number d = context_.result_of(context_.plan.d);
    return context_.make_number(d, truth(false), number(d.format.emin()),
                                constant(natural(d.format.precision()), 0), truth(false), truth(false));
  }

  /// The operands of a node as its function has them, and as its call does.
  PlannedCall planned(TreeWriter& tree, std::size_t n) {
    const Node& node = context_.model.tree.nodes[n];
    PlannedNode shared = context_.plan.nodes[n];
    const auto& shape = *std::ranges::find_if(
        shapes_, [&](const Shape& s) { return s.adder == shared.adder && s.kinds == shared.kinds; });
    shared.bits = shape.bits;
    shared.carried = shape.carried;
    PlannedCall made;
    std::vector<NodeOperand> operands;
    int products = 0;
    for (const Leaf& leaf : node.operands) {
      using What = NodeOperand::What;
      if (std::holds_alternative<ProductLeaf>(leaf)) {
        if (operands.empty() || operands.back().what != What::products)
          operands.push_back({What::products, products, 0});
        ++operands.back().count;
        ++products;
      } else if (std::holds_alternative<PaddingLeaf>(leaf)) {
        if (operands.empty() || operands.back().what != What::padding)
          operands.push_back({What::padding, 0, 0});
        ++operands.back().count;
      } else {
        operands.push_back(value_operand(tree, leaf, shared.products > 0, made));
      }
    }
    made.products = products_of(node);
    made.scales = scales_of(made.products, shared.is_scaled);
    bool holds_c = false;
    for (const Leaf& leaf : node.operands) {
      const auto* earlier = std::get_if<NodeLeaf>(&leaf);
      holds_c = holds_c || std::holds_alternative<CLeaf>(leaf) ||
                (earlier != nullptr && holds_c_[static_cast<std::size_t>(earlier->node)]);
    }
    holds_c_.push_back(holds_c);
    const NodeFunction& function = function_of(shared, operands, made.scales);
    made.function = function.function;
    results_.push_back(function.result);
    tree.announce(type_of(function.result));
    if (made.others.size() != 1) made.earlier = -1;
    return made;
  }

  /// One for all if all are of one block, as those are whose sum is scaled: of each role's, at least.
  [[nodiscard]] std::optional<NodeScales> scales_of(const std::vector<int>& products, bool is_scaled) const {
    if (!scales_ || products.empty()) return std::nullopt;
    const int block = scales_->block_of(products.front());
    const bool one = std::ranges::all_of(products, [&](int i) { return scales_->block_of(i) == block; });
    return NodeScales{scales_->scale, !one && !is_scaled};
  }

  NodeOperand value_operand(const TreeWriter& tree, const Leaf& leaf, bool adds_products, PlannedCall& made) {
    NodeOperand x;
    if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
      const auto at = static_cast<std::size_t>(earlier->node);
      made.others.push_back(tree.result(earlier->node));
      made.earlier = earlier->node;
      x.value = results_[at];
      x.running_sum = adds_products || holds_c_[at];
    } else if (std::holds_alternative<CLeaf>(leaf)) {
      made.others.push_back(c_);
      x.value = readings_.c.number;
      x.running_sum = true;
    } else {
      made.others.push_back(plus_zero());
      x.value = context_.result_of(context_.plan.d);
      x.running_sum = adds_products;
    }
    return x;
  }

  const NodeFunction& function_of(const PlannedNode& node, const std::vector<NodeOperand>& operands,
                                  const std::optional<NodeScales>& scales) {
    std::string key = fmt::format("{}{}", node.adder, scales && scales->each ? " each" : "");
    for (const NodeOperand& x : operands) {
      key += fmt::format(" {}.{}.{}", static_cast<int>(x.what), x.first, x.count);
      if (x.value) key += type_of(*x.value).record;
      if (context_.nan_rule() != nullptr) key += x.running_sum ? "+" : "-";
    }
    const auto known = functions_.find(key);
    if (known != functions_.end()) return known->second;
    const char* name = node.products > 0 ? "add_products" : node.operands == 1 ? "convert" : "add_sums";
    const Number &a = readings_.a.number, &b = readings_.b.number;
    return functions_
        .emplace(key, node.is_scaled ? scaled_sum_function(context_, name, node, a, b, scales.value().scale)
                                     : node_function(context_, name, node, operands, a, b, scales))
        .first->second;
  }

  void finish(Body& body, const Expr& root) {
    const Number d = context_.result_of(context_.plan.d);
    const NumberExpr x{d, root};
    const Type word = pattern(d.format.container_bits);
    const auto constant_pattern = [&](Pattern p) { return constant(word, static_cast<std::int64_t>(p)); };
    const Callee write = writing_function(context_, d);
    if (const NanRule* rule = context_.nan_rule()) {
      const NanExpr nan = context_.travelling_nan(root);
      body.note("The unit's own NaN, or the one that has come through.");
      body.result_if(x.nan() && nan.own, constant_pattern(rule->generated));
      const int f = d.format.fraction_bits, bits = context_.payload_bits();
      const Expr fraction = bits >= f ? nan.payload >> (bits - f) : widened(nan.payload, f) << (f - bits);
      const Expr field = constant(word, (std::int64_t{1} << d.format.exponent_bits) - 1)
                         << (d.format.ignored_low_bits + f);
      body.result_if(x.nan(), (cast(as_natural(nan.negative), word) << d.format.sign_bit()) | field |
                                  (cast(fraction, word) << d.format.ignored_low_bits));
    } else {
      const auto one = constant_nan(context_.model.nan);
      if (!one)
        body.note(
            "NaN results have several patterns, of which the model says nothing more: this is one of them.");
      body.result_if(x.nan(), constant_pattern(one.value_or(canonical_nan(d.format.id))));
    }
    body.result(call(write, {root}));
  }

  Context& context_;
  std::string name_;
  Readings readings_;
  std::optional<UnitScales> scales_;
  Expr c_;
  std::vector<Shape> shapes_;
  std::vector<NodeValue> results_;
  std::vector<bool> holds_c_;
  std::map<std::string, NodeFunction> functions_;
};

void write_integer_unit(Context& context, const std::string& name) {
  const UnitModel& model = context.model;
  const Callee a = integer_reading(context, model.formats.a);
  const Callee b = model.formats.a == model.formats.b ? a : integer_reading(context, model.formats.b);
  const auto parameters = unit_parameters(model);
  Body body;
  read_factors(body, parameters, a, b, model.k);
  Expr c;
  if (model.formats.c)
    c = body.define(
        "c_value", cast(call(integer_reading(context, *model.formats.c), {variable("c", parameters[2].type)}),
                        integer(32)));
  TreeWriter tree(a.result, b.result, model.k);
  std::map<std::pair<int, int>, Callee> functions;
  std::vector<PlannedCall> calls;
  for (const Node& node : model.tree.nodes) {
    PlannedCall made;
    made.products = products_of(node);
    for (const Leaf& leaf : node.operands) {
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
        made.others.push_back(tree.result(earlier->node));
        made.earlier = earlier->node;
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        made.others.push_back(c);
      } else if (std::holds_alternative<ZeroLeaf>(leaf)) {
        made.others.push_back(constant(integer(32), 0));
      }
    }
    const std::pair<int, int> key(made.products.size(), made.others.size());
    if (!functions.contains(key))
      functions[key] = integer_node(context, key.first, a.result, b.result, key.second);
    made.function = functions[key];
    if (made.others.size() != 1) made.earlier = -1;
    tree.announce(integer(32));
    calls.push_back(std::move(made));
  }
  const Expr root = tree.write(body, calls);
  body.result(cast(low_bits(root, 32), pattern(32)));
  context.add(
      {context.unique(name), "d of the unit.", parameters, pattern(32), std::move(body).statements()});
}

}  // namespace

Program program_of(const UnitModel& model, const std::string& name) {
  Context context(model);
  if (context.plan.d.is_integer())
    write_integer_unit(context, name);
  else
    FloatingUnit(context, name).write();
  return std::move(context.program);
}

}  // namespace mmaprint::emit
