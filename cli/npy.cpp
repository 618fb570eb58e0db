#include "cli/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/bad_input.h"
#include "base/files.h"
#include "base/json_source.h"

namespace mmaprint {
namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 30;

struct Header {
  std::string type;  ///< "<f4"
  bool by_columns;   ///< the first index is the quickest
  std::size_t rows, columns;
  std::size_t begin;  ///< of the elements
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// What stands behind 'key': up to the end of its value; nullopt where it is not there.
std::optional<std::string_view> value_of(std::string_view dictionary, std::string_view key) {
  const auto at = dictionary.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = dictionary.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  const char last = value.starts_with('(') ? ')' : ',';
  return value.substr(0, std::min(value.find(last), value.size()));
}

/// "(3, 4" as rows and columns.
std::optional<std::pair<std::size_t, std::size_t>> shape_of(std::string_view text) {
  std::pair<std::size_t, std::size_t> sides;
  const char* const end = text.data() + text.size();
  const auto rows = std::from_chars(text.data() + 1, end, sides.first);
  if (rows.ec != std::errc() || end - rows.ptr < 3 || std::string_view(rows.ptr, 2) != ", ") return {};
  const auto columns = std::from_chars(rows.ptr + 2, end, sides.second);
  return columns.ec == std::errc() && columns.ptr == end ? std::optional(sides) : std::nullopt;
}

Header header_of(std::string_view file, const std::string& path) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  constexpr std::size_t kVersions = 8, kShort = 2, kLong = 4;
  const int version = file.starts_with(kMagic) && file.size() >= kVersions ? file[kMagic.size()] : 0;
  if (version < 1 || version > 3) throw BadInput(path + ": expected a .npy file, of its version 1, 2 or 3");
  const std::size_t begin = kVersions + (version == 1 ? kShort : kLong);
  const std::size_t length = little_endian(file.substr(kVersions, begin - kVersions));
  if (file.size() < begin || file.size() - begin < length) throw BadInput(path + ": the header is cut short");
  const std::string_view text = file.substr(begin, length);
  const auto type = value_of(text, "descr"), order = value_of(text, "fortran_order"),
             shape = value_of(text, "shape");
  if (!type || !order || !shape || (*order != "True" && *order != "False") || !shape->starts_with('('))
    throw BadInput(path + ": header: expected 'descr', 'fortran_order' and 'shape'");
  const auto sides = shape_of(*shape);
  if (!sides) throw BadInput(path + ": shape: expected two dimensions, found " + in_quotes(*shape) + ")");
  std::string name(*type);
  std::erase(name, '\'');
  return {name, *order == "True", sides->first, sides->second, begin + length};
}

/// Bytes of an element that may stand for the format; nullopt for other types.
std::optional<std::size_t> bytes_of(const std::string& type, const FormatInfo& f) {
  if (type.size() != 3 || std::string_view("1248").find(type[2]) == std::string_view::npos)
    return std::nullopt;
  const auto bytes = static_cast<std::size_t>(type[2] - '0');
  if (type[0] != '<' && !(bytes == 1 && type[0] == '|') && type[1] != 'V') return std::nullopt;
  const bool exact = f.container_bits == static_cast<int>(bytes) * 8;
  switch (type[1]) {
    case 'u':
      return f.container_bits <= static_cast<int>(bytes) * 8 ? std::optional(bytes) : std::nullopt;
    case 'i':
    case 'V':  // what other packages' types are written as
      return exact && f.is_integer() == (type[1] == 'i') ? std::optional(bytes) : std::nullopt;
    case 'f':  // of 16, 32 and 64 bits they are NumPy's; TF32 stands in FP32
      return exact && f.specials == Specials::ieee && f.id != Format::bf16 ? std::optional(bytes)
                                                                           : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

NpyMatrix read_npy(const std::string& path, Format format, const Deadline& deadline) {
  const std::string file = read_file(path, kLargestFile, FileKind::any, deadline);
  const Header header = header_of(file, path);
  const FormatInfo& f = info(format);
  const auto bytes = bytes_of(header.type, f);
  if (!bytes)
    throw BadInput(
        fmt::format("{}: dtype: expected little-endian elements of {} ({} bits) or unsigned integers "
                    "that hold its patterns, found {}",
                    path, name(format), f.container_bits, in_quotes(header.type)));
  const std::size_t there = (file.size() - header.begin) / *bytes,
                    rest = (file.size() - header.begin) % *bytes;
  const bool fits = header.columns == 0 || there / header.columns >= header.rows;
  if (!fits || there != header.rows * header.columns || rest != 0)
    throw BadInput(fmt::format("{}: expected {} x {} elements of {} bytes, found {} bytes", path, header.rows,
                               header.columns, *bytes, file.size() - header.begin));
  NpyMatrix matrix{header.rows, header.columns, std::vector<Pattern>(there)};
  for (std::size_t row = 0; there != 0 && row < header.rows; ++row)
    for (std::size_t column = 0; column < header.columns; ++column) {
      const std::size_t at = header.by_columns ? column * header.rows + row : row * header.columns + column;
      const Pattern p = little_endian(std::string_view(file).substr(header.begin + at * *bytes, *bytes));
      if ((p & ~f.pattern_mask()) != 0)
        throw BadInput(fmt::format("{}: row {}, column {}: expected a pattern of {} bits ({}), found 0x{:x}",
                                   path, row, column, f.container_bits, name(format), p));
      matrix.patterns[row * header.columns + column] = p;
    }
  return matrix;
}

}  // namespace mmaprint
