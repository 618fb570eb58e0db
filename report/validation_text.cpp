#include "report/validation_text.h"

#include "base/printable.h"
#include "report/observation_rows.h"

namespace mmaprint {
namespace {

std::string verdict_text(const Validation& r, const Style& style) {
  const std::string vectors = quantity(r.vectors) + (r.vectors == 1 ? " vector" : " vectors");
  switch (r.verdict) {
    case AgreementVerdict::match:
      return style(Tone::good, "match") + ": no difference on " + vectors;
    case AgreementVerdict::mismatch:
      return style(Tone::bad, "mismatch") + ": " + quantity(r.mismatches) + " of " + vectors + " differ";
    case AgreementVerdict::unknown:
      break;
  }
  return style(Tone::warn, "not known") + ": no difference on " + vectors;
}

std::string positions_text(const PositionsFound& p, const Style& style) {
  std::string text = "positions: ";
  text += p.differing == 0 ? style(Tone::good, "same")
                           : style(Tone::bad, "differ") + ", in " + quantity(p.differing) + " results";
  return text + " (" + quantity(p.inputs) + " inputs at every row, column and multiprocessor, " +
         quantity(p.results) + " results)\n";
}

std::string example_text(const DeviceValidation& v, const Mismatch& m, const Style& style) {
  const std::vector<NamedResult> results{{"observed", m.seen.d, Tone::strong},
                                         {"predicted", m.predicted, Tone::plain}};
  return "\n" + bit_grid(observation_rows(v.instruction.formats, m.seen.input, results), style);
}

std::string one(const DeviceValidation& v, bool named, const Style& style) {
  const Validation& r = v.result;
  std::string text = (named ? printable(v.device) + " " : "") + verdict_text(r, style);
  if (!r.reason.empty()) text += "; " + printable(r.reason);
  if (r.seconds > 0)
    text += " (" + seconds_text(r.seconds) + ", " + quantity(static_cast<double>(r.vectors) / r.seconds) +
            " a second)";
  text += "\n";
  if (r.positions) text += positions_text(*r.positions, style);
  for (const Mismatch& m : r.examples) text += example_text(v, m, style);
  return text;
}

}  // namespace

std::string validation_text(const std::vector<DeviceValidation>& all, const Style& style) {
  std::string text;
  for (const DeviceValidation& v : all) text += one(v, all.size() > 1, style);
  return text;
}

}  // namespace mmaprint
