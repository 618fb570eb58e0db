// Single models run on very many observations, on all threads and until the time is up.
#pragma once

#include <functional>
#include <optional>

#include "base/deadline.h"
#include "model/evaluator.h"
#include "model/observation_table.h"

namespace mmaprint {

/// Calls look(first, last) for parts that together are 0..n-1, in about this order and side by side. False if
/// the deadline passed before all were looked at.
[[nodiscard]] bool scan(std::size_t n, int threads, const Deadline& deadline,
                        const std::function<void(std::size_t first, std::size_t last)>& look);

/// Does the model give what was observed?
[[nodiscard]] bool agrees(const Evaluator& evaluator, const Observation& seen);

/// How many observations the model gives; nullopt if the deadline passed before all were looked at.
[[nodiscard]] std::optional<std::size_t> agreeing(const Evaluator& evaluator,
                                                  const ObservationTable& observations, int threads,
                                                  const Deadline& deadline);

/// The first observation that the model does not give, from `from` on and then from the beginning; nullopt if
/// there is none, or none was found before the deadline.
[[nodiscard]] std::optional<std::size_t> first_disagreement(const Evaluator& evaluator,
                                                            const ObservationTable& observations,
                                                            std::size_t from, int threads,
                                                            const Deadline& deadline);

}  // namespace mmaprint
