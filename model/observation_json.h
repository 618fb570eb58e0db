// Observations as JSON Lines: reading with file and line, writing, and counting each once.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/json_source.h"
#include "model/input_json.h"
#include "model/unit_model.h"

namespace mmaprint {

/// Longer lines are rejected before they are held in memory.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// One line: what it says, where it stands, and its text, which keeps fields that we don't know.
struct ObservationRecord {
  std::string file;
  std::size_t line = 0;
  std::string instruction;  ///< empty if the line names none
  Signature formats{};
  DotInput input;
  std::optional<Pattern> d;
  std::string text;

  /// "FILE:LINE"
  [[nodiscard]] std::string place() const;
};

/// What lines need not say themselves.
struct ObservationRules {
  /// Formats come from the line's `formats`, else from its instruction's name, else from these, in this
  /// order.
  std::optional<Signature> stated_formats;
  std::optional<Signature> model_formats;
  /// The model's K: other lengths are an error, but shorter ones are filled with +0 where `pad_zeros`.
  std::optional<int> k;
  bool pad_zeros = false;
  bool need_d = false;  ///< a line without a result is an error
};

/// Calls `use` for each line that is not blank and not one of a journal's about its runs. Throws BadInput at
/// the first bad line, which may be a line that closes a batch (model/batch.h) whose checksum is wrong, and
/// DeadlinePassed if it did before all was read.
void read_observations(std::istream& in, const std::string& file, const ObservationRules& rules,
                       const std::function<void(ObservationRecord)>& use, const Deadline& deadline = {});

/// {"instruction":..,"a":[..],"b":[..],"c":..,"d":..}, `formats` added where the instruction's name does not
/// give the same ones.
[[nodiscard]] Json observation_to_json(std::string_view instruction, const Signature& formats,
                                       const Observation& observation);

/// The record's line with `d` filled in, all its other fields kept.
[[nodiscard]] std::string with_result(const ObservationRecord& record, Pattern d);

}  // namespace mmaprint
