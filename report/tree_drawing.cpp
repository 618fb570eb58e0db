// Operands are rows, in the order in which a walk from the root meets them. A node stands in a column to the
// right of all that it sums and in the row of its last operand, so lines never cross:
//
//   c      ─┐
//   p0..3  ─⊕─┐
//   p4..7  ───⊕── d
#include "report/tree_drawing.h"

#include <algorithm>
#include <array>

#include "model/structure_text.h"
#include "report/style.h"

namespace mmaprint {
namespace {

class Drawing {
 public:
  explicit Drawing(const Tree& tree) : tree_(tree) {}

  std::string text() {
    const End end = node(tree_.nodes.size() - 1);
    line(end, end.column + 3);
    std::size_t width = 0;
    for (const Row& row : rows_) width = std::max(width, display_width(row.label));
    std::string all;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::string cells;
      for (const std::string& cell : rows_[r].cells) cells += cell;
      if (r == end.row) cells += " d";
      while (cells.ends_with(' ')) cells.pop_back();
      all += "  " + padded(rows_[r].label, width) + " " + cells + "\n";
    }
    return all;
  }

 private:
  struct Row {
    std::string label;
    std::vector<std::string> cells;
  };
  /// Where a subtree's line ends.
  struct End {
    std::size_t row, column;
  };

  void put(std::size_t row, std::size_t column, std::string_view what) {
    auto& cells = rows_[row].cells;
    cells.resize(std::max(cells.size(), column + 1), " ");
    cells[column] = what;
  }
  /// On from where it ends, up to a column.
  void line(End from, std::size_t to) {
    for (std::size_t x = from.column + 1; x < to; ++x) put(from.row, x, "─");
  }
  End leaf(std::string label) {
    rows_.push_back({std::move(label), {}});
    put(rows_.size() - 1, 0, "─");
    return {rows_.size() - 1, 0};
  }

  End node(std::size_t index) {
    const Node& n = tree_.nodes[index];
    std::vector<End> ends;
    visit_runs(
        n, [&](const std::vector<int>& products) { ends.push_back(leaf("p" + indices_text(products))); },
        [&](const Leaf& operand) {
          if (const auto* inner = std::get_if<NodeLeaf>(&operand))
            ends.push_back(node(static_cast<std::size_t>(inner->node)));
          else
            ends.push_back(leaf(std::holds_alternative<CLeaf>(operand) ? "c" : "0"));
        });
    return join(ends, n.adder);
  }

  End join(const std::vector<End>& ends, int adder) {
    std::size_t column = 0;
    for (const End& e : ends) column = std::max(column, e.column + (e.column == 0 ? 1 : 2));
    for (std::size_t row = ends.front().row; row < ends.back().row; ++row) put(row, column, "│");
    for (std::size_t i = 0; i < ends.size(); ++i) {
      line(ends[i], column);
      const bool last = i + 1 == ends.size();
      put(ends[i].row, column, last ? adder_sign(adder) : i == 0 ? "┐" : "┤");
    }
    return {ends.back().row, column};
  }

  const Tree& tree_;
  std::vector<Row> rows_;
};

}  // namespace

std::string blocks_text(const std::vector<std::vector<int>>& blocks) {
  std::string text;
  for (const auto& block : blocks) text += (text.empty() ? "" : " | ") + indices_text(block);
  return text;
}

std::string adder_sign(int adder) {
  constexpr std::array<std::string_view, 4> kSigns{"⊕", "⊞", "⊠", "⊡"};
  return std::string(kSigns[static_cast<std::size_t>(adder) % kSigns.size()]);
}

std::string tree_drawing(const Tree& tree) { return Drawing(tree).text(); }

}  // namespace mmaprint
