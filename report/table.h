// Rows of cells in aligned columns.
#pragma once

#include <vector>

#include "report/style.h"

namespace mmaprint {

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
  bool right = false;  ///< aligned to the right
};

class Table {
 public:
  explicit Table(std::string indent = "  ") : indent_(std::move(indent)) {}
  /// Texts that are not printable are made so.
  void add(std::vector<Cell> row);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// One line a row, columns two blanks apart. The last column is wrapped where it would pass `width`.
  [[nodiscard]] std::string text(const Style& style, std::size_t width = 110) const;

 private:
  std::string indent_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace mmaprint
