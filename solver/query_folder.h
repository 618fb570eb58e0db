// A folder of hard queries, for whoever wants to try another solver on them: each as SMT-LIB 2 (.smt2),
// DIMACS CNF (.cnf) and binary AIGER (.aig), and a line about it in index.jsonl.
#pragma once

#include <filesystem>
#include <string>

#include "solver/query_log.h"

namespace mmaprint {

/// A query is hard if its search took more conflicts than this.
inline constexpr std::int64_t kEasyConflicts = 100;

class QueryFolder final : public QueryLog {
 public:
  /// Makes the folder, with those above it, and its index. Throws BadInput where something other than an
  /// empty folder stands, or it can't be written.
  explicit QueryFolder(std::filesystem::path directory);

  /// Writes the query if it is hard. What can't be written ends the writing, not the search.
  void note(const AskedQuery& query) override;

  [[nodiscard]] std::size_t written() const { return written_; }
  /// What could not be written, as one line; empty if all could.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void write(const AskedQuery& query);

  std::filesystem::path directory_;
  std::size_t asked_ = 0;
  std::size_t written_ = 0;
  std::string problem_;
};

}  // namespace mmaprint
