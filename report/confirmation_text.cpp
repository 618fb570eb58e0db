#include "report/confirmation_text.h"

#include "base/printable.h"
#include "report/observation_rows.h"

namespace mmaprint {
namespace {

std::string verdict_text(const ModelConfirmation& result, const Style& style) {
  const std::string agreed = quantity(result.confirmation.inputs) + " inputs";
  switch (result.verdict) {
    case AgreementVerdict::match:
      return style(Tone::good, "match") + ": the device answers " + agreed + " as the model does, and " +
             quantity(result.confirmation.repeated) + " of them again";
    case AgreementVerdict::mismatch:
      return style(Tone::bad, "mismatch") + ": the device and the model differ" +
             (result.reason.empty() ? "" : "; " + printable(result.reason));
    case AgreementVerdict::unknown:
      break;
  }
  return style(Tone::warn, "not known") + ": " + printable(result.reason) + "; no difference on " + agreed;
}

}  // namespace

std::string mutants_text(const MutantCounts& of) {
  if (of.mutants == 0) return {};
  return counted(of.mutants, "mutant") + " of the model: " + quantity(of.killed) + " killed, " +
         quantity(of.equal) + " proved equal, " + quantity(of.open()) + " open\n";
}

std::string confirmation_text(const UnitModel& model, const Instruction& instruction,
                              const ModelConfirmation& result, const std::string& device,
                              const Style& style) {
  std::string text = style(Tone::strong, printable(device + "  " + instruction.name)) + "\n\n" +
                     verdict_text(result, style) + "\n";
  for (const Observation& o : result.seen) {
    const std::vector<NamedResult> results{{"observed", o.d, Tone::strong},
                                           {"predicted", evaluate(model, o.input), Tone::plain}};
    text += "\n" + bit_grid(observation_rows(instruction.formats, o.input, results), style);
  }
  for (const std::string& name : result.answers_like) text += "answers like: " + printable(name) + "\n";
  return text +
         style(Tone::faint, mutants_text(result.confirmation.mutants.counts) +
                                counted(result.device_calls, "device call") + ", " +
                                seconds_text(result.seconds)) +
         "\n";
}

}  // namespace mmaprint
