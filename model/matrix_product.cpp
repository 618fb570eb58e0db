// Work is cut into tiles: so many rows of a, and as many columns of b as there are lanes. A tile's columns
// are decoded once, and stand in memory as the lanes load them; a's rows are decoded once and for all tiles.
// Where a row of a and all columns of the tile are plain, their elements take the quick way (prepared
// factors), else their patterns are read. What is NaN by a rule is worked out again, element by element.
#include "model/matrix_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <new>

#include "base/parallel.h"

namespace mmaprint {

std::optional<std::string> not_a_matrix_product(const UnitModel& model, std::size_t k) {
  const Signature& formats = model.formats;
  if (formats.has_scales()) return "it has scales";
  if (k == 0) return "expected one product at least";
  if (k <= static_cast<std::size_t>(model.k)) return std::nullopt;
  const std::string more = fmt::format("and an element has {} products, of which it adds {}", k, model.k);
  if (!formats.c) return "it has no c, " + more;
  if (*formats.c == formats.d) return std::nullopt;
  return fmt::format("its c is {}, its d {}, {}", name(*formats.c), name(formats.d), more);
}

namespace {

using Half = std::uint32_t;
/// So that whole vectors of them are loaded at once.
template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::align_val_t kTo{64};
  Aligned() = default;
  template <class U>
  explicit Aligned(const Aligned<U>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kTo)); }
  void deallocate(T* p, std::size_t /*n*/) noexcept { ::operator delete(p, kTo); }
  friend bool operator==(Aligned, Aligned) { return true; }
};

/// The halves of words.
struct HalfRows {
  std::vector<Half, Aligned<Half>> low, high;
  explicit HalfRows(std::size_t count) : low(count), high(count) {}
  void put(std::size_t at, std::uint64_t word) {
    low[at] = static_cast<Half>(word);
    high[at] = static_cast<Half>(word >> 32);
  }
};

/// What is known before any element.
struct Job {
  const BatchEvaluator& evaluator;
  const ProductShape& shape;
  const ProductOperands& in;
  std::size_t step;    ///< products of one
  std::size_t padded;  ///< products of all steps
  const Deadline& deadline;
  [[nodiscard]] std::size_t steps() const { return padded / step; }
};

Job job_of(const BatchEvaluator& evaluator, const ProductShape& shape, const ProductOperands& in,
           const Deadline& deadline) {
  const auto step = static_cast<std::size_t>(evaluator.model().k);
  return {evaluator, shape, in, step, (shape.k + step - 1) / step * step, deadline};
}

/// Elements by the evaluator, which needs their columns beside each other.
class OneByOne {
 public:
  explicit OneByOne(const Job& job) : job_(job), a_(job.padded), b_(job.padded) {}

  void take_row(std::size_t row) {
    const auto from = job_.in.a.subspan(row * job_.shape.k, job_.shape.k);
    std::ranges::copy(from, a_.begin());
  }
  void take_column(std::size_t column) {
    for (std::size_t k = 0; k < job_.shape.k; ++k) b_[k] = job_.in.b[k * job_.shape.n + column];
  }
  /// c of each step, and d.
  template <class See>
  Pattern element(std::size_t row, std::size_t column, See&& see) const {
    Pattern d = job_.in.c.empty() ? 0 : job_.in.c[row * job_.shape.n + column];
    for (std::size_t first = 0; first < job_.padded; first += job_.step) {
      see(d);
      d = job_.evaluator.one()(std::span(a_).subspan(first, job_.step),
                               std::span(b_).subspan(first, job_.step), d);
    }
    return d;
  }

 private:
  const Job& job_;
  std::vector<Pattern> a_, b_;
};

void by_evaluator(const Job& job, std::span<Pattern> d, int threads) {
  in_parallel(job.shape.n, threads, [&](std::size_t column) {
    OneByOne one(job);
    one.take_column(column);
    for (std::size_t row = 0; row < job.shape.m; ++row) {
      job.deadline.require();
      one.take_row(row);
      d[row * job.shape.n + column] = one.element(row, column, [](Pattern) {});
    }
  });
}

/// Where the factor stands that is product i of the plan's order.
std::vector<std::size_t> plan_order(const Job& job) {
  std::vector<std::size_t> order(job.padded);
  for (std::size_t i = 0; i < job.padded; ++i) {
    const std::size_t in_step = i % job.step;
    order[i] = job.evaluator.block_width() == 0 ? i : i - in_step + job.evaluator.flat()->products[in_step];
  }
  return order;
}

/// Factors as lanes take them: patterns, and as they are prepared where they are plain.
class LaneFactors {
 public:
  LaneFactors(std::size_t lines, std::size_t count)
      : count_(count), patterns_(lines * count), prepared_(lines * count), is_plain_(lines, false) {}

  /// Puts one line, whose factor i is at(i) and stands at place(i).
  template <class At, class Place>
  void put(std::size_t line, const Heads* heads, At&& at, Place&& place) {
    Heads::Prepared seen = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Pattern p = at(i);
      patterns_.put(place(i), p);
      if (heads != nullptr) prepared_.put(place(i), (*heads)(p, seen));
    }
    is_plain_[line] = heads != nullptr && heads->all_plain(seen);
  }
  [[nodiscard]] bool is_plain(std::size_t line) const { return is_plain_[line] != 0; }
  [[nodiscard]] bool all_plain() const { return std::ranges::all_of(is_plain_, std::identity()); }
  [[nodiscard]] const HalfRows& rows(bool prepared) const { return prepared ? prepared_ : patterns_; }

 private:
  std::size_t count_;
  HalfRows patterns_, prepared_;
  std::vector<char> is_plain_;  // not vector<bool>: lines are put side by side
};

/// All elements, tile by tile.
class ByLanes {
 public:
  ByLanes(const Job& job, std::span<Pattern> d, int threads)
      : job_(job), d_(d), order_(plan_order(job)), a_(job.shape.m, job.padded) {
    in_parallel(tiles_of_rows(), threads, [&](std::size_t tile) {
      for (std::size_t row = tile * kRows; row < end_of_rows(tile); ++row)
        a_.put(
            row, job_.evaluator.heads_a(),
            [&](std::size_t i) { return order_[i] < job_.shape.k ? a_at(row, order_[i]) : 0; },
            [&](std::size_t i) { return row * job_.padded + i; });
    });
    in_parallel(tiles_of_rows() * tiles_of_columns(), threads,
                [&](std::size_t i) { tile(i % tiles_of_rows(), i / tiles_of_rows()); });
  }

 private:
  static constexpr std::size_t kRows = 128;  ///< of a tile: enough that its columns are cheap

  [[nodiscard]] std::size_t lanes() const { return job_.evaluator.kernel()->lanes; }
  [[nodiscard]] std::size_t tiles_of_rows() const { return (job_.shape.m + kRows - 1) / kRows; }
  [[nodiscard]] std::size_t tiles_of_columns() const { return (job_.shape.n + lanes() - 1) / lanes(); }
  [[nodiscard]] std::size_t end_of_rows(std::size_t tile) const {
    return std::min(job_.shape.m, (tile + 1) * kRows);
  }
  [[nodiscard]] Pattern a_at(std::size_t row, std::size_t k) const {
    return job_.in.a[row * job_.shape.k + k];
  }

  void tile(std::size_t row_tile, std::size_t column_tile) const {
    job_.deadline.require();
    const std::size_t first = column_tile * lanes(), count = std::min(lanes(), job_.shape.n - first);
    const LaneFactors b = columns(first, count);
    const bool all_plain = b.all_plain();
    for (std::size_t row = row_tile * kRows; row < end_of_rows(row_tile); ++row)
      elements(row, first, count, b, all_plain && a_.is_plain(row));
  }

  /// Lanes to spare repeat the last column.
  [[nodiscard]] LaneFactors columns(std::size_t first, std::size_t count) const {
    LaneFactors b(lanes(), job_.padded);
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      const std::size_t column = first + std::min(lane, count - 1);
      b.put(
          lane, job_.evaluator.heads_b(),
          [&](std::size_t i) {
            return order_[i] < job_.shape.k ? job_.in.b[order_[i] * job_.shape.n + column] : 0;
          },
          [&](std::size_t i) { return i * lanes() + lane; });
    }
    return b;
  }

  void elements(std::size_t row, std::size_t first, std::size_t count, const LaneFactors& b,
                bool prepared) const {
    std::array<Pattern, kMostLanes> d{};
    std::uint64_t nans = 0;
    const std::size_t at = row * job_.shape.n + first;
    if (!job_.in.c.empty()) std::ranges::copy(job_.in.c.subspan(at, count), d.begin());
    const HalfRows &of_a = a_.rows(prepared), &of_b = b.rows(prepared);
    const std::size_t a_begins = row * job_.padded;
    const FlatUnit& unit = *job_.evaluator.flat();
    job_.evaluator.kernel()->chains({&unit, job_.evaluator.block_width(), job_.steps(), prepared,
                                     of_a.low.data() + a_begins, of_a.high.data() + a_begins, of_b.low.data(),
                                     of_b.high.data(), d.data(), &nans});
    for (std::size_t i = 0; i < count; ++i)
      d_[at + i] = (nans >> i & 1U) != 0 && unit.by_rule ? one_again(row, first + i) : d[i];
  }
  [[nodiscard]] Pattern one_again(std::size_t row, std::size_t column) const {
    OneByOne one(job_);
    one.take_row(row);
    one.take_column(column);
    return one.element(row, column, [](Pattern) {});
  }

  const Job& job_;
  std::span<Pattern> d_;
  std::vector<std::size_t> order_;
  LaneFactors a_;
};

}  // namespace

std::vector<Pattern> MatrixProduct::operator()(const ProductShape& shape, const ProductOperands& in,
                                               int threads, const Deadline& deadline) const {
  std::vector<Pattern> d(shape.m * shape.n);
  if (d.empty()) return d;
  const Job job = job_of(evaluator_, shape, in, deadline);
  if (evaluator_.kernel() == nullptr)
    by_evaluator(job, d, threads);
  else
    ByLanes(job, d, threads);
  return d;
}

std::vector<Pattern> MatrixProduct::steps(const ProductShape& shape, const ProductOperands& in,
                                          std::size_t row, std::size_t column) const {
  const Deadline never;
  const Job job = job_of(evaluator_, shape, in, never);
  OneByOne one(job);
  one.take_row(row);
  one.take_column(column);
  std::vector<Pattern> values;
  const Pattern d = one.element(row, column, [&](Pattern c) { values.push_back(c); });
  values.push_back(d);
  return values;
}

}  // namespace mmaprint
