// Where the datapath's speed depends on what the compiler inlines.
#pragma once

// A call costs device code its registers, which is what it would save host code.
#ifdef __CUDACC__
#define MMAPRINT_OUT_OF_LINE
#else
#define MMAPRINT_OUT_OF_LINE [[gnu::noinline]]
#endif
