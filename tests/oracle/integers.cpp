#include "oracle/integers.h"

namespace mmaprint::oracle {
namespace {

mpz_class integer_operand(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  const mpz_class value(static_cast<unsigned long>(pattern));
  return f.has_sign ? wrapped(value, f.container_bits) : value;
}

class IntegerEvaluation {
 public:
  IntegerEvaluation(const UnitModel& model, const DotInput& input, const Deviation& deviation)
      : model_(model), input_(input), at_(deviation) {}

  Pattern operator()() {
    for (const Node& node : model_.tree.nodes) results_.push_back(result(node));
    const int bits = info(model_.formats.d).container_bits;
    const mpz_class& d = results_.back();
    return mpz_class(d < 0 ? mpz_class(d + power_of_two(bits)) : d).get_ui();
  }

 private:
  [[nodiscard]] mpz_class operand(Role role, int index, Format format, Pattern pattern) const {
    mpz_class x = integer_operand(format, pattern);
    if (at_.integer_operand) at_.integer_operand(role, index, x);
    return x;
  }

  [[nodiscard]] mpz_class product(int index, ProductKind kind) const {
    const auto i = static_cast<std::size_t>(index);
    const mpz_class x = operand(Role::a, index, model_.formats.a, input_.a[i]);
    const mpz_class y = operand(Role::b, index, model_.formats.b, input_.b[i]);
    mpz_class xy = kind == ProductKind::exclusive_or ? mpz_class(x ^ y) : mpz_class(x * y);
    if (at_.integer_product) at_.integer_product(index, xy);
    return xy;
  }

  [[nodiscard]] mpz_class result(const Node& node) const {
    const int n = static_cast<int>(results_.size());
    Adder adder = model_.adders[static_cast<std::size_t>(node.adder)];
    Conventions conventions = model_.conventions;
    if (at_.parameters) at_.parameters(n, adder, conventions);
    mpz_class products, sum;
    for (const Leaf& leaf : node.operands) {
      if (const auto* factor = std::get_if<ProductLeaf>(&leaf))
        products += product(factor->index, adder.product);
      else if (std::holds_alternative<CLeaf>(leaf))
        sum += operand(Role::c, 0, model_.formats.c.value(), input_.c);
      else if (const auto* before = std::get_if<NodeLeaf>(&leaf))
        sum += results_[static_cast<std::size_t>(before->node)];
    }
    if (at_.integer_products) at_.integer_products(n, products);
    sum += products;
    if (at_.integer_sum) at_.integer_sum(n, sum);

    const int bits = info(model_.formats.d).container_bits;
    const mpz_class most = power_of_two(bits - 1) - 1;
    const mpz_class least = -power_of_two(bits - 1);
    if (conventions.overflow == Overflow::wrap) sum = wrapped(sum, bits);
    return sum > most ? most : sum < least ? least : sum;
  }

  const UnitModel& model_;
  const DotInput& input_;
  const Deviation& at_;
  std::vector<mpz_class> results_;
};

}  // namespace

Pattern evaluate_integer(const UnitModel& model, const DotInput& input, const Deviation& deviation) {
  return IntegerEvaluation(model, input, deviation)();
}

}  // namespace mmaprint::oracle
