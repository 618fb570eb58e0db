#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace mmaprint {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with gzip's header and checksum
constexpr std::size_t kPiece = std::size_t{1} << 16;

Bytef* bytes_of(const char* text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast,cppcoreguidelines-pro-type-reinterpret-cast)
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text));  // zlib does not write there
}

/// A stream that is being unpacked, until it goes out of scope.
class Inflation {
 public:
  Inflation() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflation() { inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  z_stream stream{};
};

/// Hands the next piece of the input to the stream.
void feed(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in > 0) return;
  const std::size_t size = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
  stream.next_in = bytes_of(rest.data());
  stream.avail_in = static_cast<uInt>(size);
  rest.remove_prefix(size);
}

/// What the next call writes goes behind the text.
void make_room(z_stream& stream, std::string& text, std::size_t used) {
  text.resize(used + kPiece);
  stream.next_out = bytes_of(text.data() + used);
  stream.avail_out = static_cast<uInt>(kPiece);
}

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string file;
  std::size_t used = 0;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    feed(stream, text);
    make_room(stream, file, used);
    state = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    used += kPiece - stream.avail_out;
  }
  deflateEnd(&stream);
  file.resize(used);
  return file;
}

std::optional<std::string> gunzip(std::string_view file, std::size_t most, const Deadline& deadline) {
  Inflation inflation;
  z_stream& stream = inflation.stream;
  std::string text;
  std::size_t used = 0;
  int state = Z_OK;
  while (state == Z_OK && used <= most) {
    deadline.require();
    feed(stream, file);
    make_room(stream, text, used);
    state = inflate(&stream, Z_NO_FLUSH);
    used += kPiece - stream.avail_out;
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && file.empty();
  if (!is_whole || used > most) return std::nullopt;
  text.resize(used);
  return text;
}

}  // namespace mmaprint
