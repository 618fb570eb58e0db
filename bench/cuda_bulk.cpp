// How many dot products a second one GPU generates, executes and compares, step by step and together; and
// whether the device's instances of the datapath and of the generator agree with the host's.
//
// usage: mmaprint_cuda_bench [ROUNDS] [DEVICE] [MODEL...], model files whose instances are compared, too
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "bench/cuda_require.h"
#include "device/catalogue.h"
#include "device/cuda/bulk.h"
#include "device/cuda/bulk_steps.h"
#include "device/cuda/kernels.h"
#include "device/read.h"
#include "device/tile_inputs.h"
#include "model/evaluator.h"

namespace mmaprint::cuda {
namespace {

using bench::require;

/// Leaves results as they are.
cudaError_t launch_nothing(const TileBatch& /*batch*/, cudaStream_t /*stream*/) { return cudaSuccess; }

/// Prints dot products a second of `rounds` times `step`.
void measure(const char* name, BulkSteps& steps, TileShape shape, int rounds,
             const std::function<cudaError_t(const Round&)>& step) {
  cudaEvent_t begin{}, end{};
  require(cudaEventCreate(&begin), "event");
  require(cudaEventCreate(&end), "event");
  require(step(steps.round(1, 0, steps.groups_per_round())), name);  // warms up
  require(cudaEventRecord(begin, steps.stream()), "record");
  for (int i = 0; i < rounds; ++i)
    require(step(steps.round(
                1, static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(steps.groups_per_round()),
                steps.groups_per_round())),
            name);
  require(cudaEventRecord(end, steps.stream()), "record");
  require(cudaEventSynchronize(end), name);
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin, end), "time");
  const int tiles = steps.groups_per_round() * group_of(shape).tiles();
  const double dots = 1.0 * rounds * tiles * shape.m * shape.n;
  std::printf("%-10s %8.3g dot products/s\n", name, dots / (milliseconds / 1e3));
  std::fflush(stdout);
  require(cudaEventDestroy(begin), "event");
  require(cudaEventDestroy(end), "event");
}

void measure_all(const UnitModel& model, int rounds) {
  const Kernel& kernel = *find_kernel(model.instruction);
  const TileShape shape = kernel.tile;
  BulkSteps steps(*flat_unit(model), *reference_for(model), shape, kernel.launch);
  std::printf("%s\n", model.instruction.c_str());
  require(steps.allocate(), "allocate");
  require(steps.clear_tally(), "clear");
  measure("generate", steps, shape, rounds, [&](const Round& r) { return steps.generate(r); });
  measure("execute", steps, shape, rounds, [&](const Round& r) { return steps.execute(r); });
  measure("compare", steps, shape, rounds, [&](const Round& r) { return steps.compare(r); });
  require(steps.clear_tally(), "clear");
  measure("all", steps, shape, rounds, [&](const Round& r) {
    cudaError_t error = steps.generate(r);
    if (error == cudaSuccess) error = steps.execute(r);
    return error == cudaSuccess ? steps.compare(r) : error;
  });
  Tally tally{};
  require(steps.read_tally(tally), "tally");
  std::printf("%llu mismatches\n", tally.mismatches);
  for (unsigned i = 0; i < std::min<unsigned long long>(tally.mismatches, 4); ++i) {
    const MismatchRecord& r = tally.records[i];
    std::printf("  group %llu (kind %d), row %d, column %d: seen %llx, predicted %llx\n",
                static_cast<unsigned long long>(r.group),
                static_cast<int>(TileInputs(flat_unit(model)->widths, edges_of(model), 1, r.group).kind()),
                r.row, r.column, static_cast<unsigned long long>(r.seen),
                static_cast<unsigned long long>(r.predicted));
  }
}

/// With results that nobody has written, nearly all predictions are mismatches: are they the host's?
bool check(const UnitModel& model, const char* name) {
  const auto reference = reference_for(model);
  if (!reference) {
    std::printf("check %s: no device instance\n", name);
    return true;
  }
  auto runner = make_bulk_runner(0, model, {16, 8, model.k}, launch_nothing);
  const Evaluator evaluator(model);
  long checked = 0, wrong = 0;
  for (std::uint64_t round = 0; round < 100; ++round) {
    const auto found = runner->compare(7, round * 4, 4);
    if (const auto* failure = std::get_if<DeviceFailure>(&found)) {
      std::printf("check %s: %s\n", name, failure->message.c_str());
      return false;
    }
    for (const Mismatch& m : std::get<BulkFound>(found).examples) {
      ++checked;
      wrong += evaluator(m.seen.input) != m.predicted ? 1 : 0;
    }
  }
  std::printf("check %s (reference %d): %ld of %ld predictions differ from the host's\n", name,
              static_cast<int>(*reference), wrong, checked);
  std::fflush(stdout);
  return wrong == 0 && checked > 0;
}

UnitModel fma_chain(Format format, int k) {
  Chain chain;
  for (int i = 0; i < k; ++i) chain.blocks.push_back({i});
  ChainParameters values;
  values.block = exact_adder(format, Rounding::nearest_even);
  return chain_model("fma", k, {format, format, format, format}, chain, values, canonical_nan(format));
}

bool check_all() {
  bool good = true;
  for (const char* unit : {"v100", "t4", "a100", "ada", "h100"})
    for (const UnitModel& model : catalogued_models(unit))
      good = check(model, (std::string(unit) + " " + model.instruction).c_str()) && good;
  good = check(fma_chain(Format::fp64, 4), "fp64 chain") && good;
  good = check(fma_chain(Format::fp32, 4), "fp32 chain") && good;
  UnitModel odd = *catalogued_model("a100", "mma.m16n8k16.f32.f16.f16.f32");
  odd.adders[0].normalisation = Normalisation::immediate;
  odd.adders[0].alignment_rounding = AlignmentRounding::nearest_even;
  odd.adders[0].extra_carry_bits = 2;
  return check(odd, "immediate normalisation") && good;
}

}  // namespace
}  // namespace mmaprint::cuda

int main(int argc, char** argv) {
  using namespace mmaprint;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  bench::require(cudaSetDevice(argc > 2 ? std::atoi(argv[2]) : 0), "device");
  for (const char* name :
       {"mma.m16n8k16.f32.f16.f16.f32", "mma.m16n8k16.f32.bf16.bf16.f32", "mma.m16n8k8.f32.tf32.tf32.f32",
        "mma.m16n8k32.f32.e4m3.e4m3.f32", "mma.m8n8k4.f64.f64.f64.f64", "mma.m16n8k16.f64.f64.f64.f64",
        "mma.m16n8k64.s32.s4.s4.s32", "mma.m16n8k256.s32.b1.b1.s32.and.popc"})
    cuda::measure_all(*catalogued_model("h100", name), rounds);
  bool good = cuda::check_all();
  for (int i = 3; i < argc; ++i)
    good = cuda::check(std::get<UnitModel>(load_model(argv[i])), argv[i]) && good;
  return good ? 0 : 1;
}
