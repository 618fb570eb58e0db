// Where do two models differ? A smallest input, or a proof that there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "mmaprint/batch.h"
#include "mmaprint/error.h"
#include "mmaprint/model.h"

namespace mmaprint {
inline namespace api {

struct DistinguishSettings {
  bool specials = false;  ///< look at infinities and NaN at once, not only where nothing else differs
  std::optional<double> time_limit;  ///< seconds
  std::stop_token stop = {};
};

enum class DistinguishVerdict : std::uint8_t { different, equivalent, unknown };
/// "different", ...
[[nodiscard]] std::string_view word(DistinguishVerdict verdict);

struct SmallestInput {
  InputBatch input;             ///< one
  std::uint64_t first, second;  ///< d of either model
  int nonzero_products;
  int significand_bits;  ///< set digits of the significands of a, b and c together
  bool fewest_products;  ///< proved: fewer do not do
  bool fewest_bits;      ///< proved, of as many products
};

struct DistinguishOutcome {
  DistinguishVerdict verdict;
  std::string reason;                       ///< why it is unknown
  std::optional<SmallestInput> difference;  ///< `different`
  std::string document;                     ///< `mmaprint/distinction/1` (docs/commands.md)
  std::string text;                         ///< what the command prints
};

/// Of models of different K the shorter one is issued several times, each step's d the next one's c. Throws
/// InputError for partial models, other formats, and K of which neither is a multiple of the other.
[[nodiscard]] DistinguishOutcome distinguish(const Model& first, const Model& second,
                                             const DistinguishSettings& settings = {});

}  // namespace api
}  // namespace mmaprint
