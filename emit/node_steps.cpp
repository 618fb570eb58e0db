#include "emit/node_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/alignment_steps.h"
#include "emit/node_value.h"
#include "emit/rounding_steps.h"

namespace mmaprint::emit {

std::vector<std::string> operand_names(const std::vector<NodeOperand>& operands) {
  const auto is_value = [](const NodeOperand& x) { return x.what == NodeOperand::What::value; };
  const bool alone = std::ranges::count_if(operands, is_value) == 1;
  std::vector<std::string> names;
  for (const NodeOperand& x : operands)
    if (is_value(x)) names.push_back(alone ? "addend" : fmt::format("addend_{}", names.size() + 1));
  return names;
}

namespace {

class NodeWriter {
 public:
  NodeWriter(Context& context, std::string name, const PlannedNode& node,
             const std::vector<NodeOperand>& operands, const Number& a, const Number& b,
             const std::optional<NodeScales>& scales)
      : context_(context),
        name_(std::move(name)),
        node_(node),
        operands_(operands),
        a_(a),
        b_(b),
        scales_(scales),
        adder_(context.model.adders[static_cast<std::size_t>(node.adder)]),
        plan_(alignment_plan(context, node)) {
    // What has no say is left out.
    if (plan_.as_exact) {
      adder_.minimum_alignment_exponent.reset();
      adder_.zero_addends = {};
      adder_.product =
          plan_.normalises_products ? ProductKind::exact_normalised : ProductKind::exact_unnormalised;
    }
  }

  NodeFunction write() {
    declare();
    see();
    align_and_add();
    finish();
    return {context_.add({context_.unique(name_), comment(), parameters_, type_of(result_),
                          std::move(body_).statements()}),
            result_};
  }

 private:
  [[nodiscard]] const Conventions& rules() const { return context_.model.conventions; }
  [[nodiscard]] bool has_products() const { return node_.products > 0; }

  void declare();
  void see();
  void align_and_add();
  void finish();

  [[nodiscard]] std::string comment() const;
  [[nodiscard]] Expr result_of_kind(const Expr& negative, const Expr& nan, const Expr& infinite,
                                    bool of_zeros, const Expr& exponent,
                                    const NanExpr* travelling = nullptr) const;
  [[nodiscard]] Expr all_zero_sign(const Expr& all_negative, const Expr& any_negative) const;
  [[nodiscard]] Expr aligned(const std::string& what, const KindAlignment& kind, const Expr& significand,
                             int fraction_bits, const Expr& negative, const Expr& distance);
  void add(Body& body, const Expr& negative, const Expr& value, bool first);
  void add_product(Body& body, const Expr& index, bool first);
  void add_value(Body& body, const Value& value, bool first);
  void after_addition(Body& body, bool first);
  [[nodiscard]] Expr renormalised(const Expr& sum);
  [[nodiscard]] ProductExpr product(const Expr& index) const {
    return {products_, element(product_array_, index)};
  }

  Context& context_;
  std::string name_;
  const PlannedNode& node_;
  const std::vector<NodeOperand>& operands_;
  Number a_, b_;
  std::optional<NodeScales> scales_;
  Adder adder_;
  AlignmentPlan plan_;

  Body body_;
  std::vector<Parameter> parameters_;
  std::vector<Value> values_;
  Products products_;
  Expr product_array_;
  NodeValue result_;
  int padding_ = 0;
  Expr e_, zero_result_, sum_;
  std::map<std::string, Callee> aligners_;
  std::optional<Callee> renormaliser_;
};

std::string NodeWriter::comment() const {
  std::string text = "One node of the tree: ";
  if (has_products()) text += fmt::format("{} product{}", node_.products, node_.products == 1 ? "" : "s");
  if (has_products() && !values_.empty()) text += " and ";
  if (!values_.empty())
    text += fmt::format("{} other operand{}", values_.size(), values_.size() == 1 ? "" : "s");
  if (padding_ > 0) text += fmt::format(" and {} products of zeros", padding_);
  text += node_.operands == 1 ? ", rounded" : ", aligned and added at once";
  if (plan_.immediate)
    text = text.substr(0, text.rfind(',')) + ", aligned at once and added one after the other";
  return text + (node_.is_carried ? "; the sum goes on as it is." : ".");
}

/// Parameters, products, and the type of what comes out.
void NodeWriter::declare() {
  if (has_products()) {
    parameters_.push_back({"a", array(a_.type, node_.products)});
    parameters_.push_back({"b", array(b_.type, node_.products)});
    products_ = product_function(context_, "product", adder_, plan_.as_exact && !plan_.normalises_products,
                                 a_, b_, scales_ ? &scales_->scale : nullptr);
    const Expr a = variable("a", parameters_[0].type), b = variable("b", parameters_[1].type);
    Expr scales;
    if (scales_) {
      const Type& type = scales_->scale.type;
      scales = scales_->each ? variable("scales", array(type, node_.products)) : variable("scale", type);
      parameters_.push_back({scales->name, scales->type});
    }
    product_array_ = body_.fill("products", node_.products, [&](const Expr& i) {
      std::vector<Expr> factors{element(a, i), element(b, i)};
      if (scales_) factors.push_back(scales_->each ? element(scales, i) : scales);
      return call(products_.function, std::move(factors));
    });
  }
  const auto names = operand_names(operands_);
  for (const NodeOperand& x : operands_) {
    if (x.what == NodeOperand::What::padding) padding_ += x.count;
    if (x.what != NodeOperand::What::value) continue;
    const std::string& its = names[values_.size()];
    parameters_.push_back({its, type_of(*x.value)});
    values_.push_back({its, *x.value, variable(its, type_of(*x.value)), {}});
  }
  if (!node_.is_carried) {
    result_ = context_.result_of(node_.result);
    return;
  }
  Record sum{
      context_.unique("carried_sum"),
      fmt::format(
          "(-1)^negative * significand * 2^(exponent - {}), a sum that goes on as it is; exponent is E, "
          "to which it was aligned",
          plan_.fraction_bits),
      {{"negative", boolean()},
       {"exponent", exponent_type()},
       {"significand", natural(plan_.width)},
       {"of_zeros", boolean()},
       {"nan", boolean()},
       {"infinite", boolean()}}};
  if (context_.nan_rule() != nullptr) {
    sum.fields.push_back({"payload", natural(context_.payload_bits())});
    sum.fields.push_back({"signalling", boolean()});
    sum.fields.push_back({"own", boolean()});
  }
  result_ = Carried{record(sum.name), plan_.fraction_bits, plan_.width};
  context_.add_record(std::move(sum));
}

/// A result that is a zero, an infinity or NaN.
Expr NodeWriter::result_of_kind(const Expr& negative, const Expr& nan, const Expr& infinite, bool of_zeros,
                                const Expr& exponent, const NanExpr* travelling) const {
  if (const auto* number_type = std::get_if<Number>(&result_)) {
    const FormatInfo& f = number_type->format;
    const bool finite = is_constant(nan, false) && is_constant(infinite, false);
    // An infinity is no zero for whoever looks at its significand.
    const std::int64_t significand = finite ? 0 : std::int64_t{1} << f.fraction_bits;
    return context_.make_number(*number_type, negative, number(finite ? f.emin() : f.emax()),
                                constant(natural(f.precision()), significand), nan, infinite, travelling);
  }
  std::vector<Expr> fields{negative,        exponent, constant(natural(plan_.width), 0),
                           truth(of_zeros), nan,      infinite};
  if (context_.nan_rule() != nullptr) {
    const NanExpr none = context_.no_nan();
    const NanExpr& its = travelling != nullptr ? *travelling : none;
    fields.insert(fields.end(), {its.payload, its.signalling, its.own});
  }
  return make(type_of(result_), std::move(fields));
}

Expr NodeWriter::all_zero_sign(const Expr& all_negative, const Expr& any_negative) const {
  if (rules().zero_sign.all_zero == ZeroSign::positive) return truth(false);
  return adder_.rounding == Rounding::down && !node_.is_carried ? any_negative : all_negative;
}

/// What is seen of all operands together: specials, zeros and E.
void NodeWriter::see() {
  const int lowest = context_.plan.lowest_exponent();
  Expr nan = truth(false), plus = truth(false), minus = truth(false), all_zero = truth(true);
  Expr all_negative = truth(padding_ == 0), any_negative = truth(false);
  int floor = lowest;
  if (padding_ > 0 && adder_.zero_addends.kind() == ZeroAddends::Kind::as_exponent)
    floor = std::max(floor, adder_.zero_addends.exponent());
  if (padding_ > 0 && adder_.zero_addends.kind() == ZeroAddends::Kind::factor_exponent)
    floor = std::max(floor, 2 * adder_.zero_addends.exponent());
  if (adder_.minimum_alignment_exponent) floor = std::max(floor, *adder_.minimum_alignment_exponent);
  Expr e;
  for (Value& x : values_) {
    nan = nan || x.nan();
    plus = plus || (x.infinite() && !x.negative());
    minus = minus || (x.infinite() && x.negative());
    all_zero = all_zero && x.is_zero();
    all_negative = all_negative && x.negative();
    any_negative = any_negative || x.negative();
    const Expr of_zeros = x.is_carried() ? field(x.it, "of_zeros", boolean()) : x.is_zero();
    x.exponent = body_.define(
        x.name + "_exponent",
        exponent_in_alignment(context_, adder_, of_zeros, field(x.it, "exponent", exponent_type())));
    e = e.is_void() ? x.exponent : maximum(e, x.exponent);
  }
  if (e.is_void())
    e = number(floor);
  else if (floor > lowest)
    e = maximum(e, number(floor));
  const bool negatives = !is_constant(all_zero_sign(truth(true), truth(true)), false);
  const bool any = adder_.rounding == Rounding::down && !node_.is_carried;
  if (has_products()) {
    const bool nans = products_.has_nan, infinities = products_.has_infinity;
    const auto start = [&](const char* name, Expr& x, bool needed) {
      if (needed) x = body_.start(name, x);
    };
    start("nan", nan, nans);
    start("plus_infinity", plus, infinities);
    start("minus_infinity", minus, infinities);
    start("all_zero", all_zero, true);
    start("all_negative", all_negative, negatives && !any);
    start("any_negative", any_negative, negatives && any);
    start("E", e, true);
    body_.repeat("i", node_.products, [&](const Expr& i, Body& inside) {
      const ProductExpr x = product(i);
      if (nans) inside.assign(nan, nan || x.nan());
      if (infinities) {
        inside.assign(plus, plus || (x.infinite() && !x.negative()));
        inside.assign(minus, minus || (x.infinite() && x.negative()));
      }
      inside.assign(all_zero, all_zero && is_zero(x.significand()));
      if (negatives && !any) inside.assign(all_negative, all_negative && x.negative());
      if (negatives && any) inside.assign(any_negative, any_negative || x.negative());
      inside.assign(e, maximum(e, x.exponent()));
    });
    e_ = e;
  } else {
    e_ = body_.define("E", e);
  }
  const Expr both_signs = plus && minus;
  if (context_.nan_rule() == nullptr) {
    body_.result_if(nan || both_signs,
                    result_of_kind(truth(false), truth(true), truth(false), false, number(lowest)));
  } else if (!is_constant(nan || both_signs, false)) {
    const FormatInfo& goes_on_in = node_.is_carried ? context_.plan.d : node_.result;
    const Callee which = nan_function(context_, name_, operands_, parameters_, goes_on_in, a_, b_);
    std::vector<Expr> arguments;
    for (const Parameter& p : parameters_) arguments.push_back(variable(p.name, p.type));
    const Expr found = body_.define("which_nan", call(which, std::move(arguments)));
    const NanExpr travelling{field(found, "negative", boolean()),
                             field(found, "payload", natural(context_.payload_bits())), truth(false),
                             field(found, "own", boolean())};
    body_.result_if(nan || both_signs, result_of_kind(travelling.negative, truth(true), truth(false), false,
                                                      number(lowest), &travelling));
  }
  body_.result_if(plus || minus, result_of_kind(minus, truth(false), truth(true), false, number(lowest)));
  zero_result_ = result_of_kind(all_zero_sign(all_negative, any_negative), truth(false), truth(false), true,
                                number(lowest));
  body_.result_if(all_zero, zero_result_);
}

/// A call of the kind's aligner: an integer multiple of 2^(E - the sum's F).
Expr NodeWriter::aligned(const std::string& what, const KindAlignment& kind, const Expr& significand,
                         int fraction_bits, const Expr& negative, const Expr& distance) {
  const std::string key = fmt::format("{}.{}.{}", what, significand->type.bits, fraction_bits);
  if (!aligners_.contains(key))
    aligners_[key] =
        aligning_function(context_, what, kind, plan_.fraction_bits, significand->type, fraction_bits);
  std::vector<Expr> arguments{significand, distance};
  if (needs_sign(kind)) arguments.push_back(negative);
  return call(aligners_.at(key), std::move(arguments));
}

Expr NodeWriter::renormalised(const Expr& sum) {
  if (!renormaliser_) renormaliser_ = normalising_function(context_, plan_, adder_.alignment_rounding);
  return call(*renormaliser_, {sum});
}

void NodeWriter::after_addition(Body& body, bool first) {
  if (plan_.immediate && !first) body.assign(sum_, renormalised(sum_));
}
void NodeWriter::add(Body& body, const Expr& negative, const Expr& value, bool first) {
  const Expr name = body.define("aligned", cast(value, integer(plan_.width)));
  body.assign(sum_, choose(negative, sum_ - name, sum_ + name));
  after_addition(body, first);
}
void NodeWriter::add_product(Body& body, const Expr& index, bool first) {
  const ProductExpr x = product(index);
  add(body, x.negative(),
      aligned("product", plan_.product, x.significand(), products_.fraction_bits, x.negative(),
              e_ - x.exponent()),
      first);
}
void NodeWriter::add_value(Body& body, const Value& x, bool first) {
  const Expr distance = e_ - x.exponent;
  const KindAlignment& kind = x.is_carried() ? plan_.carried : plan_.c;
  Expr value = aligned(x.is_carried() ? "carried" : "addend", kind, x.significand(), x.fraction_bits(),
                       x.negative(), distance);
  if (!x.is_carried() && plan_.c_dropped_below)
    value = choose(at_least(distance, *plan_.c_dropped_below + 1), constant(value->type, 0), value);
  const Expr name = body.define("aligned_" + x.name, cast(value, integer(plan_.width)));
  body.assign(sum_, choose(x.negative(), sum_ - name, sum_ + name));
  after_addition(body, first);
}

void NodeWriter::align_and_add() {
  body_.note(fmt::format("The sum in units of 2^(E - {}), {} bits wide.", plan_.fraction_bits, plan_.width));
  sum_ = body_.start("sum", constant(integer(plan_.width), 0));
  bool first = true;
  std::size_t value = 0;
  for (const NodeOperand& x : operands_) {
    if (x.what == NodeOperand::What::value) {
      add_value(body_, values_[value++], first);
    } else if (x.what == NodeOperand::What::padding) {
      for (int i = 0; i < x.count; ++i) after_addition(body_, first && i == 0);
    } else {
      // The first of all operands is not normalised as the others are.
      const int alone = first && plan_.immediate ? 1 : 0;
      if (alone == 1) add_product(body_, number(x.first), true);
      if (x.count > alone)
        body_.repeat("i", x.count - alone, [&](const Expr& i, Body& inside) {
          add_product(inside, i + number(x.first + alone), false);
        });
    }
    first = false;
  }
  const bool wraps_once = plan_.wraps_at && (!plan_.immediate || node_.operands == 1);
  if (wraps_once) {
    body_.note(fmt::format("Kept modulo 2^{}.", *plan_.wraps_at));
    body_.assign(sum_, wrapped(sum_, *plan_.wraps_at));
  }
}

void NodeWriter::finish() {
  const Expr cancelled_sign = truth(rules().zero_sign.cancelled == ZeroSign::follow &&
                                    adder_.rounding == Rounding::down && !node_.is_carried);
  if (plan_.c_dropped_below) {
    Expr all = truth(true);
    for (const Value& x : values_)
      all = all && (x.is_carried() ? x.is_zero()
                                   : x.is_zero() || at_least(e_ - x.exponent, *plan_.c_dropped_below + 1));
    if (has_products()) {
      all = body_.start("nothing_left", all);
      body_.repeat("i", node_.products, [&](const Expr& i, Body& inside) {
        inside.assign(all, all && is_zero(product(i).significand()));
      });
    }
    body_.result_if(all, zero_result_);
  }
  body_.result_if(is_zero(sum_), result_of_kind(cancelled_sign, truth(false), truth(false), false, e_));
  if (node_.is_carried) {
    std::vector<Expr> fields{is_negative(sum_), e_,           magnitude(sum_),
                             truth(false),      truth(false), truth(false)};
    if (context_.nan_rule() != nullptr) {
      const NanExpr none = context_.no_nan();
      fields.insert(fields.end(), {none.payload, none.signalling, none.own});
    }
    body_.result(make(type_of(result_), std::move(fields)));
    return;
  }
  const Number& to = std::get<Number>(result_);
  const Callee round = rounding_function(
      context_, fmt::format("round_to_{}", to.format.name),
      {to, adder_.output_fraction_bits, adder_.rounding, rules().overflow, rules().zero_sign,
       rules().output_subnormals == Subnormals::flushed, rules().flush_test},
      plan_.width);
  body_.result(call(round, {is_negative(sum_), magnitude(sum_), e_ - number(plan_.fraction_bits)}));
}

}  // namespace

NodeFunction node_function(Context& context, const std::string& name, const PlannedNode& node,
                           const std::vector<NodeOperand>& operands, const Number& a, const Number& b,
                           const std::optional<NodeScales>& scales) {
  return NodeWriter(context, name, node, operands, a, b, scales).write();
}

}  // namespace mmaprint::emit
