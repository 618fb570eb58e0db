#include "inference/masked_unit.h"

#include <algorithm>
#include <bit>

namespace mmaprint {

MaskedUnit::MaskedUnit(int k, const Signature& formats, const AskAll& ask, std::size_t most)
    : masks_(k, formats), ask_(ask), left_(most) {
  choose_exponents();
}

std::vector<MaskedUnit::Units> MaskedUnit::results(const std::vector<std::vector<PowerAt>>& asked,
                                                   int exponent) {
  if (asked.size() > left_) throw NotMeasured{};
  left_ -= asked.size();
  if (asked.empty()) return {};
  std::vector<DotInput> inputs;
  inputs.reserve(asked.size());
  for (const auto& powers : asked) inputs.push_back(masks_.input(powers));
  const auto answers = ask_(inputs);
  if (!answers) throw NotMeasured{};
  std::vector<Units> units;
  units.reserve(answers->size());
  for (const Pattern d : *answers) units.push_back(masks_.units(d, exponent));
  return units;
}

/// M and u are as far apart as the formats let them, near 1.
void MaskedUnit::choose_exponents() {
  constexpr int kLargestUsualF = 41, kSmallestUsualF = 9, kAboveOne = 8, kStep = 3;
  const int room = static_cast<int>(std::bit_width(static_cast<unsigned>(masks_.leaves()))) + 1;
  const int wished = std::max(masks_.precision(), kLargestUsualF) + room;
  mask_ = std::min(masks_.highest(), wished + kAboveOne);
  // Subnormals may be flushed, and what is small be lost for good.
  for (unit_ = std::max(masks_.lowest(), mask_ - wished); mask_ - unit_ >= kSmallestUsualF + room;
       unit_ += kStep) {
    if (!are_exact_alone()) continue;
    for (const int group : {masks_.leaves(), 63, 31, 15, 7, 3, 1})
      if (group <= masks_.leaves() && are_counted(group)) {
        largest_group_ = group;
        return;
      }
  }
  throw NotMeasured{};
}

/// Are units at the first and the last product and at c exact?
bool MaskedUnit::are_exact_alone() {
  const int last = masks_.leaves() - 1;
  const auto units =
      results({{{0, false, unit_}}, {{last, false, unit_}}, {{std::max(0, last - 1), true, unit_}}}, unit_);
  return units[0] == 1 && units[1] == 1 && units[2] == -1;
}

/// Are units at so many leaves exactly so many units, wherever they are?
bool MaskedUnit::are_counted(int group) {
  std::vector<std::vector<PowerAt>> asked;
  std::vector<std::int64_t> expected;
  for (LeafIndex leaf = 0; leaf < masks_.leaves(); ++leaf) {
    if (leaf % group == 0) {
      asked.emplace_back();
      expected.push_back(0);
    }
    asked.back().push_back({leaf, false, unit_});
    ++expected.back();
  }
  const auto units = results(asked, unit_);
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i] != expected[i]) return false;
  return true;
}

}  // namespace mmaprint
