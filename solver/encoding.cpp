#include "solver/encoding.h"

#include "solver/dimacs.h"
#include "solver/posed_question.h"

namespace mmaprint {

std::optional<EncodedQuestion> encode(const Side& left, const Side& right, const SolverQuestion& question,
                                      const Deadline& deadline) {
  Aig graph(deadline);
  AigGates gates(graph);
  const auto posed = pose(gates, left, right, question);
  if (posed.asserted.empty()) return std::nullopt;
  Cnf cnf(graph, deadline);
  for (const Literal x : posed.asserted) cnf.assert_unit(x);
  return EncodedQuestion{question_dimacs(question, gates, graph, cnf), cnf.clauses()};
}

std::string question_dimacs(const SolverQuestion& question, const AigGates& gates, const Aig& graph,
                            const Cnf& cnf) {
  return dimacs_text({graph, gates.named_inputs(), cnf.asserted()}, cnf, {short_name(question)});
}

}  // namespace mmaprint
