#include "base/json_text.h"

#include <nlohmann/json.hpp>

namespace mmaprint {
namespace {

constexpr std::size_t kWidth = 110;

/// Longer items stand on lines of their own, and all beside them.
constexpr std::size_t kShort = 48;

/// The items of a list or an object, as many on a line as fit; nothing if one of them is too long for that.
std::string filled(const Json& value, std::size_t indent) {
  const std::string blanks(indent, ' ');
  std::string out = blanks;
  std::size_t column = indent;
  std::size_t left = value.size();
  for (const auto& entry : value.items()) {
    std::string item;
    if (value.is_object()) item = json_line(Json(entry.key())) + ": ";
    item += json_line(entry.value());
    if (item.size() > kShort) return {};
    if (--left > 0) item += value.is_object() ? ", " : ",";
    if (column > indent && column + item.size() > kWidth) {
      while (out.back() == ' ') out.pop_back();
      out += "\n" + blanks;
      column = indent;
    }
    out += item;
    column += item.size();
  }
  return out;
}

void write(const Json& value, std::size_t column, std::size_t indent, std::string& out) {
  const std::string line = json_line(value);
  if (value.empty() || !value.is_structured() || column + line.size() <= kWidth) {
    out += line;
    return;
  }
  const std::string blanks(indent + 2, ' ');
  out += value.is_object() ? "{" : "[";
  const std::string closing = "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
  if (const std::string items = filled(value, indent + 2); !items.empty()) {
    out += "\n" + items + closing;
    return;
  }
  std::size_t left = value.size();
  for (const auto& item : value.items()) {
    out += "\n" + blanks;
    std::size_t begins = blanks.size() + 1;
    if (value.is_object()) {
      const std::string key = json_line(Json(item.key())) + ": ";
      out += key;
      begins += key.size();
    }
    write(item.value(), begins, indent + 2, out);
    if (--left > 0) out += ",";
  }
  out += closing;
}

}  // namespace

std::string json_text(const Json& document) {
  std::string out;
  write(document, 0, 0, out);
  return out + "\n";
}

}  // namespace mmaprint
