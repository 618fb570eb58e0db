// The parameters of chains by key, as hypotheses have them: the block's are class 0's, the root's rounding is
// class 1's.
#pragma once

#include <span>

#include "model/unit_model.h"

namespace mmaprint::test {

/// Class 0's keys and the root's rounding behind the fraction bits, where every draw takes it.
[[nodiscard]] std::span<const ParameterKey> chain_keys();

[[nodiscard]] int value_index(const ChainParameters& values, const ParameterKey& key);
void set_value(ChainParameters& values, const ParameterKey& key, int index);

}  // namespace mmaprint::test
