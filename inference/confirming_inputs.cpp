#include "inference/confirming_inputs.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "inference/meeting_inputs.h"

namespace mmaprint {
namespace {

constexpr int kExperiment = -1, kMeeting = -2;
constexpr std::size_t kWhole = 9750;

/// Inputs of one kind among kWhole; where fewer operands can meet, there are more of uniform bits.
struct Share {
  int kind;
  std::size_t inputs;
};
constexpr Share of(TileKind kind, std::size_t inputs) { return {static_cast<int>(kind), inputs}; }

constexpr std::array kShares{Share{kMeeting, 1200},         of(TileKind::bits, 1800),
                             of(TileKind::dense, 3000),     of(TileKind::with_specials, 1500),
                             of(TileKind::half_zero, 1000), of(TileKind::opposed, 500),
                             of(TileKind::edge, 500),       of(TileKind::cancelling, 25),
                             of(TileKind::ties, 25),        of(TileKind::carrying, 25),
                             of(TileKind::overflowing, 25), Share{kExperiment, 150}};

constexpr std::size_t sum_of_shares() {
  std::size_t sum = 0;
  for (const Share& share : kShares) sum += share.inputs;
  return sum;
}
static_assert(sum_of_shares() == kWhole);

constexpr bool is_of(const Share& share, ConfirmingInputs::Part part) {
  return (share.kind == static_cast<int>(TileKind::edge)) == (part == ConfirmingInputs::Part::edges);
}

}  // namespace

std::size_t ConfirmingInputs::share(Part part, std::size_t whole) {
  std::size_t edges = 0;
  for (const Share& share : kShares)
    if (is_of(share, Part::edges)) edges += whole * share.inputs / kWhole;
  return part == Part::edges ? edges : whole - edges;
}

ConfirmingInputs::ConfirmingInputs(Part part, const PlanWidths& widths, const TileEdges& edges,
                                   std::size_t whole, std::uint64_t seed, Experiments& experiments)
    : widths_(widths), edges_(edges), seed_(seed), experiments_(&experiments) {
  std::mt19937_64 random(seed);
  const std::size_t count = share(part, whole);
  order_.reserve(count);
  std::size_t more = 0;
  for (const Share& share : kShares) {
    if (!is_of(share, part)) continue;
    std::size_t inputs = whole * share.inputs / kWhole + std::exchange(more, 0);
    // What comes round in a kind goes on from a turn of the seed's.
    auto from = static_cast<std::uint32_t>(random());
    if (share.kind == kMeeting) {
      meetings_ = meeting_inputs(widths, inputs, seed);
      more = inputs - meetings_.size();
      inputs = meetings_.size(), from = 0;
    }
    for (std::uint32_t i = 0; i < inputs; ++i)
      order_.push_back({static_cast<std::int16_t>(share.kind), from + i});
  }
  while (order_.size() < count) order_.push_back({kExperiment, 0});
  std::ranges::shuffle(order_, random);
}

DotInput ConfirmingInputs::made(const Source& source) {
  if (source.kind == kExperiment) return std::move(experiments_->various(1).front());
  if (source.kind == kMeeting) return std::move(meetings_[source.turn]);
  const KindAndTurn which{static_cast<TileKind>(source.kind), source.turn};
  DotInput in = tile_input({widths_, theme_of(which, widths_, edges_, seed_, next_)}, 0, 0);
  return which.kind == TileKind::bits ? with_few_specials(std::move(in), source.turn) : in;
}

/// Of many uniform patterns some is a NaN or an infinity nearly always, and the rest does not show: three
/// inputs of four have none then.
DotInput ConfirmingInputs::with_few_specials(DotInput in, std::uint32_t turn) const {
  if (!widths_.d.is_floating() || turn % 4 == 0) return in;
  const auto make_finite = [](const FormatInfo& f, Pattern& p) {
    const ValueClass of = classify(f, p);
    // The least bit of the exponent; of formats with one NaN, of the significand.
    if (of == ValueClass::infinite || of == ValueClass::nan)
      p ^= f.specials == Specials::ieee ? Pattern{1} << (f.fraction_bits + f.ignored_low_bits) : 1;
  };
  for (Pattern& p : in.a) make_finite(widths_.a, p);
  for (Pattern& p : in.b) make_finite(widths_.b, p);
  if (widths_.places > widths_.k) make_finite(widths_.c, in.c);
  return in;
}

std::vector<DotInput> ConfirmingInputs::some(std::size_t count) {
  std::vector<DotInput> inputs;
  inputs.reserve(std::min(count, left()));
  for (; inputs.size() < count && next_ < order_.size(); ++next_) inputs.push_back(made(order_[next_]));
  return inputs;
}

}  // namespace mmaprint
