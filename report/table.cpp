#include "report/table.h"

#include <algorithm>

#include "base/printable.h"

namespace mmaprint {
namespace {

constexpr std::size_t kNarrowest = 30;  // what a wrapped last column keeps at least

std::vector<std::size_t> column_widths(const std::vector<std::vector<Cell>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    // A row's last cell does not push columns of longer rows.
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i + 1 < row.size() || i == 0 || row[i].right)
        widths[i] = std::max(widths[i], display_width(row[i].text));
  }
  return widths;
}

}  // namespace

void Table::add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = printable(cell.text);
  rows_.push_back(std::move(row));
}

std::string Table::text(const Style& style, std::size_t width) const {
  const auto widths = column_widths(rows_);
  std::string all;
  for (const auto& row : rows_) {
    std::string line = indent_;
    std::size_t column = display_width(indent_);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Cell& cell = row[i];
      if (i + 1 == row.size() && !cell.right) {
        const std::size_t room = std::max(width > column ? width - column : 0, kNarrowest);
        const std::string indent(column, ' ');
        // The first line has `room` columns, the others `column` blanks and as many.
        std::string rest = wrapped(cell.text, room, "");
        for (std::size_t at = 0; (at = rest.find('\n', at)) != std::string::npos; ++at)
          rest.insert(at + 1, indent);
        line += style(cell.tone, rest);
      } else {
        const std::size_t blanks = widths[i] - std::min(widths[i], display_width(cell.text));
        const std::string painted = style(cell.tone, cell.text);
        line += cell.right ? std::string(blanks, ' ') + painted : painted + std::string(blanks, ' ');
        if (i + 1 < row.size()) line += "  ";
        column += widths[i] + 2;
      }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    all += line + '\n';
  }
  return all;
}

}  // namespace mmaprint
