// A model in words, as Markdown.
#pragma once

#include <string>

#include "emit/provenance.h"
#include "model/unit_model.h"

namespace mmaprint {

/// Where it comes from, formats, tree and datapath as drawings, features, the parameters of each class of
/// nodes, and the conventions. Requires a valid model.
[[nodiscard]] std::string model_markdown(const UnitModel& model, const emit::Provenance& from);

}  // namespace mmaprint
