#include "device/cuda/kernels.h"

#include <map>

namespace mmaprint::cuda {

const Kernel* find_kernel(std::string_view instruction) {
  static const auto kByName = [] {
    std::map<std::string_view, const Kernel*> all;
    for (const auto group :
         {dense_kernels(), quad_pair_kernels(), sparse_kernels(), wgmma_kernels(), wmma_kernels()})
      for (const Kernel& kernel : group) all[kernel.name] = &kernel;
    return all;
  }();
  const auto found = kByName.find(instruction);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace mmaprint::cuda
