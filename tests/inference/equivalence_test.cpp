// Whole sets of hypotheses against a model, one parameter after the other.
#include "inference/equivalence.h"

#include <gtest/gtest.h>

#include "chained_sets.h"
#include "inference/representative.h"

namespace mmaprint::equivalence_test {
namespace {

using enum Parameter;

using samples::Additions;
using samples::Chained;
using samples::flushing_pair;

TEST(Equivalence, NeedsNoSolverForTheModelAlone) {
  const auto answer = Chained(CEnters::first).compared();
  ASSERT_TRUE(std::holds_alternative<EquivalentSet>(answer));
  EXPECT_EQ(std::get<EquivalentSet>(answer).clauses, 0);
}

TEST(Equivalence, OfManyParametersThatNoInputShows) {
  for (const CEnters c : {CEnters::first, CEnters::last}) {
    Chained unit(c);
    // Everything that is not a zero and has c in it lies above -127.
    unit.set.box[minimum_alignment_exponent] = ValueSet::range(0, ClampDomain::index(-132));
    unit.set.box[extra_carry_bits] = ValueSet::range(3, CarryDomain::kSize - 1);
    unit.set.box[zero_cancelled] = ValueSet::range(0, 1);
    unit.set.box[zero_rounded] = ValueSet::range(0, 1);
    const auto answer = unit.compared();
    if (const auto* open = std::get_if<OpenStep>(&answer))
      ADD_FAILURE() << "open: " << (open->parameter ? name_of(*open->parameter, 2) : "structure");
    EXPECT_TRUE(std::holds_alternative<EquivalentSet>(answer));
  }
}

TEST(Equivalence, OfAStickyBitToExactAdditionFromTheFewestBitsOnThatSuffice) {
  struct Case {
    ProductKind product;
    int fewest, carry;
  };
  for (const Case& x :
       {Case{ProductKind::exact_normalised, 26, 1}, Case{ProductKind::exact_unnormalised, 36, 2}}) {
    Additions unit;
    unit.set.box[product] = ValueSet::single(static_cast<int>(x.product));
    unit.set.box[alignment_rounding] = ValueSet::single(static_cast<int>(AlignmentRounding::sticky));
    unit.set.box[alignment_fraction_bits] = ValueSet::single(x.fewest);
    unit.set.box[minimum_alignment_exponent] = ValueSet::range(0, ClampDomain::index(x.fewest - 48));
    unit.set.box[extra_carry_bits] = ValueSet::range(x.carry, CarryDomain::kSize - 1);
    for (const Parameter p : {normalisation, overflow, zero_all_zero, zero_rounded})
      unit.set.box[p] = ValueSet::range(0, 1);
    const auto answer = unit.compared(5);
    if (const auto* open = std::get_if<OpenStep>(&answer))
      ADD_FAILURE() << "open: " << (open->parameter ? name_of(*open->parameter, 2) : "structure");
    EXPECT_TRUE(std::holds_alternative<EquivalentSet>(answer));
    // With one bit less some input shows it: half of the last place, which something far below decides.
    UnitModel fewer = unit.model;
    fewer.adders[0].product = x.product;
    fewer.adders[0].alignment_rounding = AlignmentRounding::sticky;
    fewer.adders[0].alignment_fraction_bits = x.fewest - 1;
    DotInput input{std::vector<Pattern>(8, 0), std::vector<Pattern>(8, 0), 0};
    if (x.product == ProductKind::exact_normalised) {
      // 1 - (2^-25 + 2^-26)
      input.a = {0x8001, 0x8001, 0x3c00, 0, 0, 0, 0, 0};
      input.b = {0x3800, 0x3400, 0x3c00, 0, 0, 0, 0, 0};
    } else {
      // 2^-9 = 2^-24·2^15, whose exponent is 1, minus (2^-34 + 2^-35)
      input.a = {0x8001, 0x8001, 0x0001, 0, 0, 0, 0, 0};
      input.b = {0x1400, 0x1000, 0x7800, 0, 0, 0, 0, 0};
    }
    EXPECT_NE(evaluate(fewer, input), evaluate(unit.model, input));
  }
}

/// Results are subnormal for a subnormal c alone.
TEST(Equivalence, OfFlushingCToFlushingResultsWhichOnlyTogetherChangeNothing) {
  for (const CEnters c : {CEnters::first, CEnters::last}) {
    Chained unit = flushing_pair(c);
    EXPECT_TRUE(std::holds_alternative<EquivalentSet>(unit.compared())) << static_cast<int>(c);

    // The sign of what is flushed goes no further than the next node, unless there is none.
    ParameterValues follows = unit.set.box.lowest();
    follows.conventions.zero_sign.flushed = ZeroSign::follow;
    unit.set.box = Box(follows);
    EXPECT_EQ(std::holds_alternative<Separation>(unit.compared()), c == CEnters::last);
    EXPECT_EQ(std::holds_alternative<EquivalentSet>(unit.compared()), c == CEnters::first);
  }
}

TEST(Equivalence, EndsAtAnInputThatSeparatesTwoOfTheSet) {
  for (const Parameter p : {minimum_alignment_exponent, normalisation, output_fraction_bits, c_subnormals}) {
    SCOPED_TRACE(info(p).name);
    Chained unit(CEnters::first);
    unit.set.box[zero_cancelled] = ValueSet::range(0, 1);
    unit.set.box[p] = p == minimum_alignment_exponent ? ValueSet::range(0, ClampDomain::index(-20))
                      : p == output_fraction_bits     ? ValueSet::range(20, 23)
                                                      : ValueSet::range(0, 1);
    const auto answer = unit.compared();
    const auto* separation = std::get_if<Separation>(&answer);
    ASSERT_NE(separation, nullptr);
    EXPECT_NE(evaluate(separation->left, separation->input), evaluate(separation->right, separation->input));
  }
}

TEST(Equivalence, NamesTheSurvivorThoughAnotherWasReachedFromItOnTheWayToTheModel) {
  Chained unit(CEnters::first);
  ParameterValues survivor = values_of(unit.model);
  survivor.conventions.zero_sign.cancelled = ZeroSign::positive;  // nothing shows it
  survivor.adders.front().normalisation = Normalisation::immediate;
  unit.set.box = Box(survivor);
  const auto answer = unit.compared();
  const auto* separation = std::get_if<Separation>(&answer);
  ASSERT_NE(separation, nullptr);
  EXPECT_EQ(values_of(separation->right), survivor);
}

/// Says of two models where they differ, and nothing of sets, however long.
class KnowsOneInput final : public EquivalenceChecker {
 public:
  explicit KnowsOneInput(DotInput input) : input_(std::move(input)) {}
  [[nodiscard]] std::string_view name() const override { return "one input"; }
  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& /*where*/,
                                        const Limits& limits) const override {
    if (std::holds_alternative<UnitModel>(left) && std::holds_alternative<UnitModel>(right))
      return Witness{input_, {}, {}};
    *limits.spent += *limits.steps;
    return Unknown{};
  }
  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t /*node*/,
                                         const OperandFacts& /*facts*/, const Limits& limits) const override {
    return distinguish(left, right, {}, limits);
  }

 private:
  DotInput input_;
};

/// Of integers no inputs are made. Sums that wrap are told from such as saturate, whatever else is open.
TEST(Equivalence, ComparesTheModelWithOneOfTheSetBeforeALongQuestionAboutIt) {
  using enum Format;
  const Space space = default_space("integers", 1, {int8, int8, int32, int32});
  ParameterValues values{{exact_adder(int32, Rounding::toward_zero)}, {}};
  values.conventions.overflow = Overflow::saturate;
  const UnitModel model = space.model(0, values, std::nullopt);
  HypothesisSet set{0, Box(values), std::nullopt};
  set.box[overflow] = ValueSet::single(static_cast<int>(Overflow::wrap));
  set.box[normalisation] = ValueSet::range(0, 1);
  const DotInput input{{0x7f}, {0x7f}, 0x7fffffff};
  Limits limits;
  limits.steps = 200'000;
  const auto answer = compare_with_set(KnowsOneInput(input), model, space, set, limits);
  const auto* separation = std::get_if<Separation>(&answer);
  ASSERT_NE(separation, nullptr);
  EXPECT_EQ(separation->input, input);
  EXPECT_NE(evaluate(separation->left, input), evaluate(separation->right, input));
}

TEST(Equivalence, EndsWhereTooFewStepsAreLeftForAnyQuestion) {
  // Integers are only compared as whole units, which takes more.
  const Space space =
      default_space("integers", 4, {Format::int8, Format::int8, Format::int32, Format::int32});
  HypothesisSet set = space.whole().front();
  const UnitModel model = space.model(set.skeleton, plainest(set.box), set.nan);
  Limits limits;
  limits.steps = 10'000;
  const auto answer = compare_with_set(*make_checker(Solver::cadical), model, space, set, limits);
  EXPECT_TRUE(std::holds_alternative<OpenStep>(answer));
}

TEST(Equivalence, NamesWhatIsOpenWhenTheTimeIsUp) {
  Chained unit(CEnters::first);
  unit.set.box[normalisation] = ValueSet::range(0, 1);
  const auto answer = unit.compared(0);
  const auto* open = std::get_if<OpenStep>(&answer);
  ASSERT_NE(open, nullptr);
  EXPECT_EQ(open->parameter, ParameterKey{normalisation});
}

}  // namespace
}  // namespace mmaprint::equivalence_test
