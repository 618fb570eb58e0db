// Texts compressed as `gzip` does, for files that anybody can read with `gunzip -c`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"

namespace mmaprint {

/// The same bytes for the same text (of one version of zlib): no name, no time.
[[nodiscard]] std::string gzip(std::string_view text);

/// nullopt if it is not exactly one such file, whole, or holds more than `most` bytes; no more are ever held.
/// Throws DeadlinePassed.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view file, std::size_t most,
                                                const Deadline& deadline = {});

}  // namespace mmaprint
