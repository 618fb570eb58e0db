#include "emit/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/structure_text.h"

namespace mmaprint::emit {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string as_comment(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool ends_comment = c == '/' && !safe.empty() && safe.back() == '*';
    safe += c >= ' ' && c <= '~' && c != '\\' && !ends_comment ? c : '?';
  }
  return safe;
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

std::string identifier_of(const UnitModel& model) {
  std::string name;
  for (const char c : model.instruction) name += is_word(c) ? c : '_';
  if (name.empty()) name = "unit";
  return name.front() >= '0' && name.front() <= '9' ? "unit_" + name : name;
}

std::vector<std::string> head_lines(const UnitModel& model, const Provenance& from) {
  const auto format = [](Format f) { return std::string(name(f)); };
  const std::string c = model.formats.c ? format(*model.formats.c) : "none";
  std::vector<std::string> lines{
      fmt::format("d = sum of a[i] * b[i]{}, as a matrix-multiply unit computes it, from bit patterns to a "
                  "bit pattern.",
                  model.formats.c ? " + c" : ""),
      "", "instruction: " + as_comment(model.instruction),
      fmt::format("formats:     a {}, b {}, c {}, d {}; K = {}", format(model.formats.a),
                  format(model.formats.b), c, format(model.formats.d), model.k)};
  auto structure = lines_of(structure_text(model.tree), 90);
  const std::size_t shown = std::min<std::size_t>(structure.size(), 4);
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back((i == 0 ? "structure:   " : "             ") + structure[i]);
  if (structure.size() > shown) lines.back() += " ...";
  lines.push_back("model:       " + as_comment(from.source));
  lines.push_back("written by:  mmaprint " + from.version);
  lines.emplace_back();
  for (std::string& line : lines_of(
           "This is a model of the unit, not the unit: how far it was measured, and what was proved of it, "
           "is "
           "said by the identification that it comes from, and by nothing else. It is made from the model "
           "alone "
           "and holds the steps that this model has; the words are those of mmaprint's docs/semantics.md.",
           100))
    lines.push_back(std::move(line));
  lines.emplace_back();
  lines.emplace_back(
      "Licence: this file may be used, changed and passed on freely, with or without this notice");
  lines.emplace_back(
      "(CC0 1.0), without warranty of any kind. mmaprint itself is under the Apache License 2.0.");
  return lines;
}

}  // namespace mmaprint::emit
