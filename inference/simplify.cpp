#include "inference/simplify.h"

#include <algorithm>

#include "model/value.h"

namespace mmaprint {
namespace {

constexpr int kMostSteps = 400;

/// As many inputs as are asked at a time: a unit of many products has tens of thousands of simpler ones.
constexpr std::size_t kBatch = 1024;

/// Everything that is one step simpler than an input, the greatest steps first, until one shows it.
class Candidates {
 public:
  Candidates(const Signature& formats, const DotInput& input, const Shows& shows)
      : a_(info(formats.a)),
        b_(info(formats.b)),
        c_(info(room_for_c(formats))),
        input_(input),
        shows_(shows) {}

  /// The first that shows it; nullopt if none does, or nobody can say.
  std::optional<DotInput> first() {
    if (!input_.sa.empty() || !input_.sb.empty()) with_scales_of_one();
    fewer_products();
    if (input_.c != 0) with_c(0);
    for (std::size_t k = 0; k < input_.a.size() && !over_; ++k) {
      factor(a_, k, &DotInput::a);
      factor(b_, k, &DotInput::b);
    }
    for (const Pattern c : simpler(c_, input_.c)) with_c(c);
    ask();
    return std::move(found_);
  }

 private:
  void offer(DotInput candidate) {
    if (over_) return;
    waiting_.push_back(std::move(candidate));
    if (waiting_.size() == kBatch) ask();
  }
  void ask() {
    if (over_ || waiting_.empty()) return;
    const auto shown = shows_(waiting_);
    over_ = !shown;
    if (!shown) return;
    const auto place = std::ranges::find(*shown, true);
    if (place != shown->end()) {
      found_ = std::move(waiting_[static_cast<std::size_t>(place - shown->begin())]);
      over_ = true;
    }
    waiting_.clear();
  }

  void fewer_products() {
    std::vector<std::size_t> used;
    for (std::size_t k = 0; k < input_.a.size(); ++k)
      if (input_.a[k] != 0 || input_.b[k] != 0) used.push_back(k);
    for (std::size_t size = used.size(); size > 0; size /= 2)
      for (std::size_t from = 0; from < used.size(); from += size) {
        DotInput less = input_;
        for (std::size_t i = from; i < std::min(from + size, used.size()); ++i)
          less.a[used[i]] = less.b[used[i]] = 0;
        offer(std::move(less));
      }
  }
  void with_scales_of_one() {
    DotInput less = input_;
    less.sa.clear();
    less.sb.clear();
    offer(std::move(less));
  }
  void with_c(Pattern c) {
    DotInput less = input_;
    less.c = c;
    offer(std::move(less));
  }
  void factor(const FormatInfo& f, std::size_t k, std::vector<Pattern> DotInput::*row) {
    for (const Pattern p : simpler(f, (input_.*row)[k])) {
      DotInput less = input_;
      (less.*row)[k] = p;
      offer(std::move(less));
    }
  }

  /// Fewer set digits of the significand; no sign.
  static std::vector<Pattern> simpler(const FormatInfo& f, Pattern p) {
    if (f.is_integer()) return simpler_integers(f, p);
    std::vector<Pattern> simple;
    const Pattern fraction = ((Pattern{1} << f.fraction_bits) - 1) << f.ignored_low_bits;
    const Pattern set = p & fraction;
    if (set != 0) {
      simple.push_back(p & ~fraction);
      for (int kept = 1; kept < f.fraction_bits; kept *= 2)
        simple.push_back(p & ~(fraction >> kept & fraction));
      for (int bit = 0; bit < f.fraction_bits + f.ignored_low_bits; ++bit)
        if ((p >> bit & 1U) != 0) simple.push_back(p & ~(Pattern{1} << bit));
    }
    if (is_negative(f, p)) simple.push_back(negated(f, p));
    std::erase(simple, p);
    return simple;
  }

  /// Fewer set bits of the magnitude; no sign, where the format has the positive number.
  static std::vector<Pattern> simpler_integers(const FormatInfo& f, Pattern p) {
    std::vector<Pattern> simple;
    const Value v = decode(f.id, p);
    const auto with = [&](std::uint64_t magnitude, bool negative) {
      simple.push_back(encode(f.id, {.negative = negative, .significand = magnitude}));
    };
    for (int bit = 0; bit < f.precision(); ++bit)
      if ((v.significand >> bit & 1U) != 0) with(v.significand & ~(std::uint64_t{1} << bit), v.negative);
    if (v.negative && v.significand >> f.fraction_bits == 0) with(v.significand, false);
    return simple;
  }

  const FormatInfo &a_, &b_, &c_;
  const DotInput& input_;
  const Shows& shows_;
  std::vector<DotInput> waiting_;
  std::optional<DotInput> found_;
  bool over_ = false;  ///< one was found, or nobody can say any more
};

}  // namespace

DotInput simplified(const Signature& formats, DotInput input, const Shows& shows) {
  for (int round = 0; round < kMostSteps; ++round) {
    auto less = Candidates(formats, input, shows).first();
    if (!less) return input;
    input = *std::move(less);
  }
  return input;
}

}  // namespace mmaprint
