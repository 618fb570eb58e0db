// Derivations as JSON, and the formulas and proofs that they rest on as a certificate's files.
//
// A proof file lists the steps of its derivation; a question of a step names the formula that was refuted, by
// its number. Formula N is questions/N.cnf.gz (DIMACS CNF), its proof questions/N.drat.gz (binary DRAT); what
// several steps rest on is stored once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json_source.h"
#include "inference/derivation.h"
#include "model/hypotheses.h"

namespace mmaprint {

class JsonReader;

inline constexpr std::string_view kQuestionsFolder = "questions";
/// A certificate has no more.
inline constexpr int kMostFormulas = 1'000'000;
/// Bytes of all formulas and proofs of a certificate together, unpacked: no more are written or read.
inline constexpr std::size_t kMostUnpacked = std::size_t{1} << 28;
/// "questions/001.cnf.gz" for the first one.
[[nodiscard]] std::string formula_file(std::size_t number);
/// "questions/001.drat.gz"
[[nodiscard]] std::string refutation_file(std::size_t number);

/// Formulas in the order in which proofs come upon them, each once.
class StoredQuestions {
 public:
  /// From 1 on.
  std::size_t number_of(const std::shared_ptr<const RefutedFormula>& refuted);
  [[nodiscard]] const std::vector<std::shared_ptr<const RefutedFormula>>& all() const { return all_; }
  /// Of the formulas and their proofs.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  std::vector<std::shared_ptr<const RefutedFormula>> all_;
  std::map<std::string_view, std::size_t> numbers_;  ///< by the formula's text
};

/// The steps, each an object; `set` is what they begin with.
[[nodiscard]] Json steps_to_json(const Space& space, const HypothesisSet& set, const UnitModel& model,
                                 const Derivation& derivation, StoredQuestions& questions);

/// What a certificate holds for a question. Throws FieldError or BadInput where it holds nothing.
using FormulaOf = std::function<std::shared_ptr<const RefutedFormula>(const JsonReader& number)>;
/// The inverse. Nothing of it is believed, but it is well formed. Throws FieldError.
[[nodiscard]] Derivation steps_from_json(const JsonReader& from, const Space& space, const HypothesisSet& set,
                                         const UnitModel& model, const FormulaOf& formula_of);

}  // namespace mmaprint
