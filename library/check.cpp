#include "mmaprint/check.h"

#include <nlohmann/json.hpp>

#include "inference/check.h"
#include "inference/document.h"
#include "library/conversion.h"
#include "library/model_access.h"
#include "report/check_text.h"

namespace mmaprint {
namespace {

/// What messages call observations that stand in no file.
constexpr const char* kObservations = "observations";

CheckVerdict public_verdict(CheckResult::Verdict verdict) {
  switch (verdict) {
    case CheckResult::Verdict::consistent:
      return CheckVerdict::consistent;
    case CheckResult::Verdict::inconsistent:
      return CheckVerdict::inconsistent;
    case CheckResult::Verdict::unknown:
      break;
  }
  return CheckVerdict::unknown;
}

CheckOutcome outcome_of(const CheckResult& result) {
  CheckOutcome outcome{
      public_verdict(result.verdict), result.reason,      {},           result.smallest,
      result.contradictory,           result.disagreeing, std::nullopt, json_line(check_document(result)),
      check_text(result, Style())};
  for (const Refuting& r : result.refuting) {
    std::optional<std::uint64_t> predicted;
    if (!r.predicted.empty()) predicted = r.predicted.front();
    outcome.refuting.push_back({r.record.line - 1, predicted});
  }
  if (result.completion) outcome.completion = ModelAccess::wrapped(*result.completion);
  return outcome;
}

}  // namespace

inline namespace api {

std::string_view word(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::consistent:
      return "consistent";
    case CheckVerdict::inconsistent:
      return "inconsistent";
    case CheckVerdict::unknown:
      break;
  }
  return "unknown";
}

CheckOutcome check(const Model& model, const ObservedBatch& observed, const CheckSettings& settings) {
  return with_public_errors([&] {
    const AnyModel& any = ModelAccess::any(model);
    const Instruction shape = instruction_of(any);
    CheckedRecords records(shape);
    std::size_t line = 0;
    for (const Observation& o : unpacked(observed, shape.formats, shape.k))
      records.add({kObservations, ++line, shape.name, shape.formats, o.input, o.d, {}});
    if (records.size() == 0) throw BadInput("observations: expected at least one");
    const CheckOptions options{threads_of(settings.threads), Deadline(settings.time_limit, settings.stop),
                               settings.seed};
    return outcome_of(mmaprint::check(any, records, options));
  });
}

}  // namespace api
}  // namespace mmaprint
