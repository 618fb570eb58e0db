#include "support/chains.h"

#include <vector>

namespace mmaprint::test {

std::span<const ParameterKey> chain_keys() {
  static const std::vector<ParameterKey> kKeys = [] {
    std::vector<ParameterKey> keys;
    for (const ParameterInfo& row : all_parameters()) {
      keys.push_back({row.id});
      if (row.id == Parameter::output_fraction_bits) keys.push_back({Parameter::block_rounding, 1});
    }
    return keys;
  }();
  return kKeys;
}

int value_index(const ChainParameters& values, const ParameterKey& key) {
  return key.of_class == 0 ? info(key.parameter).index(values.block, values.conventions)
                           : static_cast<int>(values.final_rounding);
}

void set_value(ChainParameters& values, const ParameterKey& key, int index) {
  if (key.of_class == 0)
    info(key.parameter).set(values.block, values.conventions, index);
  else
    values.final_rounding = static_cast<Rounding>(index);
}

}  // namespace mmaprint::test
