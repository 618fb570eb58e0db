// Holds exported CUDA headers against the instructions that they are of, on a GPU: on N dot products each,
// made as a bulk comparison makes them. Prints how many differ, and how many dot products a second were
// compared.
//
// usage: bench_gpu_exports [N] [DEVICE]
#include <cstdio>
#include <cstdlib>

#include "base/stopwatch.h"
#include "bench/cuda_require.h"
#include "bench/gpu_exports/units.h"
#include "device/catalogue.h"
#include "device/cuda/bulk_steps.h"
#include "device/cuda/kernels.h"

namespace mmaprint::bench {
namespace {

/// Dot products of one unit that differ, among `least` or more.
unsigned long long differing(const ExportedUnit& unit, double least) {
  const UnitModel model = *catalogued_model("h100", unit.instruction);
  const cuda::Kernel& kernel = *cuda::find_kernel(model.instruction);
  const cuda::TileShape shape = kernel.tile;
  cuda::BulkSteps steps(*flat_unit(model), *cuda::reference_for(model), shape, kernel.launch);
  require(steps.allocate(), "allocate");
  unsigned long long* count = nullptr;
  require(cudaMalloc(&count, sizeof *count), "allocate");
  require(cudaMemsetAsync(count, 0, sizeof *count, steps.stream()), "clear");
  const int groups = steps.groups_per_round();
  const double of_round = 1.0 * groups * cuda::group_of(shape).tiles() * shape.m * shape.n;
  double compared = 0;
  const Stopwatch watch;
  for (std::uint64_t first = 0; compared < least; first += static_cast<std::uint64_t>(groups)) {
    const cuda::Round round = steps.round(1, first, groups);
    require(steps.generate(round), "generate");
    require(steps.execute(round), "execute");
    require(unit.compare(steps.batch(round.tiles()), shape, count, steps.stream()), "compare");
    compared += of_round;
  }
  unsigned long long all = 0;
  require(cudaStreamSynchronize(steps.stream()), "compare");
  require(cudaMemcpy(&all, count, sizeof all, cudaMemcpyDeviceToHost), "count");
  std::printf("%-40s %.3g dot products, %llu differ; %.2g a second\n", unit.instruction, compared, all,
              compared / watch.seconds());
  std::fflush(stdout);
  require(cudaFree(count), "free");
  return all;
}

}  // namespace
}  // namespace mmaprint::bench

int main(int argc, char** argv) {
  using namespace mmaprint::bench;
  const double least = argc > 1 ? std::atof(argv[1]) : 1e9;
  if (!(least >= 1)) {
    std::fprintf(stderr, "usage: bench_gpu_exports [N] [DEVICE], N of 1 or more\n");
    return 2;
  }
  require(cudaSetDevice(argc > 2 ? std::atoi(argv[2]) : 0), "device");
  unsigned long long all = 0;
  for (const ExportedUnit& unit : exported_units()) all += differing(unit, least);
  std::printf("%zu exports, %s\n", exported_units().size(), all == 0 ? "none differs" : "SOME DIFFER");
  return all == 0 ? 0 : 1;
}
