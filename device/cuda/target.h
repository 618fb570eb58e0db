// GPU architectures as compilers name them: sm_80, sm_90a, sm_120f.
#pragma once

#include <string>

#include "device/cuda/both.h"

namespace mmaprint::cuda {

enum class Features {
  common,    ///< what every later architecture has too
  specific,  ///< what only this architecture has: sm_90a
  family,    ///< what this architecture's family and later ones have, by the suffixes f and a: sm_120f
};

/// What an instruction needs, or what code was compiled for.
struct Target {
  int sm;
  Features features;
  friend constexpr bool operator==(const Target&, const Target&) = default;
};

MMAPRINT_BOTH constexpr Target common(int sm) { return {sm, Features::common}; }
MMAPRINT_BOTH constexpr Target specific(int sm) { return {sm, Features::specific}; }
MMAPRINT_BOTH constexpr Target family(int sm) { return {sm, Features::family}; }

/// Does code for `have` hold an instruction that needs `need`?
MMAPRINT_BOTH constexpr bool runs_on(Target need, Target have) {
  switch (need.features) {
    case Features::common:
      return have.sm >= need.sm;
    case Features::specific:
      return have.sm == need.sm && have.features == Features::specific;
    case Features::family:
      return have.sm >= need.sm && have.features != Features::common;
  }
  return false;
}

/// "sm_90a"
[[nodiscard]] std::string name_of(Target target);

/// What the compiler is at work on: nothing at all on the host.
MMAPRINT_BOTH constexpr Target here() {
#ifndef __CUDA_ARCH__
  return {0, Features::common};
#elif defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL) || \
    defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
  return {__CUDA_ARCH__ / 10, Features::specific};
#elif defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
  return {__CUDA_ARCH__ / 10, Features::family};
#else
  return {__CUDA_ARCH__ / 10, Features::common};
#endif
}

}  // namespace mmaprint::cuda
