#include "inference/confirming_inputs.h"

#include <algorithm>
#include <array>
#include <random>

namespace mmaprint {
namespace {

constexpr int kExperiment = -1;
constexpr std::size_t kWhole = 9750;

/// Inputs of one kind among kWhole.
struct Share {
  int kind;
  std::size_t inputs;
};
constexpr Share of(TileKind kind, std::size_t inputs) { return {static_cast<int>(kind), inputs}; }

constexpr std::array kShares{
    of(TileKind::bits, 3000),      of(TileKind::dense, 3000),  of(TileKind::with_specials, 1500),
    of(TileKind::half_zero, 1000), of(TileKind::opposed, 500), of(TileKind::edge, 500),
    of(TileKind::cancelling, 25),  of(TileKind::ties, 25),     of(TileKind::carrying, 25),
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
  for (const Share& share : kShares) {
    if (!is_of(share, part)) continue;
    // What comes round in a kind goes on from a turn of the seed's.
    const auto from = static_cast<std::uint32_t>(random());
    for (std::uint32_t i = 0; i < whole * share.inputs / kWhole; ++i)
      order_.push_back({static_cast<std::int16_t>(share.kind), from + i});
  }
  while (order_.size() < count) order_.push_back({kExperiment, 0});
  std::ranges::shuffle(order_, random);
}

DotInput ConfirmingInputs::made(const Source& source) {
  if (source.kind == kExperiment) return std::move(experiments_->various(1).front());
  const KindAndTurn which{static_cast<TileKind>(source.kind), source.turn};
  return tile_input({widths_, theme_of(which, widths_, edges_, seed_, next_)}, 0, 0);
}

std::vector<DotInput> ConfirmingInputs::some(std::size_t count) {
  std::vector<DotInput> inputs;
  inputs.reserve(std::min(count, left()));
  for (; inputs.size() < count && next_ < order_.size(); ++next_) inputs.push_back(made(order_[next_]));
  return inputs;
}

}  // namespace mmaprint
