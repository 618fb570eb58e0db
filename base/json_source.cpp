#include "base/json_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/bad_input.h"
#include "base/printable.h"

namespace mmaprint {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::size_t line_at(const JsonSource& source, std::size_t offset) {
  const auto before = source.text.substr(0, offset);
  return source.first_line + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

[[noreturn]] void fail_at(const JsonSource& source, std::size_t offset, const std::string& message) {
  throw BadInput(fmt::format("{}:{}: {}", source.file, line_at(source, offset), message));
}

/// The offset after the string that opens at `i`; the text's size if it never closes.
std::size_t after_string(std::string_view text, std::size_t i) {
  for (++i; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

bool is_key(std::string_view text, std::size_t after) {
  const std::size_t next = text.find_first_not_of(kSpace, after);
  return next != std::string_view::npos && text[next] == ':';
}

/// Works on any text, so that the parser never meets a deep one, nor an object of many fields, which takes it
/// the square of their number.
void check_size(const JsonSource& source, Checkpoint& late) {
  std::vector<int> open;  // how many fields of each object or array have begun
  for (std::size_t i = 0; i < source.text.size();) {
    late.require();
    const char ch = source.text[i];
    if (ch == '"') {
      const std::size_t end = after_string(source.text, i);
      if (!open.empty() && is_key(source.text, end) && ++open.back() > kMostFields)
        fail_at(source, i, fmt::format("expected at most {} fields in an object", kMostFields));
      i = end;
      continue;
    }
    if (ch == '[' || ch == '{') {
      open.push_back(0);
      if (std::cmp_greater(open.size(), kDeepestNesting))
        fail_at(source, i, fmt::format("expected JSON nested at most {} deep", kDeepestNesting));
    } else if ((ch == ']' || ch == '}') && !open.empty()) {
      open.pop_back();
    }
    ++i;
  }
}

std::string decoded(std::string_view literal) { return Json::parse(literal).get<std::string>(); }

/// Requires valid JSON. The parser would let the later of two equal fields win in silence.
void check_no_field_twice(const JsonSource& source, Checkpoint& late) {
  const std::string_view text = source.text;
  std::vector<std::set<std::string>> open;
  for (std::size_t i = 0; i < text.size();) {
    late.require();
    if (text[i] == '"') {
      const std::size_t end = after_string(text, i);
      if (is_key(text, end)) {
        const std::string key = decoded(text.substr(i, end - i));
        if (!open.back().insert(key).second)
          fail_at(source, i, in_quotes(key) + ": expected the field only once");
      }
      i = end;
      continue;
    }
    if (text[i] == '{') open.emplace_back();
    if (text[i] == '}') open.pop_back();
    ++i;
  }
}

/// A walk over valid JSON to the place of a field; stops at the last part of the path that exists.
class Locator {
 public:
  explicit Locator(std::string_view text) : text_(text) { skip_space(); }

  std::size_t find(const FieldPath& path) {
    for (const std::string& step : path)
      if (!(text_[at_] == '[' ? enter_array(step) : text_[at_] == '{' && enter_object(step))) break;
    return at_;
  }

 private:
  void skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

  void skip_value() {
    int depth = 0;
    do {
      const char ch = text_[at_];
      if (ch == '"') {
        at_ = after_string(text_, at_);
      } else {
        if (ch == '[' || ch == '{') ++depth;
        if (ch == ']' || ch == '}') --depth;
        ++at_;
      }
      skip_space();
    } while (at_ < text_.size() &&
             (depth > 0 || std::string_view(",]}").find(text_[at_]) == std::string_view::npos));
  }

  bool enter_array(const std::string& step) {
    const std::size_t start = at_;
    ++at_;
    skip_space();
    for (std::size_t i = 0; text_[at_] != ']'; ++i) {
      if (step == fmt::format("[{}]", i)) return true;
      skip_value();
      if (text_[at_] == ',') ++at_;
      skip_space();
    }
    at_ = start;
    return false;
  }

  bool enter_object(const std::string& step) {
    const std::size_t start = at_;
    ++at_;
    skip_space();
    while (text_[at_] != '}') {
      const std::size_t end = after_string(text_, at_);
      const bool wanted = decoded(text_.substr(at_, end - at_)) == step;
      at_ = text_.find(':', end) + 1;
      skip_space();
      if (wanted) return true;
      skip_value();
      if (text_[at_] == ',') ++at_;
      skip_space();
    }
    at_ = start;
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Outside strings all characters of JSON are plain, so what is escaped stands in a string, and as JSON has
/// it.
std::string written(const Json& document, int indent) {
  try {
    return printable_lines(document.dump(indent));
  } catch (const Json::type_error&) {  // bytes that are not UTF-8, which are rare
    return printable_lines(well_formed_json(document).dump(indent));
  }
}

}  // namespace

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const std::string& step : path) {
    if (!text.empty() && !step.starts_with('[')) text += '.';
    text += printable(step);
  }
  return text;
}

Json JsonSource::parse(const Deadline& deadline) const {
  // Which the parser takes for the end.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    fail_at(*this, zero, "expected JSON: a byte is zero");
  Checkpoint late(deadline, 4096);
  check_size(*this, late);
  try {
    const auto in_time = [&](int, Json::parse_event_t, Json&) {
      late.require();
      return true;
    };
    Json json = deadline.is_never() ? Json::parse(text) : Json::parse(text, in_time);
    check_no_field_twice(*this, late);
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    const std::string what = error.what();
    const std::size_t reason = what.find("syntax error");
    // `byte` counts from 1, and stands one past the end where the text ends too early.
    const std::size_t offset = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    fail_at(*this, offset,
            "expected JSON: " + (reason == std::string::npos
                                     ? "invalid text"
                                     : printable(first_bytes(std::string_view(what).substr(reason), 160))));
  } catch (const nlohmann::json::out_of_range&) {
    fail_at(*this, 0, "expected JSON: a number is out of range");
  }
}

void JsonSource::fail(const FieldError& error) const {
  const std::string field = path_text(error.path);
  fail_at(*this, Locator(text).find(error.path), field.empty() ? error.what() : field + ": " + error.what());
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const std::string_view cut = first_bytes(text, kLongest);
  std::string quoted = "\"";
  for (const char ch : cut) {
    if (ch == '"' || ch == '\\') quoted += '\\';
    quoted += ch;
  }
  return printable(quoted) + '"' + (cut.size() < text.size() ? "..." : "");
}

Json well_formed_json(const Json& document) {
  if (document.is_string()) return well_formed(document.get_ref<const std::string&>());
  if (!document.is_structured()) return document;
  Json copy = document.is_object() ? Json::object() : Json::array();
  for (const auto& item : document.items())
    if (document.is_object())
      copy[well_formed(item.key())] = well_formed_json(item.value());
    else
      copy.push_back(well_formed_json(item.value()));
  return copy;
}

std::string json_line(const Json& document) { return written(document, -1); }
std::string json_lines(const Json& document) { return written(document, 1); }

}  // namespace mmaprint
