// Observations that wait until it costs little to conclude from them: those from before, which were made for
// other hypotheses, where very many hypotheses split on them; and those that are put off, since the
// hypotheses that are left would split into too many sets.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "inference/experiments.h"
#include "model/count.h"

namespace mmaprint {

class Waiting {
 public:
  void add(Observation observation) { all_.push_back(std::move(observation)); }
  /// Nothing to be taken now?
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// With those that are put off.
  [[nodiscard]] std::size_t size() const { return all_.size() + put_off_.size(); }

  /// It would split so many hypotheses too much. False once that has been so too often to go on.
  [[nodiscard]] bool put_off(Observation observation, const Count& hypotheses);
  [[nodiscard]] bool has_put_off() const { return !put_off_.empty(); }
  /// Those that were put off can be taken again where so many are far fewer.
  void wake(const Count& hypotheses);
  void wake_all() { wake(Count()); }

  /// Takes the one that tells most for what it costs, if that is little.
  [[nodiscard]] std::optional<Observation> cheap(Experiments& experiments, const VersionSpace& sets);
  /// Takes the one that tells most for what it costs; the first one where none tells anything, or there are
  /// few hypotheses, which any input is good enough for. Requires one.
  [[nodiscard]] Observation next(Experiments& experiments, const VersionSpace& sets, bool few);
  /// Takes all, with those that are put off.
  [[nodiscard]] std::vector<Observation> rest();

 private:
  /// Which tells most for what it costs, of some hundred.
  [[nodiscard]] std::optional<std::size_t> best(Experiments& experiments, const VersionSpace& sets,
                                                Experiments::Patience patience) const;
  [[nodiscard]] Observation taken(std::size_t index);

  struct PutOff {
    Observation observation;
    Count hypotheses;
  };

  std::deque<Observation> all_;  ///< recordings have hundreds of thousands, most of which are taken in order
  std::vector<PutOff> put_off_;
  int times_ = 0;  ///< that one was put off
};

}  // namespace mmaprint
