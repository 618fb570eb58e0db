// Tables that are made when they are first asked for, and kept.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace mmaprint {

/// A table for each of N indices, which says all about what the table holds. Threads may ask at once.
template <class Table, std::size_t N>
class Memo {
 public:
  /// make() gives the table; called once for each index.
  template <class Make>
  const Table& at(std::size_t index, Make&& make) {
    if (const Table* made = places_[index].load(std::memory_order_acquire)) return *made;
    const std::lock_guard lock(making_);
    if (!kept_[index]) {
      kept_[index] = std::make_unique<const Table>(make());
      places_[index].store(kept_[index].get(), std::memory_order_release);
    }
    return *kept_[index];
  }

 private:
  std::array<std::atomic<const Table*>, N> places_{};
  std::array<std::unique_ptr<const Table>, N> kept_;
  std::mutex making_;
};

}  // namespace mmaprint
