#include "report/bit_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace mmaprint {
namespace {

constexpr int kLongestGap = 10;  // columns without a one that are still drawn
constexpr int kTickDistance = 9;

/// The weights of the drawn columns, descending; kGap stands for a stretch that is cut.
constexpr int kGap = 1 << 20;

/// First and last weight of a row's digits. Requires a finite number other than zero.
std::pair<int, int> extent(const GridRow& row) {
  const auto& ones = row.number.ones;
  return {ones.front(), row.all_digits ? row.number.lowest : ones.back()};
}

bool has_digits(const GridRow& row) {
  return row.number.kind == Binary::Kind::finite && !row.number.is_zero();
}

std::vector<int> columns_of(const std::vector<GridRow>& rows) {
  std::set<int, std::greater<>> anchors;  // ones, and both ends of every row
  for (const GridRow& row : rows) {
    if (!has_digits(row)) continue;
    anchors.insert(row.number.ones.begin(), row.number.ones.end());
    anchors.insert(extent(row).second);
  }
  std::vector<int> columns;
  for (const int weight : anchors) {
    if (!columns.empty()) {
      const int last = columns.back();
      if (last - weight > kLongestGap) {
        columns.insert(columns.end(), {last - 1, kGap, weight + 1});
      } else {
        for (int w = last - 1; w > weight; --w) columns.push_back(w);
      }
    }
    columns.push_back(weight);
  }
  return columns;
}

/// "↓2^0" above the column of that weight.
std::string ruler(const std::vector<int>& columns) {
  std::string text;
  std::size_t used = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool first = i == 0 || columns[i - 1] == kGap;
    const bool regular = columns[i] % kTickDistance == 0 || columns[i] == 0;
    if (columns[i] == kGap || i < used || !(first || regular)) continue;
    const std::string label = fmt::format("↓{}", columns[i]);
    text += std::string(i - display_width(text), ' ') + label;
    used = i + display_width(label) + 1;
  }
  return text;
}

std::string digits(const GridRow& row, const std::vector<int>& columns, const Style& style) {
  if (!has_digits(row)) return {};
  const auto [first, last] = extent(row);
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int weight = columns[i];
    if (weight == kGap) {
      text += columns[i - 1] <= first && columns[i + 1] >= last ? "⋯" : " ";
    } else if (weight > first || weight < last) {
      text += ' ';
    } else {
      const bool one = std::ranges::find(row.number.ones, weight) != row.number.ones.end();
      const bool marked = std::ranges::find(row.marked, weight) != row.marked.end();
      text += style(marked ? Tone::bad : one ? row.tone : Tone::faint, one ? "1" : "0");
    }
  }
  return text;
}

}  // namespace

std::string bit_grid(const std::vector<GridRow>& rows, const Style& style, std::size_t width) {
  std::size_t label = 0;
  std::size_t patterns = 0;
  std::size_t value = 0;
  for (const GridRow& row : rows) {
    label = std::max(label, display_width(row.label));
    patterns = std::max(patterns, display_width(row.patterns));
    value = std::max(value, display_width(number_text(row.number)));
  }
  const std::size_t before = 2 + label + 2 + patterns + 2 + value + 4;
  auto columns = columns_of(rows);
  if (before + columns.size() > width) columns.clear();
  std::string all;
  if (!columns.empty())
    all += style(Tone::faint, "  " + padded("", label + 2) + padded("", patterns + 2) + padded("", value) +
                                  right_aligned("2^", 4) + ruler(columns)) +
           "\n";
  for (const GridRow& row : rows) {
    std::string line = "  " + style(Tone::strong, padded(row.label, label)) + "  " +
                       padded(row.patterns, patterns) + "  " +
                       style(row.tone, padded(number_text(row.number), value));
    if (!columns.empty() && has_digits(row))
      line += row.number.negative ? "  - " : "  + ", line += digits(row, columns, style);
    while (line.ends_with(' ')) line.pop_back();
    all += line + "\n";
  }
  return all;
}

}  // namespace mmaprint
