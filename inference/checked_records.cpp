#include "inference/checked_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/model_json.h"

namespace mmaprint {
namespace {

void require_match(const ObservationRecord& record, const Instruction& model) {
  if (record.formats != model.formats) {
    // The option's form says nothing of scales.
    const bool scales = record.formats.has_scales() || model.formats.has_scales();
    const auto text = [&](const Signature& f) { return scales ? formats_text(f) : formats_option(f); };
    throw BadInput(record.place() + ": formats: expected the model's, " + text(model.formats) + ", found " +
                   text(record.formats));
  }
  if (std::cmp_not_equal(record.input.a.size(), model.k))
    throw BadInput(fmt::format("{}: a: expected {} entries as the model has, found {}", record.place(),
                               model.k, record.input.a.size()));
  if (!record.d) throw BadInput(record.place() + ": d: expected a result");
}

}  // namespace

CheckedRecords::CheckedRecords(Instruction model)
    : model_(std::move(model)),
      observations_(model_.formats, model_.k),
      known_(0, Hash{&observations_}, Equal{&observations_}) {}

void CheckedRecords::add(const ObservationRecord& record) {
  require_match(record, model_);
  const auto index = static_cast<std::uint32_t>(observations_.size());
  observations_.add({record.input, *record.d});
  if (!known_.insert(index).second) {
    observations_.remove_last();
    return;
  }
  places_.push_back({text(record.file), text(record.instruction), record.line});
  if (contradiction_) return;
  const std::size_t bucket = known_.bucket(index);
  std::size_t first = index;
  for (auto other = known_.begin(bucket); other != known_.end(bucket); ++other)
    if (observations_.same_input(*other, index)) first = std::min<std::size_t>(first, *other);
  if (first != index) contradiction_ = {first, index};
}

std::uint32_t CheckedRecords::text(const std::string& text) {
  // A few files and names in all, and the last one most often.
  const auto found = std::ranges::find(texts_.rbegin(), texts_.rend(), text);
  if (found != texts_.rend()) return static_cast<std::uint32_t>(texts_.rend() - found - 1);
  texts_.push_back(text);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

ObservationRecord CheckedRecords::record(std::size_t i) const {
  const Place& place = places_[i];
  Observation seen = observations_[i];
  ObservationRecord record;
  record.file = texts_[place.file];
  record.line = place.line;
  record.instruction = texts_[place.instruction];
  record.formats = model_.formats;
  record.input = std::move(seen.input);
  record.d = seen.d;
  return record;
}

}  // namespace mmaprint
