// Functions for the host and for the GPU.
#pragma once

#ifdef __CUDACC__
#define MMAPRINT_BOTH __host__ __device__
#else
#define MMAPRINT_BOTH
#endif
