#include "mmaprint/batch.h"

#include <nlohmann/json.hpp>

#include "device/read.h"
#include "library/conversion.h"

namespace mmaprint {
inline namespace api {

ObservedBatch read_observed(const std::string& file, int k, const Formats& formats) {
  return with_public_errors([&] {
    const Signature signature = signature_of(formats);
    const ObservationRules rules{std::nullopt, signature, k, false, true};
    std::vector<Observation> all;
    const auto take = [&](const ObservationRecord& record) {
      if (record.formats != signature)
        throw BadInput(record.place() + ": formats: expected " + to_json(signature).dump() + ", found " +
                       to_json(record.formats).dump());
      all.push_back({record.input, record.d.value()});
    };
    read_observations(file, rules, take, Deadline());
    return packed(all, signature, k);
  });
}

}  // namespace api
}  // namespace mmaprint
