#include "inference/neighbours.h"

#include <algorithm>
#include <iterator>

#include "inference/representative.h"

namespace mmaprint {
namespace {

std::vector<ParameterValues> with_others(const ParameterValues& values, const Box& box, const ParameterKey& p,
                                         std::size_t most) {
  std::vector<ParameterValues> all;
  for (const int value : other_values(box[p], value_index(values, p), most))
    set_value(all.emplace_back(values), p, value);
  return all;
}

}  // namespace

std::vector<ParameterValues> neighbours_of(const ParameterValues& target, const Box& box,
                                           std::span<const ParameterKey> parameters) {
  constexpr std::size_t kMostOfOne = 24, kMostInPairs = 2, kFew = 4;
  std::vector<ParameterValues> all;
  for (const ParameterKey& p : parameters)
    std::ranges::move(with_others(target, box, p, kMostOfOne), std::back_inserter(all));
  if (parameters.size() > kFew) return all;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const ParameterValues& one : with_others(target, box, parameters[i], kMostInPairs))
        std::ranges::move(with_others(one, box, parameters[j], kMostInPairs), std::back_inserter(all));
  return all;
}

}  // namespace mmaprint
