// A SAT solver that says what is not so: it is found out before anything is concluded from it.
#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "solver/aig_checker.h"
#include "solver/aig_gates.h"
#include "solver/by_nodes.h"
#include "solver/sat.h"

namespace mmaprint::wrong_answers_test {
namespace {

enum class Fault : std::uint8_t {
  none,
  no_solution_without_proof,    ///< it says that there is no solution, and no more
  no_solution_by_empty_clause,  ///< it says so, and that this is plain
  a_solution,                   ///< it says that there is one
  another_solution,             ///< it takes some variable's value for the other
};

class Faulty final : public SatEngine {
 public:
  explicit Faulty(Fault fault) : fault_(fault), sound_(make_cadical()) {}
  void expect_lemmas() override { sound_->expect_lemmas(); }
  void add(int literal) override { sound_->add(literal); }
  void learn(std::span<const int> clause) override { sound_->learn(clause); }
  void assume(int literal) override { sound_->assume(literal); }
  Verdict solve(const Limits& limits) override {
    verdict_ = sound_->solve(limits);
    switch (fault_) {
      case Fault::no_solution_without_proof:
      case Fault::no_solution_by_empty_clause:
        return Verdict::unsatisfiable;
      case Fault::a_solution:
        return Verdict::satisfiable;
      default:
        return verdict_;
    }
  }
  bool value(int variable) override {
    return verdict_ == Verdict::satisfiable && sound_->value(variable) != (fault_ == Fault::another_solution);
  }
  std::string proof() override {
    if (fault_ == Fault::no_solution_by_empty_clause) return {'a', '\0'};
    return sound_->proof();
  }
  [[nodiscard]] std::int64_t conflicts() const override { return sound_->conflicts(); }

 private:
  Fault fault_;
  std::unique_ptr<SatEngine> sound_;
  Verdict verdict_ = Verdict::unknown;
};
EngineMaker with(Fault fault) {
  return [fault] { return std::make_unique<Faulty>(fault); };
}

/// One FP16 product and an FP32 c, with so many bits kept in alignment.
UnitModel fma(int f) {
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}, CLeaf{}}, 0, {}}}}};
  Adder adder = exact_adder(Format::fp32, Rounding::toward_zero);
  adder.alignment_fraction_bits = f;
  return unit_model("fma", 1, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, skeleton,
                    {{adder}, {}}, canonical_nan(Format::fp32));
}
TEST(WrongAnswers, OfASoundSolverThereAreNone) {
  const auto checker = make_aig_checker(with(Fault::none));
  const auto different = checker->distinguish(fma(23), fma(24), {}, {});
  ASSERT_TRUE(std::holds_alternative<Witness>(different));
  const DotInput& input = std::get<Witness>(different).input;
  EXPECT_NE(evaluate(fma(23), input), evaluate(fma(24), input));
}

TEST(WrongAnswers, ThatUnitsAreEqualAreFoundOut) {
  for (const Fault fault : {Fault::no_solution_without_proof, Fault::no_solution_by_empty_clause}) {
    const auto checker = make_aig_checker(with(fault));
    EXPECT_THROW((void)checker->distinguish(fma(23), fma(24), {}, {}), WrongAnswer);
    EXPECT_THROW((void)compare_by_nodes(*checker, fma(23), fma(24), {}), WrongAnswer);
  }
}

TEST(WrongAnswers, ThatUnitsDifferAreFoundOut) {
  Aig graph;
  const Literal x = graph.input(), y = graph.input(), z = graph.input();
  // x and y and z have an even number of ones and an odd one, which no hashing shows.
  const Literal odd = graph.exclusive(x, graph.exclusive(y, z));
  const Literal even = !graph.exclusive(z, graph.exclusive(x, y));
  for (const Fault fault : {Fault::none, Fault::a_solution}) {
    Sat sat(graph, {}, with(fault));
    sat.assert_unit(odd);
    sat.assert_unit(even);
    if (fault == Fault::none)
      EXPECT_EQ(sat.check({}, {}), Verdict::unsatisfiable);
    else
      EXPECT_THROW((void)sat.check({}, {}), WrongAnswer);
  }
}

TEST(WrongAnswers, AboutWhereUnitsDifferAreFoundOut) {
  const auto checker = make_aig_checker(with(Fault::another_solution));
  EXPECT_THROW((void)checker->distinguish(fma(23), fma(24), {}, {}), WrongAnswer);
}

}  // namespace
}  // namespace mmaprint::wrong_answers_test
