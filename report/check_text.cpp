#include "report/check_text.h"

#include "base/printable.h"
#include "inference/certificate_claims.h"
#include "report/model_text.h"
#include "report/observation_rows.h"
#include "report/table.h"

namespace mmaprint {
namespace {

/// "all 12 observations", "the observation"
std::string all_of(std::size_t n) { return n == 1 ? "the observation" : "all " + counted(n, "observation"); }

std::string consistent_text(const CheckResult& r, const Style& style) {
  std::string text = style(Tone::good, "consistent") + ": ";
  if (!r.completion) return text + "the model gives " + all_of(r.observations) + "\n";
  text += "the hypothesis explains " + all_of(r.observations) + ", for example so\n\n";
  Table table;
  for (const FeatureText& f : feature_texts(features_of(*r.completion), r.completion->formats))
    table.add({{std::string(f.name)}, {f.value, Tone::strong}});
  return text + table.text(style);
}

std::string inconsistent_text(const CheckResult& r, const Style& style) {
  const std::string few = counted(r.refuting.size(), "observation");
  std::string text = style(Tone::bad, "inconsistent") + ": ";
  if (r.contradictory) return text + "two results for one input, so no model gives both\n";
  text += few + (r.refuting.size() == 1 ? " refutes" : " together refute") +
          (r.completion ? " every completion of the hypothesis that is searched" : " the model");
  if (r.refuting.size() > 1) text += r.smallest ? ", and no fewer do" : "; a smaller set may do";
  if (r.completion && r.counted)
    text += "; its nearest completion misses " + quantity(r.disagreeing) + " of " + quantity(r.observations);
  else if (!r.completion && r.disagreeing > 1)
    text += ", the plainest of " + quantity(r.disagreeing) + " among " + quantity(r.observations) +
            (r.counted ? " that disagree" : " that disagree (" + r.reason + ", so there may be more)");
  return text + "\n";
}

std::string refuting_text(const Refuting& refuting, const ProductKinds& products, const Style& style) {
  const ObservationRecord& seen = refuting.record;
  std::vector<NamedResult> results{{"observed", *seen.d, Tone::strong}};
  for (std::size_t i = 0; i < refuting.predicted.size(); ++i)
    results.push_back({i == 0 ? "predicted" : "or", refuting.predicted[i], Tone::plain});
  const std::string name = seen.instruction.empty() ? "" : "  " + seen.instruction;
  return "\n" + style(Tone::faint, printable(seen.place() + name)) + "\n" +
         bit_grid(observation_rows(seen.formats, seen.input, results, products), style);
}

}  // namespace

std::string check_text(const CheckResult& result, const Style& style) {
  if (result.verdict == CheckResult::Verdict::unknown)
    return style(Tone::warn, "not known") + ": " + printable(result.reason) + "; " +
           counted(result.observations, "observation") + "\n";
  if (result.verdict == CheckResult::Verdict::consistent) return consistent_text(result, style);
  std::string text = inconsistent_text(result, style);
  for (const Refuting& refuting : result.refuting) text += refuting_text(refuting, result.products, style);
  return text;
}

namespace {

std::string how_checked(const Verification::Checked& c) {
  if (c.solved == 0) return "checked without a solver";
  std::string how = c.solved == c.proofs ? "all" : quantity(c.solved) + " of them";
  how += " done again with the solver";
  if (c.without_steps > 0) how += ": the certificate holds no steps that could be checked";
  return how;
}

}  // namespace

std::string verification_text(const Verification& r, const Style& style) {
  using enum Verification::Verdict;
  const std::string claim =
      " (verdict: " + printable(r.certified) + (r.checked.default_space ? ")" : ", in a space of its own)");
  std::string text = r.verdict == valid ? style(Tone::good, "valid") + ": the certificate holds" + claim
                     : r.verdict == invalid
                         ? style(Tone::bad, "invalid") + ": the certificate does not hold" + claim
                         : style(Tone::warn, "not known") + ": not all could be checked" + claim;
  text += "\n";
  for (const std::string& line : r.failures)
    text += "  " + style(Tone::bad, "✗") + " " + printable(line) + "\n";
  for (const std::string& line : r.unfinished)
    text += "  " + style(Tone::warn, "?") + " " + printable(line) + "\n";
  Table table;
  const auto& c = r.checked;
  const auto row = [&](std::string n, const std::string& what) {
    table.add({{std::move(n), Tone::strong, true}, {what}});
  };
  const bool none = r.certified == "none";
  row(quantity(c.files), "files whole, and no others");
  row(quantity(c.observations), "observations replayed over the space");
  row(quantity(approximate(c.hypotheses)),
      c.default_space ? "hypotheses in it: the default space" : "hypotheses in it: a space of its own");
  if (none) {
    row(quantity(c.conflict), std::string("observations that leave nothing of it") +
                                  (c.smallest_conflict ? ", and no fewer do" : ""));
  } else {
    row(quantity(c.survivors), "sets of survivors compared with what the observations leave");
    row(quantity(c.reproduced), "observations given by the model");
    row(quantity(c.random_inputs), "random inputs on which proved survivors agreed");
    row(quantity(c.proofs), "proofs of equivalence, " + how_checked(c));
    if (c.solved == 0) {
      row(quantity(c.steps.refutations), "formulas of theirs refuted by stored proofs, which were checked");
      row(quantity(c.steps.vanished), "formulas that vanish as they are built");
      row(quantity(c.steps.theorems), "steps by bounds alone");
    }
  }
  std::string annotations;
  for (const std::string_view name : kAnnotations)
    annotations += (annotations.empty() ? "" : ", ") + std::string(name);
  return text + "\n" + table.text(style) + "\n" + style(Tone::faint, "not checked: " + annotations) + "\n";
}

}  // namespace mmaprint
