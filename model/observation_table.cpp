#include "model/observation_table.h"

#include <cstring>
#include <string_view>

namespace mmaprint {
namespace {

std::size_t bytes_of(std::optional<Format> f) {
  return f ? static_cast<std::size_t>(info(*f).container_bits + 7) / 8 : 0;
}

}  // namespace

ObservationTable::ObservationTable(const OperandFormats& formats, int k)
    : k_(static_cast<std::size_t>(k)),
      a_bytes_(bytes_of(formats.a)),
      b_bytes_(bytes_of(formats.b)),
      c_bytes_(bytes_of(formats.c)),
      d_bytes_(bytes_of(formats.d)),
      d_at_(k_ * (a_bytes_ + b_bytes_) + c_bytes_),
      row_bytes_(d_at_ + d_bytes_) {}

ObservationTable::ObservationTable(const OperandFormats& formats, int k, const std::vector<Observation>& all)
    : ObservationTable(formats, k) {
  for (const Observation& seen : all) add(seen);
}

void ObservationTable::add(const Observation& seen) {
  if (size_ == chunks_.size() * kRowsOfChunk) chunks_.emplace_back(kRowsOfChunk * row_bytes_);
  std::uint8_t* to = chunks_[size_ / kRowsOfChunk].data() + size_ % kRowsOfChunk * row_bytes_;
  const auto put = [&to](Pattern p, std::size_t bytes) {
    for (std::size_t byte = 0; byte < bytes; ++byte) *to++ = static_cast<std::uint8_t>(p >> (8 * byte));
  };
  for (const Pattern p : seen.input.a) put(p, a_bytes_);
  for (const Pattern p : seen.input.b) put(p, b_bytes_);
  put(seen.input.c, c_bytes_);
  put(seen.d, d_bytes_);
  ++size_;
}

Pattern ObservationTable::pattern(const std::uint8_t* from, std::size_t bytes) {
  Pattern p = 0;
  for (std::size_t byte = 0; byte < bytes; ++byte) p |= static_cast<Pattern>(from[byte]) << (8 * byte);
  return p;
}

void ObservationTable::read(std::size_t i, Observation& seen) const {
  const std::uint8_t* from = row(i);
  const auto get = [&from](std::size_t bytes) {
    const Pattern p = pattern(from, bytes);
    from += bytes;
    return p;
  };
  seen.input.a.resize(k_);
  seen.input.b.resize(k_);
  for (Pattern& p : seen.input.a) p = get(a_bytes_);
  for (Pattern& p : seen.input.b) p = get(b_bytes_);
  seen.input.c = get(c_bytes_);
  seen.d = get(d_bytes_);
}

Observation ObservationTable::operator[](std::size_t i) const {
  Observation seen;
  read(i, seen);
  return seen;
}

bool ObservationTable::same_input(std::size_t i, std::size_t j) const {
  return std::memcmp(row(i), row(j), d_at_) == 0;
}

std::size_t ObservationTable::input_hash(std::size_t i) const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(row(i)), d_at_});
}

}  // namespace mmaprint
