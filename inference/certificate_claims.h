// What a certificate states beside its observations and sets of hypotheses.
//
// Whatever follows from those is derived again and compared: which files there are, the conflict's form, what
// the model's document calls unobservable, that a unit is not monotonic. What does not follow from anything
// in the certificate is an annotation, which nobody can check.
#pragma once

#include <array>

#include "inference/certificate_reader.h"

namespace mmaprint {

/// What nobody can check, as documents name it.
inline constexpr std::array<std::string_view, 10> kAnnotations{
    "device",    "instruction",           "version", "seed",   "solver", "reason",
    "confirmed", "order of observations", "clauses", "seconds"};

/// A line for each statement that does not hold or that nothing confirms. Not among them: what the
/// observations leave of the space, that sets are equal to the model, and the verdict. Throws DeadlinePassed.
[[nodiscard]] std::vector<std::string> false_claims(const Certificate& certificate, const Deadline& deadline);

}  // namespace mmaprint
