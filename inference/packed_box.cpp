#include "inference/packed_box.h"

#include <utility>

namespace mmaprint {
namespace {

class Union {
 public:
  explicit Union(std::vector<PackedBox>& boxes) : boxes_(&boxes), keys_(all_keys(boxes.front().classes())) {
    for (const PackedBox& box : boxes) {
      std::uint64_t sum = 0;
      for (const ParameterKey& key : keys_) sum += box.weight(key);
      sums_.push_back(sum);
    }
  }
  void run(const Deadline& deadline) {
    std::size_t unchanged = 0;  // parameters in a row along which nothing could be united
    const auto goes_on = [&] { return unchanged < keys_.size() && boxes_->size() > 1 && !deadline.passed(); };
    for (std::size_t i = 0; goes_on(); i = (i + 1) % keys_.size())
      unchanged = along(keys_[i]) ? 0 : unchanged + 1;
  }

 private:
  /// Unites along one parameter; true if anything was.
  bool along(const ParameterKey& parameter) {
    auto& boxes = *boxes_;
    const PackedBox& any = boxes.front();
    // Disjoint boxes that have the same set here differ elsewhere.
    if (std::ranges::all_of(boxes, [&](const PackedBox& box) { return box.same(any, parameter); }))
      return false;
    order_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i)
      order_.emplace_back(sums_[i] - boxes[i].weight(parameter), i);
    std::ranges::sort(order_);
    gone_.assign(boxes.size(), false);
    bool changed = false;
    for (std::size_t n = 0; n < order_.size(); ++n) {
      const auto [rest, i] = order_[n];
      if (gone_[i]) continue;
      for (std::size_t m = n + 1; m < order_.size() && order_[m].first == rest; ++m) {
        const std::size_t j = order_[m].second;
        if (gone_[j] || !boxes[i].same_but_for(boxes[j], parameter)) continue;
        boxes[i].unite(boxes[j], parameter);
        sums_[i] = rest + boxes[i].weight(parameter);
        gone_[j] = changed = true;
      }
    }
    if (changed) compact();
    return changed;
  }

  void compact() {
    std::size_t n = 0;
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) continue;
      if (n != i) (*boxes_)[n] = (*boxes_)[i];
      sums_[n++] = sums_[i];
    }
    boxes_->erase(boxes_->begin() + static_cast<std::ptrdiff_t>(n), boxes_->end());
    sums_.resize(n);
  }

  std::vector<PackedBox>* boxes_;
  std::span<const ParameterKey> keys_;
  std::vector<std::uint64_t> sums_;  ///< of all weights, by box
  std::vector<std::pair<std::uint64_t, std::size_t>> order_;
  std::vector<bool> gone_;
};

}  // namespace

void unite(std::vector<PackedBox>& boxes, const Deadline& deadline) {
  if (boxes.size() > 1) Union(boxes).run(deadline);
}

}  // namespace mmaprint
