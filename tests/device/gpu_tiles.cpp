#include "device/gpu_tiles.h"

#ifdef MMAPRINT_HAS_CUDA
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>

#include "device/cuda/kernels.h"
#include "device/cuda/runtime.h"
#include "support/random.h"

namespace mmaprint::cuda {
namespace {

/// Of so many random tiles copies are made ...
constexpr int kRandomTiles = 601;
/// ... enough for every warp to take a second tile.
int many_tiles(const TableRow& row) {
  if (row.group == Group::quad_pairs) return 33'001;
  return row.group == Group::wgmma ? 2'501 : 8'801;
}

// Small integers, which all formats have, as bit patterns and back.

Pattern pattern_of(Format format, int value) {
  const FormatInfo& f = info(format);
  if (!f.is_floating()) return static_cast<Pattern>(static_cast<std::int64_t>(value)) & f.pattern_mask();
  if (value == 0) return 0;
  const auto magnitude = static_cast<Pattern>(std::abs(value));
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const Pattern fraction =
      (magnitude << (f.fraction_bits - exponent)) & ((Pattern{1} << f.fraction_bits) - 1);
  const Pattern bits = static_cast<Pattern>(exponent + f.bias) << f.fraction_bits | fraction;
  return (bits | static_cast<Pattern>(value < 0) << (f.exponent_bits + f.fraction_bits))
         << f.ignored_low_bits;
}

constexpr long kNoInteger = std::numeric_limits<long>::min();

long value_of(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  if (format == Format::int32) return static_cast<std::int32_t>(pattern);
  const Pattern fraction = pattern & ((Pattern{1} << f.fraction_bits) - 1);
  const int stored = static_cast<int>(pattern >> f.fraction_bits & ((Pattern{1} << f.exponent_bits) - 1));
  const bool negative = (pattern >> f.sign_bit() & 1) != 0;
  if (stored == 0) return fraction == 0 ? 0 : kNoInteger;
  const int shift = f.fraction_bits - (stored - f.bias);
  if (shift < 0 || shift > f.fraction_bits) return kNoInteger;
  const Pattern significand = fraction | Pattern{1} << f.fraction_bits;
  if ((significand & ((Pattern{1} << shift) - 1)) != 0) return kNoInteger;
  const long magnitude = static_cast<long>(significand >> shift);
  return negative ? -magnitude : magnitude;
}

/// The factors that a format is tested with: lo..hi.
struct Range {
  int lo, hi;
};
Range range_of(Format format) {
  if (format == Format::b1) return {0, 1};
  return info(format).has_sign ? Range{-3, 3} : Range{0, 3};
}

using Numbers = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;

/// Tiles of small integers: a [tiles][m][k], b [tiles][n][k], c [tiles][m][n].
struct Problem {
  int tiles = 0;
  int tiles_run = 0;  ///< the tiles again and again, to this number
  Numbers a, b;
  Sums c;
};

class Checker {
 public:
  explicit Checker(const TableRow& row)
      : row_(row),
        kernel_(*find_kernel(row.instruction.name)),
        f_(row.instruction.formats),
        k_(row.instruction.k) {}

  std::string check();
  std::string measure();

 private:
  [[nodiscard]] std::size_t at(int tile, int line, int lines, int along, int width) const {
    return (static_cast<std::size_t>(tile) * static_cast<std::size_t>(lines) +
            static_cast<std::size_t>(line)) *
               static_cast<std::size_t>(width) +
           static_cast<std::size_t>(along);
  }
  [[nodiscard]] std::size_t a_at(int tile, int r, int k) const { return at(tile, r, m_, k, k_); }
  [[nodiscard]] std::size_t b_at(int tile, int c, int k) const { return at(tile, c, n_, k, k_); }
  [[nodiscard]] std::size_t c_at(int tile, int r, int c) const { return at(tile, r, m_, c, n_); }

  [[nodiscard]] Problem empty(int tiles) const;
  void fill(Numbers& numbers, Range range);
  void fill_c(Problem& problem);

  [[nodiscard]] Problem one_of_a_a_row();
  [[nodiscard]] Problem one_of_b_a_column();
  [[nodiscard]] Problem distinct_c() const;
  [[nodiscard]] Problem random();

  [[nodiscard]] long expected(const Problem& problem, int tile, int r, int c) const;
  /// d as integers, or an error.
  cudaError_t run(const Problem& problem, std::vector<long>& d);
  [[nodiscard]] std::string compare(const std::string& what, const Problem& problem, bool& dead);
  [[nodiscard]] std::string landing();

  const TableRow& row_;
  const Kernel& kernel_;
  const Signature& f_;
  int m_ = kernel_.tile.m, n_ = kernel_.tile.n, k_;
  test::Random random_{42};
  DeviceBuffer a_, b_, c_, d_;
};

Problem Checker::empty(int tiles) const {
  const auto times = [&](int elements) {
    return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(elements);
  };
  return {tiles, tiles, Numbers(times(m_ * k_)), Numbers(times(n_ * k_)), Sums(times(m_ * n_))};
}

void Checker::fill(Numbers& numbers, Range range) {
  const auto span = static_cast<std::uint64_t>(range.hi - range.lo + 1);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % 8 == 0) bits = random_.bits();
    numbers[i] = static_cast<std::int8_t>(range.lo + static_cast<int>((bits & 0xff) * span >> 8));
    bits >>= 8;
  }
}

void Checker::fill_c(Problem& problem) {
  for (auto& value : problem.c) value = random_.between(-50, 50);
}

Problem Checker::one_of_a_a_row() {
  Problem problem = empty(k_);
  fill(problem.b, range_of(f_.b));
  for (int tile = 0; tile < k_; ++tile)
    for (int r = 0; r < m_; ++r) problem.a[a_at(tile, r, (r + tile) % k_)] = 1;
  return problem;
}

Problem Checker::one_of_b_a_column() {
  Problem problem = empty(k_);
  fill(problem.a, range_of(f_.a));
  for (int tile = 0; tile < k_; ++tile)
    for (int c = 0; c < n_; ++c) problem.b[b_at(tile, c, (c + tile) % k_)] = 1;
  return problem;
}

Problem Checker::distinct_c() const {
  Problem problem = empty(5);
  for (std::size_t i = 0; i < problem.c.size(); ++i)
    problem.c[i] = static_cast<std::int32_t>(i % 2039) - 1000;
  return problem;
}

Problem Checker::random() {
  Problem problem = empty(kRandomTiles);
  problem.tiles_run = many_tiles(row_);
  fill(problem.a, range_of(f_.a));
  fill(problem.b, range_of(f_.b));
  fill_c(problem);
  return problem;
}

long Checker::expected(const Problem& problem, int tile, int r, int c) const {
  const std::int8_t* a = &problem.a[a_at(tile, r, 0)];
  const std::int8_t* b = &problem.b[b_at(tile, c, 0)];
  int sum = 0;
  if (row_.instruction.name.ends_with(".xor.popc")) {
    for (int k = 0; k < k_; ++k) sum += a[k] ^ b[k];
  } else {
    for (int k = 0; k < k_; ++k) sum += a[k] * b[k];
  }
  return problem.c[c_at(tile, r, c)] + sum;
}

template <class Integers>
std::vector<std::byte> encoded(Format format, const Integers& integers, const Problem& problem) {
  const auto width = static_cast<std::size_t>(storage_bytes(info(format)));
  std::array<Pattern, 4096> known{};  // patterns of -2048..2047
  for (int i = -1050; i < 1050; ++i)
    if (const Range all = range_of(format); info(format).container_bits >= 16 || (i >= all.lo && i <= all.hi))
      known[static_cast<std::size_t>(i + 2048)] = pattern_of(format, i);
  std::vector<std::byte> bytes(integers.size() * width);
  for (std::size_t i = 0; i < integers.size(); ++i)
    std::memcpy(&bytes[i * width], &known[static_cast<std::size_t>(integers[i] + 2048)], width);
  const std::size_t once = bytes.size();
  const std::size_t all =
      once / static_cast<std::size_t>(problem.tiles) * static_cast<std::size_t>(problem.tiles_run);
  bytes.resize(all);
  for (std::size_t done = once; done < all; done += once)
    std::memcpy(&bytes[done], bytes.data(), std::min(once, all - done));
  return bytes;
}

cudaError_t Checker::run(const Problem& problem, std::vector<long>& d) {
  const auto a = encoded(f_.a, problem.a, problem);
  const auto b = encoded(f_.b, problem.b, problem);
  const auto c = encoded(f_.c.value(), problem.c, problem);  // every instruction of the table adds c
  const auto width = static_cast<std::size_t>(storage_bytes(info(f_.d)));
  d.resize(static_cast<std::size_t>(problem.tiles_run) * static_cast<std::size_t>(m_ * n_));
  std::vector<std::byte> results(d.size() * width);
  const auto upload = [](DeviceBuffer& to, const std::vector<std::byte>& from) {
    const cudaError_t error = to.reserve(from.size());
    return error != cudaSuccess ? error
                                : cudaMemcpy(to.get(), from.data(), from.size(), cudaMemcpyHostToDevice);
  };
  for (const cudaError_t error : {upload(a_, a), upload(b_, b), upload(c_, c), d_.reserve(results.size())})
    if (error != cudaSuccess) return error;
  // What no kernel writes is no result.
  if (const auto error = cudaMemset(d_.get(), 0xff, results.size()); error != cudaSuccess) return error;
  const TileBatch batch{a_.get(), b_.get(), c_.get(), d_.get(), problem.tiles_run};
  if (const auto error = kernel_.launch(batch, nullptr); error != cudaSuccess) return error;
  if (const auto error = cudaMemcpy(results.data(), d_.get(), results.size(), cudaMemcpyDeviceToHost);
      error != cudaSuccess)
    return error;
  for (std::size_t i = 0; i < d.size(); ++i) {
    Pattern pattern = 0;
    std::memcpy(&pattern, &results[i * width], width);
    d[i] = value_of(f_.d, pattern);
  }
  return cudaSuccess;
}

std::string in_words(long value) { return value == kNoInteger ? "no integer" : std::to_string(value); }

std::string Checker::compare(const std::string& what, const Problem& problem, bool& dead) {
  std::vector<long> d;
  if (const cudaError_t error = run(problem, d); error != cudaSuccess) {
    dead = true;
    return failure(what, kernel_.name, error).message + "; ";
  }
  std::vector<long> all_wanted;
  for (int tile = 0; tile < problem.tiles; ++tile)
    for (int r = 0; r < m_; ++r)
      for (int c = 0; c < n_; ++c) all_wanted.push_back(expected(problem, tile, r, c));
  std::size_t wrong = 0;
  std::string first;
  for (int tile = 0; tile < problem.tiles_run; ++tile)
    for (int r = 0; r < m_; ++r)
      for (int c = 0; c < n_; ++c) {
        const long want = all_wanted[c_at(tile % problem.tiles, r, c)];
        const long got = d[c_at(tile, r, c)];
        if (got == want) continue;
        if (++wrong <= 3)
          first += " (tile " + std::to_string(tile) + " row " + std::to_string(r) + " column " +
                   std::to_string(c) + ": " + in_words(got) + " for " + std::to_string(want) + ")";
      }
  if (wrong == 0) return "";
  return what + ": " + std::to_string(wrong) + " of " + std::to_string(d.size()) + " wrong," + first + "; ";
}

/// Which of B's elements each of A's meets: a one in every row of A, digits of k in B, base 4 (2 for single
/// bits).
std::string Checker::landing() {
  if (row_.instruction.name.ends_with(".xor.popc")) return "";
  const int base = f_.b == Format::b1 ? 2 : 4;
  std::vector<long> met(static_cast<std::size_t>(k_ * m_ * n_));
  for (int unit = 1; unit < k_; unit *= base) {
    Problem problem = empty(k_);
    for (int tile = 0; tile < k_; ++tile) {
      for (int r = 0; r < m_; ++r) problem.a[a_at(tile, r, (r + tile) % k_)] = 1;
      for (int c = 0; c < n_; ++c)
        for (int k = 0; k < k_; ++k) problem.b[b_at(tile, c, k)] = static_cast<std::int8_t>(k / unit % base);
    }
    std::vector<long> d;
    if (run(problem, d) != cudaSuccess) return "";
    for (std::size_t i = 0; i < d.size(); ++i)
      met[i] = d[i] == kNoInteger || met[i] == kNoInteger ? kNoInteger : met[i] + d[i] * unit;
  }
  std::string text;
  int told = 0;
  for (int r = 0; r < m_; ++r)
    for (int tile = 0; tile < k_; ++tile) {
      const int k = (r + tile) % k_;
      const long other = met[c_at(tile, r, 0)];
      if (other != k && ++told <= 40)
        text += " a(" + std::to_string(r) + "," + std::to_string(k) + ")~b(" + in_words(other) + ")";
    }
  return told == 0 ? "every a meets its b in column 0" : std::to_string(told) + " a meet another b:" + text;
}

std::string Checker::check() {
  bool dead = false;
  std::string wrong = compare("c alone", distinct_c(), dead);
  if (!dead) wrong += compare("a single in a row", one_of_a_a_row(), dead);
  if (!dead) wrong += compare("b single in a column", one_of_b_a_column(), dead);
  if (!dead) wrong += compare("random", random(), dead);
  if (dead) return "DEAD " + wrong;
  return wrong.empty() ? "OK" : wrong + landing();
}

std::string Checker::measure() {
  const int tiles = (1 << 24) / (m_ * n_);  // 16 million dot products
  const auto bytes = [&](int elements, Format format) {
    return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(elements * storage_bytes(info(format)));
  };
  struct Need {
    DeviceBuffer& buffer;
    std::size_t bytes;
  };
  for (const Need& need : {Need{a_, bytes(m_ * k_, f_.a)}, Need{b_, bytes(n_ * k_, f_.b)},
                           Need{c_, bytes(m_ * n_, f_.c.value())}, Need{d_, bytes(m_ * n_, f_.d)}}) {
    if (const auto error = need.buffer.reserve(need.bytes); error != cudaSuccess)
      return "DEAD " + std::string(cudaGetErrorName(error));
    (void)cudaMemset(need.buffer.get(), 0, need.bytes);
  }
  const TileBatch batch{a_.get(), b_.get(), c_.get(), d_.get(), tiles};
  constexpr int kRuns = 10;
  double best = 1e9;
  for (int i = 0; i < kRuns; ++i) {
    (void)cudaDeviceSynchronize();
    const auto start = std::chrono::steady_clock::now();
    (void)kernel_.launch(batch, nullptr);
    if (const auto error = cudaDeviceSynchronize(); error != cudaSuccess)
      return "DEAD " + std::string(cudaGetErrorName(error));
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "OK %.3g dot products a second", double(tiles) * m_ * n_ / best);
  return text.data();
}

}  // namespace

std::string check_tiles(const TableRow& row) { return Checker(row).check(); }
std::string measure_tiles(const TableRow& row) { return Checker(row).measure(); }

}  // namespace mmaprint::cuda
#endif
