// What builds for other processors have instead.
#include "device/cpu/cpu_unit.h"

namespace mmaprint::cpu {
namespace {

DeviceFailure no_x86() {
  return {"cpu is not supported by this build: of processors it knows the instructions of x86-64 only"};
}

}  // namespace

std::variant<std::string, DeviceFailure> processor_name() { return no_x86(); }
CpuUnit::Opened CpuUnit::open() { return no_x86(); }
RunResult CpuUnit::run_until(const Deadline& /*deadline*/, const Instruction& /*instruction*/,
                             std::span<const DotInput> /*inputs*/) {
  return no_x86();
}

}  // namespace mmaprint::cpu
