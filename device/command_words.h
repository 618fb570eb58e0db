// A command line split into words as a shell would quote them, without a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmaprint {

/// Words are separated by white space; '...' keeps all, "..." keeps all but \" \\ \$ \`, and \x outside
/// quotes is x. Nothing is expanded. Throws BadInput for an open quote, a backslash at the end, or no word at
/// all.
[[nodiscard]] std::vector<std::string> split_words(std::string_view command);

}  // namespace mmaprint
