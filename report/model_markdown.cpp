#include "report/model_markdown.h"

#include <fmt/format.h>

#include <array>

#include "base/printable.h"
#include "model/features.h"
#include "model/spelling.h"
#include "report/model_text.h"
#include "report/tree_drawing.h"

namespace mmaprint {
namespace {

/// A cell's text: bars would end it.
std::string markdown_cell(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string formats_table(const UnitModel& model) {
  const auto row = [](const char* role, Format format, const OperandPath& path) {
    static constexpr std::array<std::string_view, 4> kConversions{"exact", "chop", "nearest-even",
                                                                  "nearest-away"};
    const std::string computed = path ? fmt::format("{}, by `{}`", name(path->compute),
                                                    kConversions[static_cast<std::size_t>(path->conversion)])
                                      : "as it comes";
    return fmt::format("| {} | `{}` | {} | {} |\n", role, name(format), info(format).container_bits,
                       computed);
  };
  std::string text = "| | format | bits | computed in |\n|---|---|---|---|\n";
  text += row("a", model.formats.a, model.paths.a) + row("b", model.formats.b, model.paths.b);
  if (model.formats.c) text += row("c", *model.formats.c, model.paths.c);
  const auto scales = [](const char* role, const std::optional<Scales>& s) {
    return s ? fmt::format("| {} | `{}` | {} | a scale for {} products |\n", role, name(s->format),
                           info(s->format).container_bits, s->per)
             : std::string();
  };
  text += scales("sa", model.formats.sa) + scales("sb", model.formats.sb);
  return text + row("d", model.formats.d, {});
}

/// The parameters that mean something for the model's formats: of each class of nodes, or of the whole unit.
std::string parameters_table(const UnitModel& model, Scope scope) {
  const bool integer = info(model.formats.d).is_integer();
  const std::size_t classes = scope == Scope::adder ? model.adders.size() : 1;
  std::string head = "| |", rule = "|---|", rows;
  for (std::size_t i = 0; i < classes; ++i) {
    head += scope == Scope::adder ? " " + adder_sign(static_cast<int>(i)) + " |" : " |";
    rule += "---|";
  }
  for (const ParameterInfo& parameter : all_parameters()) {
    if (parameter.scope != scope || (integer && !parameter.of_integers)) continue;
    if (parameter.about_c && !model.formats.c) continue;
    rows += fmt::format("| `{}` |", parameter.name);
    for (std::size_t i = 0; i < classes; ++i)
      rows += " " +
              markdown_cell(value_text(parameter.id, parameter.index(model.adders[i], model.conventions))) +
              " |";
    rows += "\n";
  }
  return rows.empty() ? "" : head + "\n" + rule + "\n" + rows;
}

}  // namespace

std::string model_markdown(const UnitModel& model, const emit::Provenance& from) {
  std::string text = fmt::format("# {}\n\n", printable(model.instruction));
  text += fmt::format(
      "A model of a matrix-multiply unit that sums K = {} products{}. It was read from `{}` and written by "
      "mmaprint {}. "
      "It is a model, not the unit: how far it was measured, and what was proved of it, is said by the "
      "identification "
      "that it comes from. What every word means is defined in mmaprint's `docs/semantics.md`.\n\n",
      model.k, model.formats.c ? " and c" : "", printable(from.source), from.version);
  text += "## Formats\n\n" + formats_table(model);
  text +=
      "\n## Tree and datapath\n\nOperands stand at the left, each adder at the foot of what it "
      "sums.\n\n```\n" +
      unit_drawing(model, Style{}) + "```\n";
  text += "\n## Features\n\n| feature | value |\n|---|---|\n";
  for (const FeatureText& f : feature_texts(features_of(model), model.formats))
    if (!f.goes_without_saying) text += fmt::format("| `{}` | {} |\n", f.name, markdown_cell(f.value));
  text += "\n## Parameters of nodes\n\n" + parameters_table(model, Scope::adder);
  text += "\n## Conventions of the whole unit\n\n" + parameters_table(model, Scope::unit);
  text += fmt::format("\nNaN: {}.\n", printable(in_words(model.nan, model.formats.d)));
  return text;
}

}  // namespace mmaprint
