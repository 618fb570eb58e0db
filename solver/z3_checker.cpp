#include "solver/z3_checker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "solver/checker_over.h"
#include "solver/z3_gates.h"

namespace mmaprint {
namespace {

/// Interrupts a context's check once a limit is reached.
///
/// Z3 forgets an interrupt that arrives before the check has begun, so it is repeated until the check is
/// over.
class Interrupter {
 public:
  Interrupter(z3::context& context, const Limits& limits) : context_(&context) {
    if (!limits.seconds && !limits.stop.stop_possible()) return;
    thread_ = std::thread([this, limits] { run(limits); });
  }
  ~Interrupter() { end(); }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  /// Afterwards nothing is interrupted any more. Has anything been?
  bool end() {
    if (thread_.joinable()) {
      {
        const std::scoped_lock lock(mutex_);
        over_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    return interrupted_;
  }

 private:
  void run(const Limits& limits) {
    using Clock = std::chrono::steady_clock;
    constexpr double kLongest = 1e9;  // seconds; what the clock can count
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    const auto over = [&] { return over_; };
    if (limits.seconds) {
      const std::chrono::duration<double> allowed(std::clamp(*limits.seconds, 0.0, kLongest));
      changed_.wait_until(lock, limits.stop, start + std::chrono::duration_cast<Clock::duration>(allowed),
                          over);
    } else {
      changed_.wait(lock, limits.stop, over);
    }
    while (!over_) {
      interrupted_ = true;
      context_->interrupt();
      changed_.wait_for(lock, std::chrono::milliseconds(5), over);
    }
  }

  z3::context* context_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool over_ = false;
  bool interrupted_ = false;
  std::thread thread_;
};

/// Z3's types end here, its exceptions too.
template <class Fn>
auto without_z3_exceptions(Fn&& fn) {
  try {
    return fn();
  } catch (const z3::exception& e) {
    throw std::runtime_error(std::string("Z3: ") + e.msg());
  }
}

class Z3Problem {
 public:
  using Gates = Z3Gates;
  struct Setup {};
  static constexpr bool kFreesProducts = false;

  Z3Problem(const Deadline& deadline, std::optional<std::int64_t> most_gates, Setup /*none*/)
      : gates_(context_, deadline, most_gates), formula_(context_.bool_val(true)) {}

  [[nodiscard]] static std::string_view name() { return "z3"; }
  [[nodiscard]] Z3Gates& gates() { return gates_; }
  [[nodiscard]] static std::shared_ptr<const RefutedFormula> refuted() { return nullptr; }
  [[nodiscard]] static const SolverQuestion& asked(const SolverQuestion& question) { return question; }
  void assert_unit(const Z3Gates::Bool& x) { formula_ = gates_.both({formula_}, x).term; }

  [[nodiscard]] Verdict check(const AskedAbout& /*about*/, const Limits& limits) {
    if (formula_.is_true() || formula_.is_false())
      return formula_.is_true() ? Verdict::satisfiable : Verdict::unsatisfiable;
    z3::solver solver = z3::tactic(context_, "qfbv").mk_solver();
    if (limits.conflicts) {
      z3::params params(context_);
      constexpr std::int64_t kMost = std::numeric_limits<unsigned>::max();
      params.set("max_conflicts",
                 static_cast<unsigned>(std::clamp(*limits.conflicts, std::int64_t{0}, kMost)));
      solver.set(params);
    }
    solver.add(formula_);
    Interrupter interrupter(context_, limits);
    z3::check_result result = z3::unknown;
    try {
      result = solver.check();
      conflicts_ += conflicts_of(solver);
      if (result == z3::sat) model_ = solver.get_model();
    } catch (const z3::exception&) {
      if (interrupter.end()) return Verdict::unknown;
      throw;
    }
    const bool interrupted = interrupter.end();
    if (result == z3::unsat) return Verdict::unsatisfiable;
    // A context that was interrupted may refuse to evaluate terms.
    if (interrupted) return Verdict::unknown;
    if (result == z3::sat) return Verdict::satisfiable;
    if (limits.conflicts) return Verdict::unknown;
    throw std::runtime_error("Z3 gave up: " + solver.reason_unknown());
  }

  [[nodiscard]] bool value(const Z3Gates::Bool& x) const {
    if (const auto known = gates_.known(x)) return *known;
    return model_ && model_->eval(x.term, true).is_true();
  }

  /// Distinct terms.
  [[nodiscard]] std::int64_t size() const {
    std::set<unsigned> seen;
    std::vector<z3::expr> todo{formula_};
    while (!todo.empty()) {
      const z3::expr term = todo.back();
      todo.pop_back();
      if (!seen.insert(term.id()).second) continue;
      for (unsigned i = 0; i < term.num_args(); ++i) todo.push_back(term.arg(i));
    }
    return static_cast<std::int64_t>(seen.size());
  }

  [[nodiscard]] std::int64_t gates_asked() const { return gates_.asked(); }
  [[nodiscard]] static std::int64_t steps_beside() { return 0; }
  [[nodiscard]] std::int64_t conflicts() const { return conflicts_; }

 private:
  static std::int64_t conflicts_of(const z3::solver& solver) {
    const z3::stats all = solver.statistics();
    std::int64_t n = 0;
    for (unsigned i = 0; i < all.size(); ++i)
      if (all.key(i).ends_with("conflicts") && all.is_uint(i)) n += all.uint_value(i);
    return n;
  }

  std::int64_t conflicts_ = 0;
  z3::context context_;
  Z3Gates gates_;
  z3::expr formula_;
  std::optional<z3::model> model_;
};

class Z3Checker final : public EquivalenceChecker {
 public:
  [[nodiscard]] std::string_view name() const override { return checker_.name(); }
  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& where,
                                        const Limits& limits) const override {
    return without_z3_exceptions([&] { return checker_.distinguish(left, right, where, limits); });
  }
  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                         const OperandFacts& facts, const Limits& limits) const override {
    return without_z3_exceptions([&] { return checker_.compare_node(left, right, node, facts, limits); });
  }

 private:
  CheckerOver<Z3Problem> checker_{Z3Problem::Setup{}};
};

}  // namespace

std::unique_ptr<EquivalenceChecker> make_z3_checker() { return std::make_unique<Z3Checker>(); }

std::string smt2(const Side& left, const Side& right, const Restriction& where) {
  return without_z3_exceptions([&] {
    z3::context context;
    Z3Gates gates(context);
    const auto question = difference_question(gates, left, right, where);
    z3::solver solver(context, "QF_BV");
    solver.add(question.goal.term);
    return "(set-logic QF_BV)\n" + solver.to_smt2() + "(get-model)\n";
  });
}

}  // namespace mmaprint
