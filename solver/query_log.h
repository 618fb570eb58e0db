// Who wants to know what the SAT solver is asked: a seam, handed to a checker with its engine.
#pragma once

#include <cstdint>

#include "solver/aig_gates.h"
#include "solver/cnf.h"
#include "solver/distinguish.h"

namespace mmaprint {

/// A formula that the solver was given, and what it said. All of it lives as long as the call.
struct AskedQuery {
  const Side& left;
  const Side& right;
  const SolverQuestion& question;
  const Aig& graph;
  const std::vector<NamedWord>& inputs;
  const Cnf& cnf;
  Verdict verdict;
  std::int64_t conflicts;
  double seconds;
};

class QueryLog {
 public:
  virtual ~QueryLog() = default;
  QueryLog() = default;
  QueryLog(const QueryLog&) = delete;
  QueryLog& operator=(const QueryLog&) = delete;

  /// Called on the thread that asks, once for each question: after its last search, with what all took.
  virtual void note(const AskedQuery& query) = 0;
};

}  // namespace mmaprint
