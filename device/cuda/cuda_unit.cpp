#include "device/cuda/cuda_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "device/cuda/bulk.h"
#include "device/cuda/kernels.h"
#include "device/cuda/packing.h"
#include "device/cuda/probe.h"
#include "device/cuda/runtime.h"
#include "device/cuda/sass.h"
#include "device/cuda/table.h"

namespace mmaprint::cuda {
namespace {

/// Inputs go through the GPU in portions of about this much memory for A.
constexpr std::size_t kPortionBytes = std::size_t{64} << 20;

std::string device_name(int ordinal) { return fmt::format("cuda:{}", ordinal); }

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

struct Properties {
  std::string description;
  int sm = 0;
};

cudaError_t read_properties(int ordinal, Properties& properties) {
  cudaDeviceProp all{};
  int driver = 0;
  if (const cudaError_t error = cudaGetDeviceProperties(&all, ordinal); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaDriverGetVersion(&driver); error != cudaSuccess) return error;
  properties.sm = 10 * all.major + all.minor;
  properties.description = fmt::format("{}, {}, driver for CUDA {}", std::string(all.name),
                                       name_of(common(properties.sm)), version_text(driver));
  return cudaSuccess;
}

std::vector<InstructionInfo> listed(Target code, Target gpu) {
  std::vector<InstructionInfo> all;
  all.reserve(table().size());
  for (const TableRow& row : table()) {
    std::string reason = why_not(row, code, gpu);
    if (reason.empty() && find_kernel(row.instruction.name) == nullptr) reason = "has no kernel";
    all.push_back({row.instruction, reason.empty(), {}, std::move(reason)});
  }
  return all;
}

}  // namespace

struct CudaUnit::State {
  int ordinal = 0;
  std::string name;
  std::string description;
  Target code{};  ///< what the code that this GPU runs was compiled for
  std::vector<InstructionInfo> instructions;
  std::mutex running;
  Stream stream;
  DeviceBuffer a, b, c, d;
  int turn = 0;                       ///< of the next tile
  std::optional<DeviceFailure> dead;  ///< the error that ended all work

  RunResult run(const Deadline& deadline, const InstructionInfo& info, std::span<const DotInput> inputs);
  std::optional<DeviceFailure> run_portion(const Kernel& kernel, const Packing& packing,
                                           std::span<const DotInput> inputs, std::vector<Pattern>& results);
  DeviceFailure failed(std::string_view call, cudaError_t error);
};

/// Remembers an error that is still there after it has been taken note of.
DeviceFailure CudaUnit::State::failed(std::string_view call, cudaError_t error) {
  DeviceFailure what = failure(name, call, error);
  (void)cudaGetLastError();
  if (cudaDeviceSynchronize() != cudaSuccess) dead = what;
  (void)cudaGetLastError();
  return what;
}

std::optional<DeviceFailure> CudaUnit::State::run_portion(const Kernel& kernel, const Packing& packing,
                                                          std::span<const DotInput> inputs,
                                                          std::vector<Pattern>& results) {
  const Packing::Operands operands = packing.pack(inputs);
  const int tiles = packing.tiles_for(inputs.size());
  std::vector<std::byte> answers(static_cast<std::size_t>(tiles) * packing.d_bytes());
  struct Upload {
    DeviceBuffer& to;
    const std::vector<std::byte>& from;
  };
  for (const Upload& upload : {Upload{a, operands.a}, Upload{b, operands.b}, Upload{c, operands.c}}) {
    if (const auto error = upload.to.reserve(upload.from.size()); error != cudaSuccess)
      return failed("cudaMalloc", error);
    const auto error = cudaMemcpyAsync(upload.to.get(), upload.from.data(), upload.from.size(),
                                       cudaMemcpyHostToDevice, stream.get());
    if (error != cudaSuccess) return failed("cudaMemcpyAsync", error);
  }
  if (const auto error = d.reserve(answers.size()); error != cudaSuccess) return failed("cudaMalloc", error);
  const TileBatch batch{a.get(), b.get(), c.get(), d.get(), tiles};
  if (const auto error = kernel.launch(batch, stream.get()); error != cudaSuccess)
    return failed(kernel.name, error);
  if (const auto error =
          cudaMemcpyAsync(answers.data(), d.get(), answers.size(), cudaMemcpyDeviceToHost, stream.get());
      error != cudaSuccess)
    return failed("cudaMemcpyAsync", error);
  if (const auto error = cudaStreamSynchronize(stream.get()); error != cudaSuccess)
    return failed(kernel.name, error);
  const auto patterns = packing.unpack(answers, inputs.size());
  results.insert(results.end(), patterns.begin(), patterns.end());
  return std::nullopt;
}

RunResult CudaUnit::State::run(const Deadline& deadline, const InstructionInfo& info,
                               std::span<const DotInput> inputs) {
  const Kernel& kernel = *find_kernel(info.instruction.name);
  const std::scoped_lock one_at_a_time(running);
  if (dead) return DeviceFailure{dead->message + "; this device has failed before"};
  // Which device is current is each thread's own.
  if (const auto error = cudaSetDevice(ordinal); error != cudaSuccess) return failed("cudaSetDevice", error);
  std::vector<Pattern> results;
  results.reserve(inputs.size());
  while (!inputs.empty()) {
    // What a GPU has begun it ends; a portion takes far less than a second.
    if (deadline.passed()) return DeviceInterrupted{};
    const Packing packing(kernel.tile.m, kernel.tile.n, info.instruction, turn);
    const std::size_t most =
        kPortionBytes / packing.a_bytes() * static_cast<std::size_t>(packing.inputs_per_tile());
    const auto portion = inputs.first(std::min(most, inputs.size()));
    if (auto wrong = run_portion(kernel, packing, portion, results)) return *std::move(wrong);
    turn = (turn + packing.tiles_for(portion.size())) % (1 << 20);
    inputs = inputs.subspan(portion.size());
  }
  return results;
}

std::variant<std::vector<Gpu>, DeviceFailure> gpus() {
  int count = 0;
  if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess)
    return failure("cuda", "cudaGetDeviceCount", error);
  std::vector<Gpu> all;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Properties properties;
    if (const auto error = read_properties(ordinal, properties); error != cudaSuccess)
      return failure(device_name(ordinal), "cudaGetDeviceProperties", error);
    all.push_back({ordinal, std::move(properties.description)});
  }
  return all;
}

CudaUnit::Opened CudaUnit::open(int ordinal) {
  const std::string name = device_name(ordinal);
  int count = 0;
  if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess)
    return failure(name, "cudaGetDeviceCount", error);
  if (ordinal >= count)
    return DeviceFailure{name + ": this machine's GPUs are " + (count == 0 ? "none" : "cuda:0") +
                         (count > 1 ? " to " + device_name(count - 1) : "")};
  if (const auto error = cudaSetDevice(ordinal); error != cudaSuccess)
    return failure(name, "cudaSetDevice", error);
  auto state = std::make_unique<State>();
  state->ordinal = ordinal;
  state->name = name;
  Properties properties;
  if (const auto error = read_properties(ordinal, properties); error != cudaSuccess)
    return failure(name, "cudaGetDeviceProperties", error);
  state->description = std::move(properties.description);
  if (const auto error = state->stream.create(); error != cudaSuccess)
    return failure(name, "cudaStreamCreate", error);
  if (const auto error = chosen_target(state->code, state->stream.get()); error != cudaSuccess)
    return failure(name, "code for " + name_of(common(properties.sm)), error);
  state->instructions = listed(state->code, specific(properties.sm));
  return std::unique_ptr<MatmulUnit>(new CudaUnit(std::move(state)));
}

CudaUnit::CudaUnit(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudaUnit::~CudaUnit() {
  if (state_) (void)cudaSetDevice(state_->ordinal);
}

std::string CudaUnit::name() const { return state_->name; }
std::string CudaUnit::description() const { return state_->description; }
std::vector<InstructionInfo> CudaUnit::instructions() const { return state_->instructions; }

RunResult CudaUnit::run_until(const Deadline& deadline, const Instruction& instruction,
                              std::span<const DotInput> inputs) {
  const auto info = std::ranges::find(state_->instructions, instruction.name,
                                      [](const InstructionInfo& i) { return i.instruction.name; });
  if (info == state_->instructions.end())
    return DeviceFailure{state_->name + " has no instruction " + instruction.name};
  if (!info->available) return DeviceFailure{state_->name + ": " + instruction.name + " " + info->reason};
  if (auto wrong = check_batch(info->instruction, inputs)) return *std::move(wrong);
  return state_->run(deadline, *info, inputs);
}

std::unique_ptr<BulkRunner> CudaUnit::bulk(const Instruction& instruction, const UnitModel& model) {
  const auto info = find_instruction(*this, instruction.name);
  const Kernel* kernel = info && info->available ? find_kernel(instruction.name) : nullptr;
  if (kernel == nullptr || info->instruction.k != model.k || info->instruction.formats != model.formats)
    return nullptr;
  return make_bulk_runner(state_->ordinal, model, kernel->tile, kernel->launch);
}

void CudaUnit::find_machine_instructions() {
  const auto listing = own_listing(state_->code);
  if (!listing) return;
  const auto by_function = tensor_instructions(*listing);
  for (InstructionInfo& info : state_->instructions) {
    const Kernel* kernel = info.available ? find_kernel(info.instruction.name) : nullptr;
    const char* function = nullptr;
#if CUDART_VERSION >= 12030
    if (kernel == nullptr || cudaFuncGetName(&function, kernel->function) != cudaSuccess) continue;
#endif
    if (function == nullptr) continue;
    if (const auto found = by_function.find(std::string_view(function)); found != by_function.end())
      info.machine_instruction = found->second;
  }
}

}  // namespace mmaprint::cuda
