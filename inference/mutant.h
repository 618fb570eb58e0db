// Mutants: units that a model could be mistaken for.
//
// A unit outside the space that differs from a model in one thing may agree with it on very many inputs. So
// confirmation asks for what it could be (mutation analysis; DeMillo, Lipton, Sayward 1978): from one table
// of kinds come units that depart from the model in one thing each. An input on which a mutant and the model
// differ, and on which the device answers as the model does, kills the mutant: the device is not that.
// A mutant is one of three things: another model, which a solver can compare with the model; the model on
// inputs that were changed before; or a function of the input and of the model's answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/tile_inputs.h"
#include "model/batch_evaluator.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// Where a mutant shows, for whoever makes inputs.
struct Aim {
  /// Products that have to take part, K for c; empty: any.
  std::vector<int> places{};
  /// Of which a factor (c itself) is subnormal.
  bool subnormals = false;
  /// Infinities, NaN and zeros take part.
  bool specials = false;
  /// The place whose lowest bits decide, beside a tie of others.
  std::optional<int> least{};
  /// Fraction bits of results that round otherwise; none: D's.
  std::optional<int> rounds_to{};
  /// To which sums are rounded before that.
  std::optional<int> rounds_first_to{};
  /// The place that has its node's largest exponent, and whose value others cancel.
  std::optional<int> largest{};
  /// Partial sums grow beyond their node's largest exponent, and come back; the first operand is small.
  bool grows = false;
  /// Sums are rounded up to the first power of two that D cannot hold.
  bool overflows_by_rounding = false;
  /// Around which exponent of a product, or of c, it shows; none: anywhere.
  std::optional<int> exponent{};
  /// Its own edges, where they differ from the model's.
  std::optional<TileEdges> edges{};
  /// An input on which it may show, tried first.
  std::optional<DotInput> example{};
};

/// The model in the mutant's skeleton, and the mutant.
struct ComparableModels {
  UnitModel model, mutant;
};

struct Mutant {
  std::string name;  ///< what it does otherwise, in words
  /// Its answer to an input, the model's being d.
  std::function<Pattern(const DotInput& input, Pattern d)> answer;
  std::optional<ComparableModels> models{};  ///< where it is a model
  Aim aim{};
  std::size_t kind = 0;                              ///< row of mutant_kinds()
  std::shared_ptr<const BatchEvaluator> together{};  ///< its answers to many inputs, where it is a model
};

/// What mutants are made of.
struct Original {
  UnitModel model;
  /// The values that each of its parameters may have as far as is known, its own among them: mutants have
  /// others. As many classes as the model.
  Box values;
  std::shared_ptr<const BatchEvaluator> evaluator;

  Original(UnitModel of, Box its_values)
      : model(std::move(of)),
        values(std::move(its_values)),
        evaluator(std::make_shared<BatchEvaluator>(model)) {}
  /// Of which nothing is known but itself.
  explicit Original(const UnitModel& of) : Original(of, Box(values_of(of))) {}
};

using Mutants = std::vector<Mutant>;

/// A row of the table of kinds.
struct MutantKind {
  std::string_view name;
  /// Appends all mutants of this kind, none that computes as the model does for an obvious reason.
  void (*make)(const Original& original, Mutants& mutants);
};
[[nodiscard]] std::span<const MutantKind> mutant_kinds();

/// More mutants than a model has.
inline constexpr std::size_t kEveryMutant = std::size_t{1} << 20;
/// How many mutants a model is compared with at most.
inline constexpr std::size_t kMostMutants = 2000;

/// Mutants of every kind. Beyond `most`, as many of each kind as all kinds can have, drawn by the seed.
[[nodiscard]] Mutants mutants_of(const Original& original, std::size_t most, std::uint64_t seed);

}  // namespace mmaprint
