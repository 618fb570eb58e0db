// Preconditions and postconditions, checked in debug builds and under sanitizers (wherever NDEBUG is not
// defined), and nothing at all elsewhere and in device code. A broken one is a bug of ours: it says where,
// and the program ends.
#pragma once

#include <cstdio>
#include <cstdlib>

#ifndef MMAPRINT_CONTRACTS
#if defined(NDEBUG) || defined(__CUDACC__)
#define MMAPRINT_CONTRACTS 0
#else
#define MMAPRINT_CONTRACTS 1
#endif
#endif

namespace mmaprint {

[[noreturn]] inline void contract_broken(const char* kind, const char* condition, const char* file,
                                         int line) {
  std::fprintf(stderr, "%s:%d: broken %s: %s\n", file, line, kind, condition);
  std::abort();
}

}  // namespace mmaprint

#if MMAPRINT_CONTRACTS
#define MMAPRINT_EXPECTS(...) \
  ((__VA_ARGS__) ? void() : ::mmaprint::contract_broken("precondition", #__VA_ARGS__, __FILE__, __LINE__))
#define MMAPRINT_ENSURES(...) \
  ((__VA_ARGS__) ? void() : ::mmaprint::contract_broken("postcondition", #__VA_ARGS__, __FILE__, __LINE__))
#else
#define MMAPRINT_EXPECTS(...) static_cast<void>(0)
#define MMAPRINT_ENSURES(...) static_cast<void>(0)
#endif
