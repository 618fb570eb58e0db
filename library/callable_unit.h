// A callable as a device.
#pragma once

#include <exception>

#include "device/matmul_unit.h"
#include "mmaprint/identify.h"

namespace mmaprint {

/// What the callable throws is kept, and handed on to nobody: inference sees a device that fails, and is not
/// unwound by exceptions of others.
class CallableUnit final : public MatmulUnit {
 public:
  /// Requires a callable, which has to outlive it.
  CallableUnit(const UnitUnderTest& callable, Instruction instruction)
      : callable_(&callable), instruction_(std::move(instruction)) {}

  [[nodiscard]] std::string name() const override { return "callable"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override {
    return {{instruction_, true, {}, {}}};
  }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override;

  /// Throws what the callable has thrown, if it has.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const UnitUnderTest* callable_;
  Instruction instruction_;
  std::exception_ptr thrown_;
};

}  // namespace mmaprint
