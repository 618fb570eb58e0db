#include "mmaprint/distinguish.h"

#include <nlohmann/json.hpp>

#include "inference/minimal.h"
#include "inference/one_k.h"
#include "library/conversion.h"
#include "library/model_access.h"
#include "report/distinction.h"

namespace mmaprint {
namespace {

/// What a result is as the public outcome has it; texts are added after.
struct AsOutcome {
  const UnitModel& shape;

  DistinguishOutcome operator()(const Different& d) const {
    return {DistinguishVerdict::different,
            {},
            SmallestInput{packed({&d.input, 1}, shape.formats, shape.k), d.left, d.right, d.nonzero_products,
                          d.significand_bits, d.terms_minimal(), d.bits_minimal()},
            {},
            {}};
  }
  DistinguishOutcome operator()(const SameEverywhere&) const {
    return {DistinguishVerdict::equivalent, {}, std::nullopt, {}, {}};
  }
  DistinguishOutcome operator()(const NotDecided& n) const {
    return {DistinguishVerdict::unknown, n.reason, std::nullopt, {}, {}};
  }
};

}  // namespace

inline namespace api {

std::string_view word(DistinguishVerdict verdict) {
  switch (verdict) {
    case DistinguishVerdict::different:
      return "different";
    case DistinguishVerdict::equivalent:
      return "equivalent";
    case DistinguishVerdict::unknown:
      break;
  }
  return "unknown";
}

DistinguishOutcome distinguish(const Model& first, const Model& second, const DistinguishSettings& settings) {
  return with_public_errors([&] {
    const UnitModel& left = full(first, "first");
    const UnitModel& right = full(second, "second");
    const OfOneK compared = of_one_k(left, right, {"first", "second"});
    MinimalOptions options;
    options.deadline = Deadline(settings.time_limit, settings.stop);
    options.specials = settings.specials;
    const MinimalDistinction result = smallest_difference(compared.first, compared.second, options);
    const Compared models{left.formats, product_kinds(left, right), "first", "second", compared.steps};
    DistinguishOutcome outcome = std::visit(AsOutcome{compared.first}, result);
    outcome.document = json_line(distinction_document(models, result));
    outcome.text = distinction_text(models, result, Style());
    return outcome;
  });
}

}  // namespace api
}  // namespace mmaprint
