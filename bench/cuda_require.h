// Ends a benchmark where CUDA fails.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace mmaprint::bench {

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace mmaprint::bench
