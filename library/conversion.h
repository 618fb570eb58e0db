// Between what the public interface speaks (names of formats, flat batches) and what the rooms below do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/bad_input.h"
#include "mmaprint/batch.h"
#include "mmaprint/error.h"
#include "mmaprint/formats.h"
#include "model/batch_evaluator.h"
#include "model/dot_input.h"

namespace mmaprint {

/// Throws BadInput for a name that is no format's, and scales of fewer than one product.
[[nodiscard]] Signature signature_of(const Formats& formats);
[[nodiscard]] Formats public_formats(const Signature& signature);

/// Throws BadInput unless each role has n times as many patterns as one input of it, all within its format's
/// width, and no other role has any.
void require_inputs(const InputBatch& batch, const Signature& signature, int k);
/// The same of arrays of a unit without scales.
[[nodiscard]] PatternRows required_rows(const InputView& inputs, const Signature& signature, int k);
/// As `require_inputs`, and gives them input by input.
[[nodiscard]] std::vector<DotInput> unpacked(const InputBatch& batch, const Signature& signature, int k);
[[nodiscard]] std::vector<Observation> unpacked(const ObservedBatch& batch, const Signature& signature,
                                                int k);
[[nodiscard]] InputBatch packed(std::span<const DotInput> inputs, const Signature& signature, int k);
[[nodiscard]] ObservedBatch packed(std::span<const Observation> observations, const Signature& signature,
                                   int k);

/// Throws BadInput where a pattern is wider than the format.
void require_within(std::span<const Pattern> patterns, const char* name, Format format);
/// What is wrong with n results of format d, in one line; empty if nothing is.
[[nodiscard]] std::string wrong_results(std::span<const Pattern> results, std::size_t n, Format d);

/// What `work` gives; its BadInput becomes the public one.
template <class Work>
auto with_public_errors(Work&& work) {
  try {
    return work();
  } catch (const BadInput& problem) {
    throw InputError(problem.what());
  }
}

/// As many threads as were asked for; 0: one for each core.
[[nodiscard]] int threads_of(int asked);

}  // namespace mmaprint
