// What a unit is asked before its model is reported.
//
// Experiments only ask what splits the hypotheses, so a unit outside the space could be taken for the last
// one that is left in it. Therefore it is asked some thousand inputs more that need not tell hypotheses
// apart: mostly dense ones, as a wrong bit of one significand shows nowhere else; infinities, NaN and zeros
// at every place; both sides of every edge; and some of what experiments are made of. At last a part is asked
// again, in another order and other batches: a model says nothing about a unit that answers one input in two
// ways.
#pragma once

#include <functional>
#include <random>
#include <variant>

#include "inference/confirming_inputs.h"
#include "inference/mutation_analysis.h"
#include "inference/scale_draws.h"
#include "model/evaluator.h"

namespace mmaprint {

/// What was asked for confirmation, and was answered as the model does.
struct Confirmation {
  std::size_t inputs = 0;    ///< that were never an observation
  std::size_t repeated = 0;  ///< of these and of the observations, answered as before
  MutantsTold mutants;       ///< units that the model could be mistaken for
};

/// How many inputs to ask at once: few at first, more while answers come fast. A slow device stays within its
/// time, and a person sees that it goes on.
class BatchSize {
 public:
  /// Inputs have K products.
  explicit BatchSize(int k);
  [[nodiscard]] std::size_t get() const { return size_; }
  void took(double seconds);

 private:
  std::size_t most_, size_;
};

/// Asks one unit, whatever models are proposed for it.
class Confirming {
 public:
  /// The device's results for all inputs, or none.
  using Ask = std::function<std::optional<std::vector<Pattern>>(std::span<const DotInput>, BatchSize&)>;
  /// All answers were the model's (or, asked again, the same as before).
  struct Agreed {};
  /// Not all were answered.
  struct CutShort {};
  /// Of two answers to one input, the earlier one; there is none where the model was expected.
  struct Differs {
    Observation seen;
    std::optional<Pattern> before;
  };
  using Outcome = std::variant<Agreed, Differs, CutShort>;

  /// `count` inputs in all.
  Confirming(const Space& space, std::size_t count, std::uint64_t seed, Experiments& experiments, Ask ask);

  /// Are answers kept? Then `anywhere` costs the device nothing where nothing is left to be asked. Of very
  /// many products they are not: there everything is asked anew for every model.
  [[nodiscard]] bool keeps_answers() const { return keeps_; }
  /// Does the unit answer as the model does, edges aside?
  [[nodiscard]] Outcome anywhere(const Evaluator& model);
  /// And at the model's edges?
  [[nodiscard]] Outcome at_edges(const Evaluator& model);
  /// And where a rule says which NaN a result is? (Else nothing is asked.) At most so many inputs.
  static constexpr std::size_t kMostOfNans = 128;
  [[nodiscard]] Outcome of_nans(const Evaluator& model);
  /// And on these?
  [[nodiscard]] Outcome on(std::vector<DotInput> inputs, const Evaluator& model);
  /// Asks more of `anywhere`, until there are `count` answers or no more come, whatever they are. They are
  /// kept.
  void ask_more(std::size_t count);
  /// Does it answer again as it did, on a sample of all that and of these?
  [[nodiscard]] Outcome again(const std::vector<Observation>& observations);
  /// The same of all of these.
  [[nodiscard]] Outcome all_again(std::vector<Observation> observations);

  /// Answers that agreed with the model that was asked about last, as far as they are kept.
  [[nodiscard]] const std::vector<Observation>& answers() const { return answers_; }
  [[nodiscard]] const std::vector<Observation>& answers_at_edges() const { return edge_answers_; }

  /// How many inputs agreed, and how many again.
  [[nodiscard]] std::size_t agreed() const { return agreed_ + at_edges_ + on_others_; }
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  /// With scales drawn where an input of a unit with scales has none.
  [[nodiscard]] std::vector<DotInput> scaled(std::vector<DotInput> inputs);
  /// Asks inputs, some at a time, until an answer differs or there are no more, and counts those that agree;
  /// `kept`: these are added to it.
  template <class Some>
  [[nodiscard]] Outcome compared(Some&& some, const Evaluator& model, std::size_t& agreed,
                                 std::vector<Observation>* kept);
  /// Has it taken into the sample, perhaps.
  void offer(const Observation& answer);

  int k_;
  Signature formats_;
  std::size_t count_;
  std::uint64_t seed_;
  Experiments* experiments_;
  Ask ask_;
  bool keeps_;
  ConfirmingInputs anywhere_;
  ScaleDraws scales_;
  std::mt19937_64 random_;
  std::vector<Observation> answers_;  ///< none of them an observation
  std::vector<Observation> edge_answers_;
  std::vector<Observation> sample_;  ///< of all answers, each as likely as any other
  std::size_t offered_ = 0;
  std::size_t agreed_ = 0, at_edges_ = 0, on_others_ = 0, repeated_ = 0;
};

}  // namespace mmaprint
