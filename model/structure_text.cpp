#include "model/structure_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace mmaprint {
namespace {

class Line {
 public:
  explicit Line(const Tree& tree) : tree_(tree) {}

  std::string operator()() {
    node(tree_.nodes.back());
    return std::move(text_);
  }

 private:
  void node(const Node& n) {
    constexpr std::array<std::string_view, 4> kBrackets{"()", "[]", "{}", "<>"};
    const std::string_view brackets = kBrackets[static_cast<std::size_t>(n.adder) % kBrackets.size()];
    text_ += brackets.front();
    const std::size_t begin = text_.size();
    const auto plus = [&] { text_ += text_.size() == begin ? "" : " + "; };
    visit_runs(
        n,
        [&](const std::vector<int>& products) {
          plus();
          text_ += "p" + indices_text(products);
        },
        [&](const Leaf& leaf) {
          plus();
          if (const auto* inner = std::get_if<NodeLeaf>(&leaf))
            node(tree_.nodes[static_cast<std::size_t>(inner->node)]);
          else
            text_ += std::holds_alternative<CLeaf>(leaf)         ? "c"
                     : std::holds_alternative<PaddingLeaf>(leaf) ? "0*0"
                                                                 : "0";
        });
    text_ += brackets.back();
    if (n.result.is_carried()) text_ += n.result.is_scaled() ? '*' : '~';
  }

  const Tree& tree_;
  std::string text_;
};

}  // namespace

std::string indices_text(const std::vector<int>& x) {
  std::string text;
  for (std::size_t i = 0; i < x.size();) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}", x[i]);
    std::size_t end = i + 1;
    const int step = end < x.size() ? x[end] - x[i] : 0;
    while (end < x.size() && x[end] - x[end - 1] == step) ++end;
    const bool worth = step == 1 ? end - i >= 3 : end - i >= 5;
    if (worth) {
      if (step != 1) text += fmt::format(",{}", x[i + 1]);
      text += fmt::format("..{}", x[end - 1]);
      i = end;
    } else {
      ++i;
    }
  }
  return text;
}

std::string structure_text(const Tree& tree) { return tree.nodes.empty() ? "" : Line(tree)(); }

}  // namespace mmaprint
