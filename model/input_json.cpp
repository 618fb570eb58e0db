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

Pattern read_c(const JsonReader& from, const Signature& formats) {
  if (formats.c) return from.at("c").pattern(*formats.c);
  if (const auto c = from.find("c"); c && !c->is_null()) c->fail("null, as the unit has no c");
  return 0;
}

/// What there is no scale for would be explained wrongly in silence.
void refuse_scales(const JsonReader& from, Role role) {
  if (const auto given = from.find(name(role)); given && !given->is_null())
    given->fail("null, as the unit has no such scales");
}

}  // namespace

Json patterns_to_json(Format format, std::span<const Pattern> patterns) {
  Json json = Json::array();
  for (const Pattern pattern : patterns) json.push_back(pattern_text(format, pattern));
  return json;
}

Json role_to_json(const RolePatterns& role, const DotInput& input) {
  const auto patterns = input.of(role.role);
  return role.role == Role::c ? Json(pattern_text(role.format, patterns.front()))
                              : patterns_to_json(role.format, patterns);
}

Json to_json(const DotInput& input, const Signature& formats) {
  Json json{{"a", nullptr}, {"b", nullptr}, {"c", nullptr}};
  const DotInput all = with_all_scales(input, formats);
  for (const RolePatterns& role : input_roles(formats, static_cast<int>(input.a.size())))
    json[name(role.role)] = role_to_json(role, all);
  return json;
}

DotInput read_input(const JsonReader& from, const Signature& formats, const Entries& entries) {
  DotInput input{read_entries(from.at("a"), formats.a, entries),
                 read_entries(from.at("b"), formats.b, entries), 0};
  if (input.a.size() != input.b.size())
    from.at("b").fail(fmt::format("as many entries as a has ({})", input.a.size()));
  input.c = read_c(from, formats);
  if (!formats.sa) refuse_scales(from, Role::sa);
  if (!formats.sb) refuse_scales(from, Role::sb);
  for (const RolePatterns& role : input_roles(formats, static_cast<int>(input.a.size()))) {
    const Entries all{static_cast<int>(role.count), Entries::Fewer::refused};
    if (role.role == Role::sa) input.sa = read_entries(from.at("sa"), role.format, all);
    if (role.role == Role::sb) input.sb = read_entries(from.at("sb"), role.format, all);
  }
  return input;
}

DotInput read_only_input(const JsonReader& from, const Signature& formats, int k) {
  from.only({"a", "b", "c", "sa", "sb"});
  return read_input(from, formats, {k, Entries::Fewer::refused});
}

}  // namespace mmaprint
