#include "report/json_text.h"

#include <nlohmann/json.hpp>

namespace mmaprint {
namespace {

constexpr std::size_t kWidth = 110;

void write(const Json& value, std::size_t column, std::size_t indent, std::string& out) {
  const std::string line = json_line(value);
  if (value.empty() || !value.is_structured() || column + line.size() <= kWidth) {
    out += line;
    return;
  }
  const std::string blanks(indent + 2, ' ');
  out += value.is_object() ? "{" : "[";
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
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string json_text(const Json& document) {
  std::string out;
  write(document, 0, 0, out);
  return out + "\n";
}

}  // namespace mmaprint
