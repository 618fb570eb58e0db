#include "python/native/questions.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "python/native/arrays.h"
#include "python/native/calling_thread.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace mmaprint::python {
namespace {

/// (inputs, d)
using ArraysOfObserved = std::tuple<ArraysOfInputs, Patterns>;

ObservedBatch observed_of(const ArraysOfObserved& arrays) {
  return {batch_of(std::get<0>(arrays)), patterns_of(std::get<1>(arrays))};
}

/// The calling thread has been told why.
struct Abandoned : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "the caller wants no answer any more"; }
};

/// A Python function of (a, b, c, sa, sb) as the library's callable, called on the thread that asked.
UnitUnderTest unit_of(const nb::callable& function, CallingThread& caller) {
  return [&](const InputBatch& inputs) {
    std::vector<std::uint64_t> results;
    const auto errand = [&] {
      const nb::object answer = function(*arrays_of(inputs));
      results = patterns_of(nb::cast<Patterns>(answer));
    };
    if (!caller.ask(errand)) throw Abandoned();
    return results;
  };
}

/// Calls it ten times a second at most: it is told what to show, not what happened.
std::function<void(const IdentifyProgress&)> progress_of(const nb::object& function, CallingThread& caller) {
  if (function.is_none()) return {};
  using Clock = std::chrono::steady_clock;
  return [&, last = Clock::time_point()](const IdentifyProgress& p) mutable {
    constexpr std::chrono::milliseconds kBetween{100};
    if (Clock::now() - last < kBetween) return;
    last = Clock::now();
    (void)caller.ask([&] { function(p.hypotheses, p.observations, p.seconds, p.doing); });
  };
}

IdentifySettings settings_of(const std::string& instruction, std::uint64_t seed, int threads,
                             std::optional<double> time_limit, std::optional<int> max_observations,
                             const std::optional<Model>& assume,
                             const std::optional<ArraysOfObserved>& known) {
  IdentifySettings settings;
  settings.instruction = instruction;
  settings.seed = seed;
  settings.threads = threads;
  settings.time_limit = time_limit;
  settings.max_observations = max_observations;
  settings.assume = assume;
  if (known) settings.known = observed_of(*known);
  return settings;
}

nb::dict dict_of(const IdentifyOutcome& outcome) {
  nb::dict found;
  found["verdict"] = word(outcome.verdict);
  found["reason"] = outcome.reason;
  found["model"] = outcome.model;
  found["observed"] = arrays_of(outcome.observed);
  found["conflict"] = outcome.conflict;
  found["document"] = outcome.document;
  found["text"] = outcome.text;
  return found;
}

/// A unit is asked, or `known` is all there is.
nb::dict identify(const std::optional<nb::callable>& function, int k, const Formats& formats,
                  const std::string& instruction, std::uint64_t seed, int threads,
                  std::optional<double> time_limit, std::optional<int> max_observations,
                  const std::optional<Model>& assume, const std::optional<ArraysOfObserved>& known,
                  const nb::object& progress) {
  IdentifySettings settings =
      settings_of(instruction, seed, threads, time_limit, max_observations, assume, known);
  CallingThread caller;
  settings.stop = caller.stop();
  settings.progress = progress_of(progress, caller);
  std::optional<IdentifyOutcome> outcome;
  caller.run([&] {
    if (function)
      outcome = mmaprint::identify(unit_of(*function, caller), k, formats, settings);
    else
      outcome = identify_recorded({}, k, formats, settings);
  });
  return dict_of(outcome.value());
}

nb::dict check(const Model& model, const ArraysOfObserved& observed, std::uint64_t seed, int threads,
               std::optional<double> time_limit) {
  const ObservedBatch batch = observed_of(observed);
  CallingThread caller;
  std::optional<CheckOutcome> outcome;
  caller.run([&] { outcome = mmaprint::check(model, batch, {seed, threads, time_limit, caller.stop()}); });
  nb::list refuting;
  for (const RefutingObservation& r : outcome->refuting)
    refuting.append(nb::make_tuple(r.index, r.predicted));
  nb::dict found;
  found["verdict"] = word(outcome->verdict);
  found["reason"] = outcome->reason;
  found["refuting"] = refuting;
  found["smallest"] = outcome->smallest;
  found["contradictory"] = outcome->contradictory;
  found["disagreeing"] = outcome->disagreeing;
  found["completion"] = outcome->completion;
  found["document"] = outcome->document;
  found["text"] = outcome->text;
  return found;
}

nb::object tuple_of(const std::optional<SmallestInput>& difference) {
  if (!difference) return nb::none();
  const SmallestInput& d = *difference;
  return nb::make_tuple(arrays_of(d.input), array_of({d.first, d.second}), d.nonzero_products,
                        d.significand_bits, d.fewest_products, d.fewest_bits);
}

nb::dict distinguish(const Model& first, const Model& second, bool specials,
                     std::optional<double> time_limit) {
  CallingThread caller;
  std::optional<DistinguishOutcome> outcome;
  caller.run([&] { outcome = mmaprint::distinguish(first, second, {specials, time_limit, caller.stop()}); });
  nb::dict found;
  found["verdict"] = word(outcome->verdict);
  found["reason"] = outcome->reason;
  found["difference"] = tuple_of(outcome->difference);
  found["document"] = outcome->document;
  found["text"] = outcome->text;
  return found;
}

}  // namespace

void bind_questions(nb::module_& module) {
  module.def("identify", &identify, "function"_a.none(), "k"_a, "formats"_a, "instruction"_a, "seed"_a,
             "threads"_a, "time_limit"_a.none(), "max_observations"_a.none(), "assume"_a.none(),
             "known"_a.none(), "progress"_a.none());
  module.def("check", &check, "model"_a, "observed"_a, "seed"_a, "threads"_a, "time_limit"_a.none());
  module.def("distinguish", &distinguish, "first"_a, "second"_a, "specials"_a, "time_limit"_a.none());
}

}  // namespace mmaprint::python
