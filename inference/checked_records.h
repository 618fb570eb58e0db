// What `check` reads, in little room: a million observations of a few lines' worth of memory each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/instruction.h"
#include "model/observation_json.h"
#include "model/observation_table.h"

namespace mmaprint {

/// Distinct observations of one instruction, and where each stands.
class CheckedRecords {
 public:
  explicit CheckedRecords(Instruction model);
  CheckedRecords(const CheckedRecords&) = delete;
  CheckedRecords& operator=(const CheckedRecords&) = delete;

  /// Takes in a record with a result, unless an equal one is there. Throws BadInput (file and line) if its K
  /// or formats are not the model's.
  void add(const ObservationRecord& record);

  [[nodiscard]] const ObservationTable& observations() const { return observations_; }
  [[nodiscard]] std::size_t size() const { return observations_.size(); }
  /// A record as it was read, but for its line's text.
  [[nodiscard]] ObservationRecord record(std::size_t i) const;
  /// The first two with one input and different results.
  [[nodiscard]] const std::optional<std::pair<std::size_t, std::size_t>>& contradiction() const {
    return contradiction_;
  }

 private:
  struct Place {
    std::uint32_t file, instruction;  ///< in texts_
    std::uint64_t line;
  };
  struct Hash {
    const ObservationTable* all;
    std::size_t operator()(std::uint32_t i) const { return all->input_hash(i); }
  };
  struct Equal {
    const ObservationTable* all;
    bool operator()(std::uint32_t i, std::uint32_t j) const {
      return all->d(i) == all->d(j) && all->same_input(i, j);
    }
  };
  [[nodiscard]] std::uint32_t text(const std::string& text);

  Instruction model_;
  ObservationTable observations_;
  std::vector<Place> places_;
  std::vector<std::string> texts_;
  std::unordered_set<std::uint32_t, Hash, Equal> known_;
  std::optional<std::pair<std::size_t, std::size_t>> contradiction_;
};

}  // namespace mmaprint
