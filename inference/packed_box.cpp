#include "inference/packed_box.h"

#include <bit>
#include <limits>
#include <span>
#include <utility>

namespace mmaprint {
namespace {

class Union {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

 public:
  explicit Union(std::vector<PackedBox>& boxes)
      : boxes_(&boxes), keys_(PackedBox::varying(boxes)), stride_(boxes.size()), sums_(stride_, 0) {
    weights_.reserve(keys_.size() * stride_);
    for (const ParameterKey& key : keys_)
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        weights_.push_back(boxes[i].weight(key));
        sums_[i] += weights_.back();
      }
  }
  void run(const Deadline& deadline) {
    std::size_t unchanged = 0;  // parameters in a row along which nothing could be united
    // Of few boxes a pass takes less time than a look at the clock.
    constexpr std::size_t kFew = 1'000;
    Checkpoint late(deadline, boxes_->size() < kFew ? 32 : 1);
    const auto goes_on = [&] { return unchanged < keys_.size() && boxes_->size() > 1 && !late.passed(); };
    for (std::size_t i = 0; goes_on(); i = (i + 1) % keys_.size()) unchanged = along(i) ? 0 : unchanged + 1;
  }

 private:
  /// Unites along one of the parameters; true if anything was.
  bool along(std::size_t key) {
    auto& boxes = *boxes_;
    const ParameterKey& parameter = keys_[key];
    const std::span weights(weights_.data() + key * stride_, boxes.size());
    // Disjoint boxes that have the same set here differ elsewhere.
    if (std::ranges::count(weights, weights.front()) == std::ssize(weights) &&
        std::ranges::all_of(boxes, [&](const PackedBox& box) { return box.same(boxes.front(), parameter); }))
      return false;
    gone_.assign(boxes.size(), false);
    rests_.resize(boxes.size());
    const std::size_t last_slot = std::bit_ceil(2 * boxes.size()) - 1;
    firsts_.assign(last_slot + 1, kNone);
    bool changed = false;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      rests_[i] = sums_[i] - weights[i];
      std::size_t slot = spread(rests_[i]) & last_slot;
      while (firsts_[slot] != kNone && !are_alike(firsts_[slot], i, parameter)) slot = (slot + 1) & last_slot;
      if (firsts_[slot] == kNone) {
        firsts_[slot] = i;
        continue;
      }
      const std::size_t first = firsts_[slot];
      boxes[first].unite(boxes[i], parameter);
      weights[first] = boxes[first].weight(parameter);
      sums_[first] = rests_[first] + weights[first];
      gone_[i] = changed = true;
    }
    if (changed) compact();
    return changed;
  }

  [[nodiscard]] bool are_alike(std::size_t i, std::size_t j, const ParameterKey& but_for) const {
    return rests_[i] == rests_[j] && (*boxes_)[i].same_but_for((*boxes_)[j], but_for);
  }
  static std::uint64_t spread(std::uint64_t sum) { return (sum ^ sum >> 32) * 0x9E3779B97F4A7C15U >> 20; }

  void compact() {
    std::size_t n = 0;
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) continue;
      if (n != i) {
        (*boxes_)[n] = std::move((*boxes_)[i]);
        for (std::size_t row = 0; row < weights_.size(); row += stride_)
          weights_[row + n] = weights_[row + i];
      }
      sums_[n++] = sums_[i];
    }
    boxes_->erase(boxes_->begin() + static_cast<std::ptrdiff_t>(n), boxes_->end());
    sums_.resize(n);
  }

  std::vector<PackedBox>* boxes_;
  std::vector<ParameterKey> keys_;  ///< that are not the same in all boxes: no other tells them apart
  std::size_t stride_;
  std::vector<std::uint64_t> weights_;  ///< by key, and there by box; stride_ apart
  std::vector<std::uint64_t> sums_;     ///< of all weights, by box
  std::vector<std::uint64_t> rests_;    ///< but for the parameter's
  std::vector<std::size_t> firsts_;  ///< a table of boxes by their rests: those that others are united with
  std::vector<bool> gone_;
};

}  // namespace

void unite(std::vector<PackedBox>& boxes, const Deadline& deadline) {
  if (boxes.size() > 1) Union(boxes).run(deadline);
}

}  // namespace mmaprint
