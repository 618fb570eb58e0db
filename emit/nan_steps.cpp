// Which NaN goes on from a node, by the model's rule. The order of a node's operands is known
// (docs/semantics.md, "Which NaN"); only whether each is a NaN, and signalling, is not.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "emit/node_steps.h"

namespace mmaprint::emit {
namespace {

/// An operand that may be a NaN, or a product that may be invalid.
struct Candidate {
  std::tuple<bool, int, int, bool> rank;
  Expr condition;
  NanExpr nan;
  bool can_signal;
};

class NanOrder {
 public:
  NanOrder(const Context& context, const NanRule& rule) : context_(context), rule_(rule) {}

  void product(const NumberExpr& a, const NumberExpr& b, int place) {
    const bool a_first = rule_.factors == NanRule::Factors::a_first;
    if (a.of.has_nan) add(part(false, !a_first), place, !a_first, a);
    if (b.of.has_nan) add(part(false, a_first), place, a_first, b);
    const Expr invalid = is_invalid(a, b);
    if (is_constant(invalid, false) || rule_.invalid == NanRule::Invalid::last) return;
    NanExpr own = context_.no_nan();
    own.own = truth(true);
    all_.push_back({{rule_.invalid != NanRule::Invalid::first, part(false, false), at(place), false},
                    invalid && !a.nan() && !b.nan(),
                    own,
                    false});
  }
  void value(const Expr& x, bool running_sum, int place) {
    const NanExpr nan = context_.travelling_nan(x);
    all_.push_back(
        {{true, part(running_sum, false), at(place), false}, field(x, "nan", boolean()), nan, true});
  }
  /// Those that go first, first.
  [[nodiscard]] std::vector<Candidate> sorted() && {
    std::ranges::stable_sort(all_, {}, &Candidate::rank);
    if (rule_.signalling == NanRule::Signalling::alike) return all_;
    std::vector<Candidate> with_signalling;
    for (const Candidate& c : all_)
      if (c.can_signal) {
        with_signalling.push_back(c);
        with_signalling.back().condition = c.condition && c.nan.signalling;
      }
    with_signalling.insert(with_signalling.end(), all_.begin(), all_.end());
    return with_signalling;
  }

 private:
  void add(int part, int place, bool second, const NumberExpr& x) {
    all_.push_back({{true, part, at(place), second}, x.nan(), context_.travelling_nan(x.value), true});
  }
  [[nodiscard]] int at(int place) const {
    return rule_.products == NanRule::Products::ascending ? place : -place;
  }
  [[nodiscard]] int part(bool sum, bool second_factor) const {
    if (rule_.sum == NanRule::Sum::first) return sum ? 0 : 1;
    if (rule_.sum == NanRule::Sum::last) return sum ? 1 : 0;
    return sum ? 1 : second_factor ? 2 : 0;
  }

  const Context& context_;
  const NanRule& rule_;
  std::vector<Candidate> all_;
};

}  // namespace

Callee nan_function(Context& context, const std::string& name, const std::vector<NodeOperand>& operands,
                    const std::vector<Parameter>& parameters, const FormatInfo& result, const Number& a,
                    const Number& b) {
  const int bits = context.payload_bits();
  const Type nan = record("travelling_nan");
  context.add_record(
      {"travelling_nan",
       "A NaN on its way: its sign, its payload, the top bit first, and whether the unit made it (own)",
       {{"negative", boolean()}, {"payload", natural(bits)}, {"own", boolean()}}});
  const auto names = operand_names(operands);
  NanOrder order(context, *context.nan_rule());
  int place = 0;
  std::size_t other = 0;
  for (const NodeOperand& x : operands) {
    if (x.what == NodeOperand::What::products) {
      for (int i = 0; i < x.count; ++i) {
        const auto factor = [&](const Number& of, const char* array_name) {
          return NumberExpr{of, element(variable(array_name, array(of.type, 1)), number(x.first + i))};
        };
        order.product(factor(a, "a"), factor(b, "b"), place++);
      }
    } else if (x.what == NodeOperand::What::padding) {
      place += x.count;
    } else {
      const auto* its = std::get_if<Number>(&*x.value);
      if (its == nullptr || its->has_nan)
        order.value(variable(names[other], type_of(*x.value)), x.running_sum, place);
      ++other;
      ++place;
    }
  }
  Body body;
  const int cut = std::max(0, bits - result.fraction_bits);
  for (const Candidate& c : std::move(order).sorted()) {
    const Expr quiet = c.nan.payload | constant(natural(bits), std::int64_t{1} << (bits - 1));
    body.result_if(c.condition,
                   make(nan, {c.nan.negative, cut > 0 ? (quiet >> cut) << cut : quiet, c.nan.own}));
  }
  body.result(make(nan, {truth(false), constant(natural(bits), 0), truth(true)}));
  return context.add(
      {context.unique("nan_of_" + name),
       "Which NaN goes on from a node whose result is NaN: the first of its operands' in this order, "
       "quieted, or else the unit's own.",
       parameters, nan, std::move(body).statements()});
}

}  // namespace mmaprint::emit
