#include "model/observation_table.h"

#include <cstring>
#include <string_view>

namespace mmaprint {
namespace {

std::size_t bytes_of(Format f) { return static_cast<std::size_t>(info(f).container_bits + 7) / 8; }

}  // namespace

ObservationTable::ObservationTable(const Signature& formats, int k)
    : zeros_(zero_input(formats, k)), d_bytes_(bytes_of(formats.d)) {
  for (const auto& [role, format, count] : input_roles(formats, k)) {
    roles_.push_back({role, count, bytes_of(format)});
    d_at_ += count * bytes_of(format);
  }
  row_bytes_ = d_at_ + d_bytes_;
}

ObservationTable::ObservationTable(const Signature& formats, int k, const std::vector<Observation>& all)
    : ObservationTable(formats, k) {
  for (const Observation& seen : all) add(seen);
}

void ObservationTable::add(const Observation& seen) {
  if (size_ == chunks_.size() * kRowsOfChunk) chunks_.emplace_back(kRowsOfChunk * row_bytes_);
  std::uint8_t* to = chunks_[size_ / kRowsOfChunk].data() + size_ % kRowsOfChunk * row_bytes_;
  const auto put = [&to](Pattern p, std::size_t bytes) {
    for (std::size_t byte = 0; byte < bytes; ++byte) *to++ = static_cast<std::uint8_t>(p >> (8 * byte));
  };
  for (const auto& [role, count, bytes] : roles_)
    for (const Pattern p : seen.input.of(role)) put(p, bytes);
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
  seen.input = zeros_;
  for (const auto& [role, count, bytes] : roles_)
    for (Pattern& p : seen.input.of(role)) p = get(bytes);
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
