#include "library/callable_unit.h"

#include "library/conversion.h"

namespace mmaprint {

RunResult CallableUnit::run(const Instruction& instruction, std::span<const DotInput> inputs) {
  if (thrown_) return DeviceFailure{"the callable threw an exception"};
  std::vector<Pattern> results;
  try {
    results = (*callable_)(packed(inputs, instruction.formats, instruction.k));
  } catch (...) {  // handed on by rethrow()
    thrown_ = std::current_exception();
    return DeviceFailure{"the callable threw an exception"};
  }
  if (std::string wrong = wrong_results(results, inputs.size(), instruction.formats.d); !wrong.empty())
    return DeviceFailure{std::move(wrong)};
  return results;
}

}  // namespace mmaprint
