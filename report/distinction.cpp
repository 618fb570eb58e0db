#include "report/distinction.h"

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "model/model_json.h"
#include "model/observation_json.h"
#include "report/observation_rows.h"

namespace mmaprint {
namespace {

std::string minimal_text(const OperandFormats& formats, const Different& d) {
  const std::string terms = counted(static_cast<std::size_t>(d.nonzero_products), "nonzero product");
  const std::string bits = counted(static_cast<std::size_t>(d.significand_bits),
                                   info(formats.d).is_integer() ? "set bit" : "set fraction bit");
  std::string text = terms + (d.terms_minimal ? " (proved: fewer do not do)" : "") + ", " + bits;
  if (d.bits_minimal)
    text +=
        d.terms_minimal ? " (proved: fewer do not do with so many products)" : " (proved: fewer do not do)";
  return text;
}

struct Text {
  const Compared& models;
  const Style& style;

  std::string operator()(const Different& d) const {
    const std::vector<NamedResult> results{{models.first, d.left, Tone::strong},
                                           {models.second, d.right, Tone::strong}};
    return style(Tone::good, "different") + ": " + minimal_text(models.formats, d) + "\n\n" +
           bit_grid(observation_rows(models.formats, d.input, results, models.products), style);
  }
  std::string operator()(const SameEverywhere&) const {
    return style(Tone::bad, "equivalent") + ": no input tells them apart (proved)\n";
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
            {"minimal", {{"terms", d.terms_minimal}, {"bits", d.bits_minimal}}}};
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
  json.update(std::visit(Document{models}, result));
  return json;
}

}  // namespace mmaprint
