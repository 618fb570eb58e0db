// Agreement on random inputs is worth what those inputs show. Here: another value of any parameter is
// noticed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "oracle/oracle.h"
#include "support/chains.h"
#include "support/generate.h"

namespace mmaprint::random_inputs_test {
namespace {

using test::Random;

struct Tally {
  long tried = 0, noticed = 0;
};

// A chain's blocks round every sum that they hand on.
bool is_of_carried_sums(Parameter parameter) {
  return parameter == Parameter::carried_fraction_bits || parameter == Parameter::carried_alignment_rounding;
}

TEST(RandomInputs, ShowEveryParameterInSomeOfTheModelsWhereChainsHaveIt) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  constexpr long kModels = 20000;
  constexpr int kInputs = 50;
  Random random(test::starting_seed(51));
  const auto keys = test::chain_keys();
  std::vector<Tally> tallies(keys.size());
  for (long i = 0; i < kModels; ++i) {
    const int k = random.between(1, 16);
    const Chain chain = test::random_chain(random, k, random.pick({CEnters::first, CEnters::last}));
    const Signature formats = test::random_formats(random);
    const ChainParameters values = test::random_values(random, formats.d);
    const auto model_with = [&](const ChainParameters& v) {
      return chain_model("random", k, formats, chain, v, canonical_nan(formats.d));
    };
    const UnitModel model = model_with(values);
    const std::size_t place = static_cast<std::size_t>(i) % keys.size();
    const ParameterInfo& parameter = info(keys[place].parameter);
    const int index = test::value_index(values, keys[place]);
    // A neighbour where values have an order, else any.
    const int other =
        parameter.size > 6 ? index + random.pick({-1, 1}) : random.between(0, parameter.size - 1);
    if (other == index || other < 0 || other >= parameter.size) continue;
    ChainParameters changed = values;
    test::set_value(changed, keys[place], other);
    if (changed.conventions.overflow == Overflow::wrap || changed.block.product == ProductKind::exclusive_or)
      continue;  // integers'
    const int fraction_bits = changed.block.output_fraction_bits;
    if (fraction_bits < 1 || fraction_bits > info(formats.d).fraction_bits) continue;

    Tally& tally = tallies[place];
    ++tally.tried;
    const UnitModel other_model = model_with(changed);
    for (int j = 0; j < kInputs; ++j) {
      const DotInput input = test::random_input(random, model);
      if (oracle::evaluate(model, input) == oracle::evaluate(other_model, input)) continue;
      ++tally.noticed;
      break;
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    SCOPED_TRACE(fmt::format("{}, tried in {} models", name_of(keys[i], 2), tallies[i].tried));
    EXPECT_GT(tallies[i].tried, 0);
    EXPECT_EQ(tallies[i].noticed > 0, !is_of_carried_sums(keys[i].parameter)) << tallies[i].noticed;
  }
}

TEST(RandomInputs, GiveMostlyFiniteResultsAndSomeOfEveryKind) {
  Random random(test::starting_seed(52));
  long finite = 0, zeros = 0, negative_zeros = 0, infinities = 0, nans = 0, all = 0;
  for (int i = 0; i < 1000; ++i) {
    const int k = random.between(1, 16);
    const Signature formats = test::random_formats(random);
    const Chain chain = test::random_chain(random, k, CEnters::first);
    const UnitModel model = chain_model("random", k, formats, chain, test::random_values(random, formats.d),
                                        canonical_nan(formats.d));
    for (int j = 0; j < 10; ++j, ++all) {
      const oracle::Number d =
          oracle::decode(formats.d, oracle::evaluate(model, test::random_input(random, model)));
      finite += d.kind == oracle::Kind::finite && d.value != 0 ? 1 : 0;
      zeros += d.kind == oracle::Kind::finite && d.value == 0 ? 1 : 0;
      negative_zeros += d.kind == oracle::Kind::finite && d.value == 0 && d.negative ? 1 : 0;
      infinities += d.kind == oracle::Kind::infinite ? 1 : 0;
      nans += d.kind == oracle::Kind::nan ? 1 : 0;
    }
  }
  EXPECT_GT(finite, all / 2);
  for (const long some : {zeros, negative_zeros, infinities, nans}) EXPECT_GT(some, all / 500);
}

}  // namespace
}  // namespace mmaprint::random_inputs_test
