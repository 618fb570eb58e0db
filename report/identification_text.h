// What an identification found, for people.
#pragma once

#include <optional>
#include <string>

#include "inference/assumption.h"
#include "inference/identify.h"
#include "report/style.h"

namespace mmaprint {

/// Verdict, tree, a table of features with how each stands, and what it took.
[[nodiscard]] std::string identification_text(const Search& search, const Identification& result,
                                              const std::string& device,
                                              const std::optional<std::string>& certificate,
                                              const Style& style);

}  // namespace mmaprint
