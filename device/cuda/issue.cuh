// One instruction as inline assembly, by its registers: MMAPRINT_ISSUE_<A>_<B>_<C> and so on.
//
// `ptx` is the instruction's text; `reg_d` holds c before and d after.
#pragma once

// clang-format off

#define MMAPRINT_ISSUE_1_1_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2}, {%3}, {%0, %1};" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_b[0]))

#define MMAPRINT_ISSUE_2_1_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2, %3}, {%4}, {%0, %1};" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]))

#define MMAPRINT_ISSUE_2_1_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]))

#define MMAPRINT_ISSUE_4_2_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "r"(reg_b[0]), "r"(reg_b[1]))

#define MMAPRINT_ISSUE_4_2_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "r"(reg_b[0]), "r"(reg_b[1]))

#define MMAPRINT_ISSUE64_1_1_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2}, {%3}, {%0, %1};" \
               : "+l"(reg_d[0]), "+l"(reg_d[1]) \
               : "l"(reg_a[0]), "l"(reg_b[0]))

#define MMAPRINT_ISSUE64_2_1_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
               : "+l"(reg_d[0]), "+l"(reg_d[1]), "+l"(reg_d[2]), "+l"(reg_d[3]) \
               : "l"(reg_a[0]), "l"(reg_a[1]), "l"(reg_b[0]))

#define MMAPRINT_ISSUE64_4_2_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+l"(reg_d[0]), "+l"(reg_d[1]), "+l"(reg_d[2]), "+l"(reg_d[3]) \
               : "l"(reg_a[0]), "l"(reg_a[1]), "l"(reg_a[2]), "l"(reg_a[3]), "l"(reg_b[0]), "l"(reg_b[1]))

#define MMAPRINT_ISSUE64_8_4_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};" \
               : "+l"(reg_d[0]), "+l"(reg_d[1]), "+l"(reg_d[2]), "+l"(reg_d[3]) \
               : "l"(reg_a[0]), "l"(reg_a[1]), "l"(reg_a[2]), "l"(reg_a[3]), "l"(reg_a[4]), "l"(reg_a[5]), "l"(reg_a[6]), "l"(reg_a[7]), "l"(reg_b[0]), "l"(reg_b[1]), "l"(reg_b[2]), "l"(reg_b[3]))

// m8n8k4 of FP16, where c may have fewer registers than d; by the registers of D and C.
#define MMAPRINT_ISSUE_QUADS_4_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};" \
               : "=r"(reg_d[0]), "=r"(reg_d[1]), "=r"(reg_d[2]), "=r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]), "r"(reg_b[1]), \
               "r"(reg_c[0]), "r"(reg_c[1]), "r"(reg_c[2]), "r"(reg_c[3]))

#define MMAPRINT_ISSUE_QUADS_8_8(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" \
               : "=r"(reg_d[0]), "=r"(reg_d[1]), "=r"(reg_d[2]), "=r"(reg_d[3]), "=r"(reg_d[4]), "=r"(reg_d[5]), "=r"(reg_d[6]), "=r"(reg_d[7]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]), "r"(reg_b[1]), \
               "r"(reg_c[0]), "r"(reg_c[1]), "r"(reg_c[2]), "r"(reg_c[3]), "r"(reg_c[4]), "r"(reg_c[5]), "r"(reg_c[6]), "r"(reg_c[7]))

#define MMAPRINT_ISSUE_QUADS_8_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15};" \
               : "=r"(reg_d[0]), "=r"(reg_d[1]), "=r"(reg_d[2]), "=r"(reg_d[3]), "=r"(reg_d[4]), "=r"(reg_d[5]), "=r"(reg_d[6]), "=r"(reg_d[7]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]), "r"(reg_b[1]), \
               "r"(reg_c[0]), "r"(reg_c[1]), "r"(reg_c[2]), "r"(reg_c[3]))

// Sparse A.
#define MMAPRINT_ISSUE_SPARSE_2_2_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2, %3}, {%4, %5}, {%0, %1}, %6, %7;" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]), "r"(reg_b[1]), "r"(metadata), "n"(kSelector))

#define MMAPRINT_ISSUE_SPARSE_2_2_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, %9;" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_b[0]), "r"(reg_b[1]), "r"(metadata), "n"(kSelector))

#define MMAPRINT_ISSUE_SPARSE_4_4_2(ptx) \
  asm volatile(ptx " {%0, %1}, {%2, %3, %4, %5}, {%6, %7, %8, %9}, {%0, %1}, %10, %11;" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "r"(reg_b[0]), "r"(reg_b[1]), "r"(reg_b[2]), "r"(reg_b[3]), "r"(metadata), "n"(kSelector))

#define MMAPRINT_ISSUE_SPARSE_4_4_4(ptx) \
  asm volatile(ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, %13;" \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "r"(reg_b[0]), "r"(reg_b[1]), "r"(reg_b[2]), "r"(reg_b[3]), "r"(metadata), "n"(kSelector))

// wgmma, from the fence before it to the end of waiting; by the registers of D. `immediates` follows scale-d.
#define MMAPRINT_WGMMA_BEGIN "{ .reg .pred add; setp.ne.b32 add, 1, 0; wgmma.fence.sync.aligned; "
#define MMAPRINT_WGMMA_END "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"

#define MMAPRINT_ISSUE_WGMMA_2(ptx, immediates) \
  asm volatile(MMAPRINT_WGMMA_BEGIN ptx " {%0, %1}, {%2, %3, %4, %5}, %6, add" immediates MMAPRINT_WGMMA_END \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "l"(descriptor) : "memory")

#define MMAPRINT_ISSUE_WGMMA_SPARSE_2(ptx, immediates) \
  asm volatile(MMAPRINT_WGMMA_BEGIN ptx " {%0, %1}, {%2, %3, %4, %5}, %6, %7, %8, add" immediates MMAPRINT_WGMMA_END \
               : "+r"(reg_d[0]), "+r"(reg_d[1]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "l"(descriptor), "r"(metadata), "n"(kSelector) : "memory")

#define MMAPRINT_ISSUE_WGMMA_4(ptx, immediates) \
  asm volatile(MMAPRINT_WGMMA_BEGIN ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add" immediates MMAPRINT_WGMMA_END \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "l"(descriptor) : "memory")

#define MMAPRINT_ISSUE_WGMMA_SPARSE_4(ptx, immediates) \
  asm volatile(MMAPRINT_WGMMA_BEGIN ptx " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, %10, add" immediates MMAPRINT_WGMMA_END \
               : "+r"(reg_d[0]), "+r"(reg_d[1]), "+r"(reg_d[2]), "+r"(reg_d[3]) \
               : "r"(reg_a[0]), "r"(reg_a[1]), "r"(reg_a[2]), "r"(reg_a[3]), "l"(descriptor), "r"(metadata), "n"(kSelector) : "memory")

// clang-format on
