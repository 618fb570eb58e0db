#include "report/distinction.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "model/model_json.h"
#include "model/observation_json.h"
#include "report/observation_rows.h"

namespace mmaprint {
namespace {

std::string minimal_text(const Signature& formats, const Different& d) {
  const std::string terms = counted(static_cast<std::size_t>(d.nonzero_products), "nonzero product");
  const std::string bits = counted(static_cast<std::size_t>(d.significand_bits),
                                   info(formats.d).is_integer() ? "set bit" : "set fraction bit");
  const auto proved = [](bool all, int at_least, const char* among) {
    if (all) return std::string(" (proved: fewer do not do") + among + ")";
    return at_least > 0 ? fmt::format(" (proved: at least {}{})", at_least, among) : std::string();
  };
  return terms + proved(d.terms_minimal(), d.products_at_least, "") + ", " + bits +
         proved(d.bits_minimal(), d.bits_at_least, " with so many products");
}

/// What is said of a model of which several steps are compared.
std::string chain_text(const Compared& models) {
  const bool first = models.steps[0] > 1;
  if (!first && models.steps[1] == 1) return {};
  return fmt::format("{}: {} steps, each one's d the next one's c\n",
                     printable(first ? models.first : models.second),
                     std::max(models.steps[0], models.steps[1]));
}

struct Text {
  const Compared& models;
  const Style& style;

  std::string operator()(const Different& d) const {
    const std::vector<NamedResult> results{{models.first, d.left, Tone::strong},
                                           {models.second, d.right, Tone::strong}};
    return style(Tone::good, "different") + ": " + minimal_text(models.formats, d) + "\n" +
           chain_text(models) + "\n" +
           bit_grid(observation_rows(models.formats, d.input, results, models.products), style);
  }
  std::string operator()(const SameEverywhere&) const {
    return style(Tone::bad, "equivalent") + ": no input tells them apart (proved)\n" + chain_text(models);
  }
  std::string operator()(const NotDecided& n) const {
    return style(Tone::warn, "not known") + ": " + printable(n.reason) + "\n";
  }
};

struct Document {
  const Compared& models;

  Json operator()(const Different& d) const {
    Json witness = to_json(d.input, models.formats);
    witness["d"] = {pattern_text(models.formats.d, d.left), pattern_text(models.formats.d, d.right)};
    return {{"verdict", "different"},
            {"witness", std::move(witness)},
            {"nonzero_products", d.nonzero_products},
            {"significand_bits", d.significand_bits},
            {"minimal", {{"terms", d.terms_minimal()}, {"bits", d.bits_minimal()}}},
            {"products_at_least", d.products_at_least},
            {"bits_at_least", d.bits_at_least}};
  }
  Json operator()(const SameEverywhere& s) const {
    return {{"verdict", "equivalent"}, {"witness", nullptr}, {"clauses", s.clauses}};
  }
  Json operator()(const NotDecided& n) const {
    return {{"verdict", "unknown"}, {"witness", nullptr}, {"reason", n.reason}};
  }
};

}  // namespace

std::string distinction_text(const Compared& models, const MinimalDistinction& result, const Style& style) {
  return std::visit(Text{models, style}, result);
}

Json distinction_document(const Compared& models, const MinimalDistinction& result) {
  Json json{{"schema", kDistinctionSchema}};
  if (models.steps != std::array{1, 1}) json["steps"] = models.steps;
  json.update(std::visit(Document{models}, result));
  return json;
}

}  // namespace mmaprint
