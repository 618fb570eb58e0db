#include "report/identification_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "model/evaluator.h"
#include "report/confirmation_text.h"
#include "report/devices.h"
#include "report/model_text.h"
#include "report/observation_rows.h"
#include "report/standing.h"
#include "report/table.h"
#include "report/tree_drawing.h"

namespace mmaprint {
namespace {

Count count(const Identification& result, bool proved) {
  Count n = 0;
  for (const SurvivorClass& s : result.survivors)
    if ((s.standing == SurvivorClass::Standing::proved) == proved) n += s.set.box.size();
  return n;
}

std::string hypotheses(const Count& n) {
  return quantity(approximate(n)) + (n == 1 ? " hypothesis" : " hypotheses");
}

std::string answers_like(const Identification& result) {
  const auto* end = std::get_if<ending::NothingExplains>(&result.end);
  return end == nullptr || end->answers_like.empty() ? ""
                                                     : "; it answers like: " + printable(end->answers_like);
}

std::string verdict_text(const Identification& result, const Style& style) {
  switch (result.verdict()) {
    case Identification::Verdict::unique:
      return style(Tone::good, "identified") + ": one hypothesis is left";
    case Identification::Verdict::equivalent:
      return style(Tone::good, "identified") + ": " + hypotheses(count(result, true)) +
             " left, and no input tells them apart (proved)";
    case Identification::Verdict::none:
      return style(Tone::bad, "no hypothesis remains") +
             (result.contradicts_itself()
                  ? ": the unit is not deterministic, it gave two results for one input"
                  : ": nothing in the space explains what was observed" + answers_like(result));
    case Identification::Verdict::unknown:
      break;
  }
  const Count left = count(result, true) + count(result, false);
  return style(Tone::warn, "not known") + ": " + printable(result.reason()) + "; " + hypotheses(left) +
         " left";
}

std::string conflict_text(const Search& search, const Identification& result, const Style& style) {
  std::string text;
  if (!result.conflict.empty() && !result.contradicts_itself())
    text += "\n" + counted(result.conflict.size(), "observation") + " already say" +
            (result.conflict.size() == 1 ? "s" : "") + " so" +
            (result.conflict_is_smallest ? ", and no fewer do" : "; a smaller set may do") + "\n";
  const ProductKinds kinds = result.model ? product_kinds(*result.model) : ProductKinds();
  for (const std::size_t i : result.conflict) {
    const Observation& seen = result.observations[i];
    std::vector<NamedResult> results{{"observed", seen.d, Tone::strong}};
    if (result.model) results.push_back({"nearest", evaluate(*result.model, seen.input), Tone::plain});
    text += "\n" + bit_grid(observation_rows(search.space.formats, seen.input, results, kinds), style);
  }
  if (result.explained)
    text += "\nthe nearest model explains " + quantity(*result.explained) + " of " +
            counted(result.observations.size(), "observation") + "\n";
  if (result.in_common) text += "there are " + mmaprint::text(*result.in_common) + "\n";
  return text;
}

std::pair<std::string, Tone> standing_text(const FeatureStanding& f, Identification::Verdict verdict) {
  if (verdict == Identification::Verdict::none) return {"", Tone::plain};
  if (!f.open.empty()) return {"open: or " + f.open, Tone::warn};
  if (f.assumed) return {"assumed", Tone::faint};
  if (!f.unobservable.empty()) return {"no input tells it from " + f.unobservable, Tone::faint};
  return {"", Tone::plain};
}

std::string features_table(const Search& search, const Identification& result, const Style& style) {
  Table table;
  const auto rows = feature_standings(search, result);
  constexpr std::string_view kExtra = "extra_alignment_bits";
  const auto extra = std::ranges::find(rows, kExtra, &FeatureStanding::name);
  for (const FeatureStanding& f : rows) {
    if (f.name == kExtra) continue;  // beside F
    const auto [text, tone] = standing_text(f, result.verdict());
    const bool beside = extra != rows.end() && f.name == "alignment_fraction_bits" && f.value != "none";
    table.add(
        {{f.name}, {f.value + (beside ? " (" + extra->value + " extra)" : ""), Tone::strong}, {text, tone}});
  }
  return table.text(style);
}

/// A set on which the device's answer would tell, and which it can't give.
std::string undecided_text(const Search& search, const Identification& result, const Style& style) {
  for (const SurvivorClass& s : result.survivors)
    if (s.standing == SurvivorClass::Standing::undecided && s.witness)
      return "\nan input that would tell, which the device can't answer\n" +
             bit_grid(observation_rows(search.space.formats, *s.witness, {}), style);
  return {};
}

std::string searched_text(const Search& search) {
  if (search.is_default()) return " searched; ";
  return search.is_measured() ? " of the structure that was measured searched; "
                              : " searched (a space of its own); ";
}

std::string effort_text(const Search& search, const Identification& result) {
  const Confirmation& asked = result.confirmation;
  std::string text =
      counted(result.observations.size(), "observation") +
      (result.unused == 0 ? "" : " (the last " + quantity(result.unused) + " not concluded from)") +
      (asked.inputs == 0 ? "" : ", the model agrees on " + counted(asked.inputs, "other input")) +
      (asked.repeated == 0 ? "" : ", " + counted(asked.repeated, "answer") + " repeated") + ", " +
      counted(result.device_calls, "device call") + "; " + hypotheses(search.size()) + searched_text(search) +
      seconds_text(result.seconds);
  return text + " (solver " + seconds_text(result.solver_seconds) + ", device " +
         seconds_text(result.device_seconds) + ")";
}

}  // namespace

std::string identification_text(const Search& search, const Identification& result, const std::string& device,
                                const std::optional<std::string>& certificate, const Style& style) {
  const Space& space = search.space;
  std::string text = fmt::format("{}   {}, K = {}\n\n{}\n",
                                 style(Tone::strong, printable(device + "  " + space.instruction)),
                                 formats_text(space.formats), space.k, verdict_text(result, style));
  if (result.verdict() == Identification::Verdict::none) text += conflict_text(search, result, style);
  if (result.model)
    text += "\n" + tree_drawing(result.model->tree) + "\n" + features_table(search, result, style);
  text += undecided_text(search, result, style) + "\n" + style(Tone::faint, effort_text(search, result)) +
          "\n" + style(Tone::faint, mutants_text(result.confirmation.mutants.counts));
  if (certificate) {
    const std::string folder = printable(*certificate);
    text += "certificate: " + folder + "   (mmaprint verify " + folder + ")\n";
  }
  return text;
}

}  // namespace mmaprint
