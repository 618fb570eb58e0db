#include "inference/confirmation.h"

#include <algorithm>

#include "inference/nan_inputs.h"

namespace mmaprint {
namespace {

constexpr std::size_t kFirst = 32, kMostInputs = 1024, kMostProducts = std::size_t{1} << 18;
/// Answers are kept as long as their inputs have no more products.
constexpr std::size_t kMostKept = std::size_t{1} << 22;
/// Answers that are asked for again.
constexpr std::size_t kMostRepeats = 250;

PlanWidths widths_of(const Signature& f, int k) { return {f, k, {}}; }

}  // namespace

BatchSize::BatchSize(int k)
    : most_(std::clamp(kMostProducts / static_cast<std::size_t>(k), std::size_t{16}, kMostInputs)),
      size_(std::min(kFirst, most_)) {}

void BatchSize::took(double seconds) {
  constexpr double kShort = 0.25, kLong = 2;
  if (seconds < kShort) size_ = std::min(2 * size_, most_);
  if (seconds > kLong) size_ = std::max<std::size_t>(1, size_ / 2);
}

Confirming::Confirming(const Space& space, std::size_t count, std::uint64_t seed, Experiments& experiments,
                       Ask ask)
    : k_(space.k),
      formats_(space.formats),
      count_(count),
      seed_(seed),
      experiments_(&experiments),
      ask_(std::move(ask)),
      keeps_(count * static_cast<std::size_t>(space.k) <= kMostKept),
      anywhere_(ConfirmingInputs::Part::anywhere, widths_of(space.formats, space.k), {}, count, seed,
                experiments),
      scales_(space.formats, seed),
      random_(seed) {}

std::vector<DotInput> Confirming::scaled(std::vector<DotInput> inputs) {
  if (formats_.has_scales())
    for (DotInput& in : inputs)
      if (in.sa.empty() && in.sb.empty()) scales_(in);
  return inputs;
}

void Confirming::offer(const Observation& answer) {
  // Reservoir sampling: each of all that were offered is as likely to be in the sample as any other.
  ++offered_;
  if (sample_.size() < kMostRepeats) return sample_.push_back(answer);
  const std::size_t place = random_() % offered_;
  if (place < sample_.size()) sample_[place] = answer;
}

template <class Some>
Confirming::Outcome Confirming::compared(Some&& next, const Evaluator& model, std::size_t& agreed,
                                         std::vector<Observation>* kept) {
  BatchSize batch(k_);
  for (std::vector<DotInput> some = next(batch.get()); !some.empty(); some = next(batch.get())) {
    for (DotInput& in : some) in = with_all_scales(std::move(in), formats_);
    const auto seen = ask_(some, batch);
    if (!seen) return CutShort{};
    std::optional<Differs> first;
    for (std::size_t i = 0; i < some.size(); ++i) {
      Observation answer{std::move(some[i]), (*seen)[i]};
      const bool same = model(answer.input) == as_modelled(model.model(), answer.d);
      if (!same && !first) {  // it becomes an observation
        first = Differs{std::move(answer), std::nullopt};
        continue;
      }
      agreed += same ? 1 : 0;
      offer(answer);
      if (kept != nullptr) kept->push_back(std::move(answer));
    }
    if (first) return *std::move(first);
  }
  return Agreed{};
}

Confirming::Outcome Confirming::anywhere(const Evaluator& model) {
  if (!keeps_)
    anywhere_ = {
        ConfirmingInputs::Part::anywhere, widths_of(formats_, k_), {}, count_, ++seed_, *experiments_};
  agreed_ = 0;
  on_others_ = 0;
  for (auto answer = answers_.begin(); answer != answers_.end(); ++answer, ++agreed_) {
    if (model(answer->input) == as_modelled(model.model(), answer->d)) continue;
    Differs differs{std::move(*answer), std::nullopt};
    answers_.erase(answer);
    return differs;
  }
  return compared([this](std::size_t count) { return scaled(anywhere_.some(count)); }, model, agreed_,
                  keeps_ ? &answers_ : nullptr);
}

Confirming::Outcome Confirming::at_edges(const Evaluator& model) {
  at_edges_ = 0;
  edge_answers_.clear();
  const std::vector<TileEdges> all = all_edges_of(model.model());
  for (const TileEdges& edges : all) {
    ConfirmingInputs inputs(ConfirmingInputs::Part::edges, widths_of(formats_, k_), edges,
                            count_ / all.size(), ++seed_, *experiments_);
    Outcome outcome = compared([&](std::size_t count) { return scaled(inputs.some(count)); }, model,
                               at_edges_, keeps_ ? &edge_answers_ : nullptr);
    if (!std::holds_alternative<Agreed>(outcome)) return outcome;
  }
  return Agreed{};
}

Confirming::Outcome Confirming::of_nans(const Evaluator& model) {
  if (count_ == 0 || !std::holds_alternative<NanRule>(model.model().nan)) return Agreed{};
  std::vector<DotInput> all = nan_inputs(model.model());
  std::vector<DotInput> some;          // of each kind of them
  constexpr std::size_t kCrowded = 2;  // the first of them, NaN at every place
  const std::size_t most = kMostOfNans - kCrowded;
  const std::size_t step = (all.size() + most - 1) / most;
  for (std::size_t i = 0; i < all.size(); i += i + 1 < kCrowded ? 1 : step) some.push_back(std::move(all[i]));
  return on(std::move(some), model);
}

Confirming::Outcome Confirming::on(std::vector<DotInput> inputs, const Evaluator& model) {
  std::size_t from = 0;
  const auto next = [&](std::size_t count) {
    const std::size_t to = std::min(from + count, inputs.size());
    std::vector<DotInput> some(std::make_move_iterator(inputs.begin() + static_cast<std::ptrdiff_t>(from)),
                               std::make_move_iterator(inputs.begin() + static_cast<std::ptrdiff_t>(to)));
    from = to;
    return some;
  };
  return compared(next, model, on_others_, nullptr);
}

void Confirming::ask_more(std::size_t count) {
  if (!keeps_) return;
  BatchSize batch(k_);
  while (answers_.size() < count) {
    std::vector<DotInput> some = scaled(anywhere_.some(std::min(batch.get(), count - answers_.size())));
    const auto seen = some.empty() ? std::nullopt : ask_(some, batch);
    if (!seen) return;
    for (std::size_t i = 0; i < some.size(); ++i) answers_.push_back({std::move(some[i]), (*seen)[i]});
  }
}

Confirming::Outcome Confirming::again(const std::vector<Observation>& observations) {
  if (count_ == 0) return Agreed{};
  for (const Observation& o : observations) offer(o);
  std::ranges::shuffle(sample_, random_);
  return all_again(sample_);
}

Confirming::Outcome Confirming::all_again(std::vector<Observation> observations) {
  repeated_ = 0;
  BatchSize batch(k_);
  for (std::size_t from = 0; from < observations.size();) {
    std::vector<DotInput> inputs;
    for (std::size_t i = from; i < std::min(from + batch.get(), observations.size()); ++i)
      inputs.push_back(observations[i].input);
    const auto seen = ask_(inputs, batch);
    if (!seen) return CutShort{};
    for (std::size_t i = 0; i < inputs.size(); ++i, ++from)
      if ((*seen)[i] != observations[from].d)
        return Differs{{std::move(inputs[i]), (*seen)[i]}, observations[from].d};
    repeated_ += inputs.size();
  }
  return Agreed{};
}

}  // namespace mmaprint
