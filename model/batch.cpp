#include "model/batch.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "model/json_reader.h"

namespace mmaprint {

bool OpenLines::has_room_for(std::string_view line) const {
  return lines_.empty() || (lines_.size() < kLargestBatch && bytes_ + line.size() <= kLargestBatchBytes);
}

void OpenLines::add(std::string_view line) {
  for (; !has_room_for(line); lines_.pop_front()) bytes_ -= lines_.front().size();
  lines_.emplace_back(line);
  bytes_ += line.size();
}

std::string OpenLines::checksum_of_last(std::size_t count) const {
  Checksum sum;
  for (auto line = lines_.end() - static_cast<std::ptrdiff_t>(count); line != lines_.end(); ++line) {
    sum.add(*line);
    sum.add("\n");
  }
  return sum.text();
}

std::string OpenLines::closing_line() const {
  const std::size_t count = lines_.size();
  return Json{{"schema", kBatchSchema}, {"lines", count}, {"fnv1a64", checksum_of_last(count)}}.dump();
}

void OpenLines::close(const JsonReader& line) {
  line.only({"schema", "lines", "fnv1a64"});
  const auto count = static_cast<std::size_t>(line.at("lines").integer(1, static_cast<int>(kLargestBatch)));
  if (count > lines_.size())
    line.at("lines").fail(fmt::format("at most the {} lines since the last batch", lines_.size()));
  const std::string sum = checksum_of_last(count);
  if (line.at("fnv1a64").text() != sum)
    line.at("fnv1a64").fail(fmt::format("{}, the checksum of the {} {} before", in_quotes(sum), count,
                                        count == 1 ? "line" : "lines"));
  *this = {};
}

}  // namespace mmaprint
