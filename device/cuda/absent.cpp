// What builds without CUDA have instead of GPUs.
#include "device/cuda/cuda_unit.h"

namespace mmaprint::cuda {
namespace {

DeviceFailure no_cuda() { return {"cuda: is not supported by this build"}; }

}  // namespace

struct CudaUnit::State {};

CudaUnit::CudaUnit(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudaUnit::~CudaUnit() = default;

std::variant<std::vector<Gpu>, DeviceFailure> gpus() { return no_cuda(); }
CudaUnit::Opened CudaUnit::open(int /*ordinal*/) { return no_cuda(); }
std::string CudaUnit::name() const { return "cuda:"; }
std::string CudaUnit::description() const { return name(); }
std::vector<InstructionInfo> CudaUnit::instructions() const { return {}; }
RunResult CudaUnit::run_until(const Deadline& /*deadline*/, const Instruction& /*instruction*/,
                              std::span<const DotInput> /*inputs*/) {
  return no_cuda();
}
void CudaUnit::find_machine_instructions() {}
std::unique_ptr<BulkRunner> CudaUnit::bulk(const Instruction& /*instruction*/, const UnitModel& /*model*/) {
  return nullptr;
}

}  // namespace mmaprint::cuda
