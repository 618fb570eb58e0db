// Devices that fail at any point of an identification, those points included where structure is measured.
#include <gtest/gtest.h>

#include "device/simulated.h"
#include "inference/characterise.h"
#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::failing_device_test {
namespace {

/// Says why when it fails, and later only that it has.
class FailsAtCall final : public MatmulUnit {
 public:
  FailsAtCall(UnitModel model, int call) : inner_("inner", "inner", {std::move(model)}), call_(call) {}
  [[nodiscard]] std::string name() const override { return "failing"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return inner_.instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    ++calls_;
    if (calls_ == call_) return DeviceFailure{"the lamp went out"};
    if (calls_ > call_) return DeviceFailure{"has failed before"};
    answered_ += inputs.size();
    return inner_.run(instruction, inputs);
  }
  [[nodiscard]] std::size_t answered() const { return answered_; }

 private:
  SimulatedUnit inner_;
  int call_, calls_ = 0;
  std::size_t answered_ = 0;
};

/// Which no pattern explains that is searched before structure is measured.
UnitModel pairwise() {
  const Signature formats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  Adder adder = exact_adder(Format::fp32, Rounding::toward_zero);
  adder.alignment_fraction_bits = 24;
  return unit_model("pairwise", 8, formats, {{}, pairwise_tree(8)}, {{adder}, {}}, 0x7fffffff);
}

TEST(FailingDevice, SaysWhyItFailedFirst) {
  const UnitModel unit = pairwise();
  const Instruction instruction{unit.instruction, unit.k, unit.formats};
  CharacteriseOptions options;
  options.identify.proof_steps = 0;
  options.identify.seconds = 60;
  const int calls_between = test::counts_are_reduced() ? 20 : 3;
  for (int call = 1; call < 40; call += calls_between) {
    FailsAtCall device(unit, call);
    std::size_t observed = 0;
    CharacteriseHooks hooks;
    hooks.identify.observed = [&](const Observation&) { ++observed; };
    const auto all = characterise(Search(default_space(instruction.name, instruction.k, instruction.formats)),
                                  device, instruction, {}, options, hooks);
    ASSERT_TRUE(all.result.device_failed()) << "call " << call;
    EXPECT_EQ(all.result.verdict(), Identification::Verdict::unknown) << "call " << call;
    EXPECT_EQ(all.result.reason(), "the lamp went out") << "call " << call;
    EXPECT_EQ(observed, all.result.observations.size()) << "call " << call;
    EXPECT_LE(observed, device.answered()) << "call " << call;
  }
}

}  // namespace
}  // namespace mmaprint::failing_device_test
