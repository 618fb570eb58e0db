// Batches of lines, each closed by a line with a checksum of them, so that accidents to a journal show.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/json_source.h"

namespace mmaprint {

class JsonReader;

inline constexpr std::string_view kBatchSchema = "mmaprint/batch/1";

/// A batch has at most so many lines and, where it has several, bytes; whoever reads holds no more.
inline constexpr std::size_t kLargestBatch = 1024;
inline constexpr std::size_t kLargestBatchBytes = std::size_t{16} << 20;

/// The lines since the last one that closed a batch; where there are more than a batch has, the last of them.
/// Lines are without their ends.
class OpenLines {
 public:
  void add(std::string_view line);
  [[nodiscard]] bool has_room_for(std::string_view line) const;
  [[nodiscard]] bool empty() const { return lines_.empty(); }

  /// {"schema":"mmaprint/batch/1","lines":n,"fnv1a64":..}: what closes them all. The checksum is of the n
  /// lines before, their ends ("\n") included.
  [[nodiscard]] std::string closing_line() const;
  /// Takes such a line. Throws FieldError unless it agrees with the lines before it; those that it does not
  /// count belong to no batch.
  void close(const JsonReader& line);

 private:
  [[nodiscard]] std::string checksum_of_last(std::size_t count) const;

  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace mmaprint
