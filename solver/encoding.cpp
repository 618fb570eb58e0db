#include "solver/encoding.h"

#include "solver/asserted.h"
#include "solver/dimacs.h"
#include "solver/posed_question.h"

namespace mmaprint {

namespace {

void require_lemmas(const SolverQuestion& question, const AigGates& gates, const Deadline& deadline) {
  std::int64_t tried = 0;
  for (const ProductLemma& lemma : formula_of(question).lemmas) {
    if (deadline.passed()) throw DeadlinePassed(std::string(deadline.reason()));
    const AigGates::FreeProduct& free = gates.free_products_made().at(lemma.product);
    const FactorWidths widths{static_cast<int>(free.x.size()), static_cast<int>(free.y.size())};
    if (widths.x + widths.y > kMostBitsOfFactors) throw WrongLemma("its factors are too long to be searched");
    if (!is_within(lemma.excluded, widths)) throw WrongLemma("it speaks of bits that words do not have");
    if (find_factors(lemma.excluded, widths, tried))
      throw WrongLemma("there are factors of which it says there are none");
  }
}

}  // namespace

std::optional<EncodedQuestion> encode(const Side& left, const Side& right, const SolverQuestion& question,
                                      const Deadline& deadline) {
  Aig graph(deadline);
  AigGates gates(graph);
  const auto posed = pose(gates, left, right, question);
  if (posed.asserted.empty()) return std::nullopt;
  require_lemmas(question, gates, deadline);
  Cnf cnf(graph, deadline);
  assert_question(cnf, posed.asserted, formula_of(question).gates, [] {});
  return EncodedQuestion{question_dimacs(question, gates, graph, cnf), cnf.clauses()};
}

std::string question_dimacs(const SolverQuestion& question, const AigGates& gates, const Aig& graph,
                            const Cnf& cnf) {
  return dimacs_text({graph, gates.named_inputs(), cnf.asserted()}, cnf, {short_name(question)});
}

}  // namespace mmaprint
