#include <algorithm>
#include <cadical.hpp>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "base/deadline.h"
#include "solver/drat.h"
#include "solver/sat_engine.h"

namespace mmaprint {
namespace {

/// Counts conflicts: from each a clause is learned.
class ConflictCount : public CaDiCaL::Learner {
 public:
  bool learning(int /*size*/) override {
    ++count_;
    return false;
  }
  void learn(int /*literal*/) override {}
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::int64_t count_ = 0;
};

/// Ends a check at its deadline, when asked to, and when its race is lost.
class Watch : public CaDiCaL::Terminator {
 public:
  Watch(const Limits& limits, const ConflictCount& conflicts)
      : deadline_(limits.seconds, limits.stop), search_(limits.racing), conflicts_(conflicts) {}
  bool terminate() override { return search_.has_lost(conflicts_.count()) || deadline_.passed(); }

 private:
  Deadline deadline_;
  RacingSearch search_;
  const ConflictCount& conflicts_;
};

/// A file that is kept in memory.
class MemoryFile {
 public:
  MemoryFile() : file_(::open_memstream(&text_, &size_)) {
    if (file_ == nullptr) throw std::bad_alloc();
  }
  ~MemoryFile() {
    std::fclose(file_);
    std::free(text_);  // NOLINT(cppcoreguidelines-no-malloc): as open_memstream demands
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::FILE* file() const { return file_; }
  void put(const std::string& bytes) { std::fwrite(bytes.data(), 1, bytes.size(), file_); }
  [[nodiscard]] std::string text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

class Cadical final : public SatEngine {
 public:
  Cadical() {
    solver_.set("quiet", 1);
    solver_.configure("unsat");
    solver_.connect_learner(&conflicts_);
    solver_.trace_proof(proof_.file(), "memory");
  }
  void expect_lemmas() override {
    // What was eliminated would come back as clauses that do not follow by unit propagation; and guesses that
    // go through all clauses would be made before each of very many searches.
    for (const char* technique : {"elim", "block", "cover", "condition", "decompose", "lucky"})
      if (!solver_.set(technique, 0))
        throw std::logic_error(std::string("CaDiCaL has no option ") + technique);
  }
  void add(int literal) override { solver_.add(literal); }
  void learn(std::span<const int> clause) override {
    solver_.flush_proof_trace();
    std::string step;
    append_drat(step, true, clause);
    proof_.put(step);
    for (const int literal : clause) solver_.add(literal);
    solver_.add(0);
  }
  void assume(int literal) override { solver_.assume(literal); }
  Verdict solve(const Limits& limits) override {
    if (limits.conflicts) {
      constexpr std::int64_t kMost = std::numeric_limits<int>::max();
      solver_.limit("conflicts", static_cast<int>(std::clamp(*limits.conflicts, std::int64_t{0}, kMost)));
    }
    Watch watch(limits, conflicts_);
    solver_.connect_terminator(&watch);
    const int status = solver_.solve();
    solver_.disconnect_terminator();
    switch (status) {
      case 10:
        return Verdict::satisfiable;
      case 20:
        return Verdict::unsatisfiable;
      default:
        return Verdict::unknown;
    }
  }
  bool value(int variable) override { return solver_.val(variable) > 0; }
  std::string proof() override {
    solver_.flush_proof_trace();
    return proof_.text();
  }
  [[nodiscard]] std::int64_t conflicts() const override { return conflicts_.count(); }

 private:
  MemoryFile proof_;         // before the solver, which writes to it
  ConflictCount conflicts_;  // the same
  CaDiCaL::Solver solver_;
};

}  // namespace

std::unique_ptr<SatEngine> make_cadical() { return std::make_unique<Cadical>(); }

}  // namespace mmaprint
