#include "emit/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/structure_text.h"

namespace mmaprint::emit {
namespace {

/// "a[i]", with its scale where it has one.
std::string factor_text(char factor, const std::optional<Scales>& scales) {
  return fmt::format("{0}[i]", factor) +
         (scales ? fmt::format(" * s{}[i / {}]", factor, scales->per) : std::string());
}
std::string scales_line(const Signature& formats) {
  std::vector<std::string> roles;
  if (formats.sa) roles.push_back(fmt::format("sa {}", name(formats.sa->format)));
  if (formats.sb) roles.push_back(fmt::format("sb {}", name(formats.sb->format)));
  return "scales:      " + list_of(roles) + "; i / n is rounded down";
}

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

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
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
  auto lines = lines_of(fmt::format("d = sum of {} * {}{}, as a matrix-multiply unit computes it, from bit "
                                    "patterns to a bit pattern.",
                                    factor_text('a', model.formats.sa), factor_text('b', model.formats.sb),
                                    model.formats.c ? " + c" : ""),
                        100);
  lines.emplace_back();
  lines.push_back("instruction: " + as_comment(model.instruction));
  lines.push_back(fmt::format("formats:     a {}, b {}, c {}, d {}; K = {}", format(model.formats.a),
                              format(model.formats.b), c, format(model.formats.d), model.k));
  if (model.formats.has_scales()) lines.push_back(scales_line(model.formats));
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
