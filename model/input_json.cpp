#include "model/input_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/model_json.h"

namespace mmaprint {
namespace {

std::vector<Pattern> read_entries(const JsonReader& from, Format format, const Entries& entries) {
  std::vector<Pattern> all = from.patterns(format, kLargestK);
  if (!entries.k) return all;
  const auto k = static_cast<std::size_t>(*entries.k);
  const bool fewer = all.size() < k;
  if (all.size() > k || (fewer && entries.fewer != Entries::Fewer::padded))
    from.fail(fmt::format(
        "{} entries{}", k,
        fewer && entries.fewer == Entries::Fewer::refused_unless_padded ? " (or --pad-zeros)" : ""));
  all.resize(k, 0);
  return all;
}

Pattern read_c(const JsonReader& from, const OperandFormats& formats) {
  if (formats.c) return from.at("c").pattern(*formats.c);
  if (const auto c = from.find("c"); c && !c->is_null()) c->fail("null, as the unit has no c");
  return 0;
}

}  // namespace

Json patterns_to_json(Format format, const std::vector<Pattern>& patterns) {
  Json json = Json::array();
  for (const Pattern pattern : patterns) json.push_back(pattern_text(format, pattern));
  return json;
}

Json c_to_json(const OperandFormats& formats, Pattern c) {
  return formats.c ? Json(pattern_text(*formats.c, c)) : Json(nullptr);
}

Json to_json(const DotInput& input, const OperandFormats& formats) {
  return {{"a", patterns_to_json(formats.a, input.a)},
          {"b", patterns_to_json(formats.b, input.b)},
          {"c", c_to_json(formats, input.c)}};
}

DotInput read_input(const JsonReader& from, const OperandFormats& formats, const Entries& entries) {
  DotInput input{read_entries(from.at("a"), formats.a, entries),
                 read_entries(from.at("b"), formats.b, entries), 0};
  if (input.a.size() != input.b.size())
    from.at("b").fail(fmt::format("as many entries as a has ({})", input.a.size()));
  input.c = read_c(from, formats);
  return input;
}

DotInput read_only_input(const JsonReader& from, const OperandFormats& formats, int k) {
  from.only({"a", "b", "c"});
  return read_input(from, formats, {k, Entries::Fewer::refused});
}

}  // namespace mmaprint
