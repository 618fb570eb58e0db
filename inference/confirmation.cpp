#include "inference/confirmation.h"

#include <algorithm>
#include <array>

namespace mmaprint {
namespace {

/// Inputs of one kind among 10,000.
struct Share {
  int kind;
  std::size_t of_ten_thousand;
};

constexpr int kExperiment = -1;
constexpr std::size_t kWhole = 10'000;

constexpr std::array kShares{Share{static_cast<int>(TileKind::bits), 3000},
                             Share{static_cast<int>(TileKind::dense), 3000},
                             Share{static_cast<int>(TileKind::with_specials), 1300},
                             Share{static_cast<int>(TileKind::half_zero), 1000},
                             Share{static_cast<int>(TileKind::opposed), 500},
                             Share{static_cast<int>(TileKind::edge), 600},
                             Share{static_cast<int>(TileKind::cancelling), 100},
                             Share{static_cast<int>(TileKind::ties), 100},
                             Share{static_cast<int>(TileKind::carrying), 50},
                             Share{static_cast<int>(TileKind::overflowing), 50},
                             Share{kExperiment, 300}};

constexpr bool shares_are_the_whole() {
  std::size_t sum = 0;
  for (const Share& share : kShares) sum += share.of_ten_thousand;
  return sum == kWhole;
}
static_assert(shares_are_the_whole());

}  // namespace

ConfirmingInputs::ConfirmingInputs(const UnitModel& model, std::size_t count, std::uint64_t seed,
                                   Experiments& experiments)
    : widths_(info(model.formats.a), info(model.formats.b), info(model.formats.c), info(model.formats.d),
              model.k),
      edges_(edges_of(model)),
      seed_(seed),
      experiments_(&experiments) {
  static_assert(kExperiment == Source::kExperiment);
  std::mt19937_64 random(seed);
  order_.reserve(count);
  for (const Share& share : kShares) {
    // What comes round in a kind goes on from a turn of the seed's.
    const auto from = static_cast<std::uint32_t>(random());
    const std::size_t some = count * share.of_ten_thousand / kWhole;
    for (std::size_t i = 0; i < some; ++i)
      order_.push_back({static_cast<std::int16_t>(share.kind), from + static_cast<std::uint32_t>(i)});
  }
  while (order_.size() < count) order_.push_back({Source::kExperiment, 0});
  std::ranges::shuffle(order_, random);
}

DotInput ConfirmingInputs::made(const Source& source) {
  if (source.kind == Source::kExperiment) return std::move(experiments_->various(1).front());
  const KindAndTurn which{static_cast<TileKind>(source.kind), source.turn};
  return tile_input({widths_, theme_of(which, widths_, edges_, seed_, next_)}, 0, 0);
}

std::vector<DotInput> ConfirmingInputs::some(std::size_t count) {
  std::vector<DotInput> inputs;
  inputs.reserve(std::min(count, left()));
  for (; inputs.size() < count && next_ < order_.size(); ++next_) inputs.push_back(made(order_[next_]));
  return inputs;
}

namespace {
constexpr std::size_t kFirst = 32, kMostInputs = 1024, kMostProducts = std::size_t{1} << 18;
}

BatchSize::BatchSize(int k)
    : most_(std::clamp(kMostProducts / static_cast<std::size_t>(k), std::size_t{16}, kMostInputs)),
      size_(std::min(kFirst, most_)) {}

void BatchSize::took(double seconds) {
  constexpr double kShort = 0.25, kLong = 2;
  if (seconds < kShort) size_ = std::min(2 * size_, most_);
  if (seconds > kLong) size_ = std::max<std::size_t>(1, size_ / 2);
}

void Repeats::add(const Observation& answer) {
  // Reservoir sampling: each of all that were added is kept with the same probability.
  ++seen_;
  if (kept_.size() < most_) {
    kept_.push_back(answer);
    return;
  }
  const auto place = static_cast<std::size_t>(random_() % seen_);
  if (place < most_) kept_[place] = answer;
}

std::vector<Observation> Repeats::shuffled() {
  std::ranges::shuffle(kept_, random_);
  return kept_;
}

}  // namespace mmaprint
