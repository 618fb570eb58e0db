// The states of an identification: what each is for, what it may spend, what it leaves behind, and what comes
// after it.
//
//   structure ──▶ sift ──▶ separate ──▶ prove ──▶ confirm ──▶ conclude
//       ▲───────────┴──────────┴──────────┴──────────┘
//
// Each answer of the unit's is an observation, from which conclusions are drawn at once
// (inference/evidence.h), unless it waits (inference/waiting.h); then the search goes on from what they
// leave, in one of the first two states. Where nothing is left, or nobody may or can be asked any more, a run
// concludes from any state. Where it goes depends on what a state left behind and on how much is left, and on
// nothing else; how it ended is a value (inference/ending.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "inference/experiments.h"
#include "model/count.h"

namespace mmaprint::flow {

// What states leave behind. (kName is what logs call a state; kDoing is what a waiting user is told.)

/// The unit answered an input on which survivors differ.
struct Answered {};
/// It answered an input otherwise than the model does.
struct Surprised {};
/// No input was found that tells survivors apart.
struct NothingTells {};
/// Every set of survivors is proved or given up on.
struct AllNoted {};
/// The unit gave the model's result on all inputs.
struct Agreed {};
/// No hypothesis is left, or no more can be asked.
struct Over {};

/// Very many hypotheses, most of other structures: inputs of few addends split them into fewer parts.
struct Structure {
  static constexpr std::string_view kName = "structure", kDoing = "looking for an input that tells";
  /// Until one of them finds an input. What tells little splits the sets all the same; that is worth it only
  /// where little is left to be told.
  static constexpr std::array<Look, 3> kLooks{{{InputFamily::few_addends, 150, 48, 0.05},
                                               {InputFamily::any, 1500, 96},
                                               {InputFamily::edges, 4000, 96}}};
  /// Of a large space, and once there are more sets than that, inputs that tell about the same differ a
  /// thousandfold in what it costs to sift by them: what tells most for that is asked.
  static constexpr std::size_t kManySets = 512;
  static constexpr auto kAtOneNode = Look::Meet::at_one_node;
  static constexpr std::array<Look, 7> kFrugalLooks{{{InputFamily::few_bits, 150, 48, 0.05},
                                                     {InputFamily::few_bits, 150, 48, 0.05, kAtOneNode},
                                                     {InputFamily::few_low_bits, 150, 48, 0.05, kAtOneNode},
                                                     {InputFamily::few_addends, 150, 48, 0.05},
                                                     {InputFamily::any, 600, 48, 0.05, kAtOneNode},
                                                     {InputFamily::any, 1500, 96},
                                                     {InputFamily::edges, 4000, 96}}};
  using Left = std::variant<Answered, NothingTells, Over>;
};

/// Few enough for any input.
struct Sift {
  static constexpr std::string_view kName = "sift", kDoing = "looking for an input that tells";
  static constexpr std::array<Look, 3> kLooks{
      {{InputFamily::any, 400, 48}, {InputFamily::any, 1500, 96}, {InputFamily::edges, 4000, 96}}};
  using Left = std::variant<Answered, NothingTells, Over>;
};

/// Random inputs split no more. Does the unit answer as the representative does (a proof about the wrong
/// hypotheses is time lost)? Is there an input on which one of its neighbours differs? Spends a
/// confirmation's inputs, those at edges aside, some ten thousand evaluations of each neighbour and as many
/// on inputs made for it, and a sixth of the steps of all proofs.
struct Separate {
  static constexpr std::string_view kName = "separate", kDoing = "comparing survivors with the solver";
  using Left = std::variant<Answered, Surprised, NothingTells, Over>;
};

/// Does any survivor differ from the representative? Spends the steps of all proofs, set by set, and millions
/// of random inputs on what is not decided then.
struct Prove {
  static constexpr std::string_view kName = "prove", kDoing = "comparing survivors with the solver";
  using Left = std::variant<Answered, AllNoted, Over>;
};

/// Does the unit answer as the model does where it was not asked yet, at the model's edges too, and does it
/// give the same answers again? Spends a confirmation's inputs.
struct Confirm {
  static constexpr std::string_view kName = "confirm", kDoing = "asking for confirmation";
  using Left = std::variant<Surprised, Agreed, Over>;
};

/// What is established. Of a unit that nothing explains all is asked once more: is it a function?
struct Conclude {
  static constexpr std::string_view kName = "conclude";
};

using State = std::variant<Structure, Sift, Separate, Prove, Confirm, Conclude>;

/// How much is left of the hypotheses.
enum class Remaining : std::uint8_t { nothing, few, many };
[[nodiscard]] Remaining how_many(const Count& hypotheses);
/// Is a space large, from the start?
[[nodiscard]] bool is_large(const Count& hypotheses);

/// The state from which to search.
[[nodiscard]] State search(Remaining remaining);

// What comes after each state.
[[nodiscard]] State after(const Structure& state, const Structure::Left& left, Remaining remaining);
[[nodiscard]] State after(const Sift& state, const Sift::Left& left, Remaining remaining);
[[nodiscard]] State after(const Separate& state, const Separate::Left& left, Remaining remaining);
[[nodiscard]] State after(const Prove& state, const Prove::Left& left, Remaining remaining);
[[nodiscard]] State after(const Confirm& state, const Confirm::Left& left, Remaining remaining);

[[nodiscard]] std::string_view name_of(const State& state);

}  // namespace mmaprint::flow
