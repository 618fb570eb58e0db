// Where the datapath's speed depends on what the compiler inlines.
#pragma once

// A call costs device code its registers, which it would save host code, and lanes what they know of a unit.
#if defined(__CUDACC__) || defined(MMAPRINT_LANE_BITS)
#define MMAPRINT_OUT_OF_LINE
#else
#define MMAPRINT_OUT_OF_LINE [[gnu::noinline]]
#endif

// The layers below the specification cost nothing where they become one function. Where nobody runs them for
// speed that function takes minutes to compile.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define MMAPRINT_INLINE [[gnu::always_inline]]
#else
#define MMAPRINT_INLINE
#endif

// A loop that most inputs never come to: device code does not unroll it.
#if defined(__CUDA_ARCH__)
#define MMAPRINT_KEEP_LOOP _Pragma("unroll 1")
#else
#define MMAPRINT_KEEP_LOOP
#endif
