#include "solver/likely_inputs.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/scramble.h"
#include "model/pattern.h"
#include "model/wide.h"

namespace mmaprint {
namespace {

constexpr unsigned kLanes = 64;

/// "d3" is 3.
std::optional<std::size_t> number_after(char letter, std::string_view name) {
  if (name.size() < 2 || name.front() != letter) return std::nullopt;
  std::size_t n = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 1, end, n);
  return error == std::errc() && rest == end ? std::optional(n) : std::nullopt;
}

std::optional<Format> format_of(std::string_view name, const Signature& formats, const Plan& plan) {
  if (number_after('a', name)) return formats.a;
  if (number_after('b', name)) return formats.b;
  if (name == "c") return formats.c;
  if (const auto n = number_after('d', name); n && *n < plan.nodes.size()) return plan.nodes[*n].result.id;
  return std::nullopt;
}

}  // namespace

LikelyInputs::LikelyInputs(const AigGates& gates, const Side& side) : gates_(gates) {
  const Plan plan = plan_of(side);
  for (const NamedWord& named : gates.named_inputs()) {
    Word word;
    const auto format = format_of(named.name, formats_of(side), plan);
    if (format && info(*format).is_floating()) word.format = info(*format);
    word.is_factor = named.name.starts_with('a') || named.name.starts_with('b');
    word.bits.resize(named.bits.size());
    for (std::size_t i = 0; i < named.bits.size(); ++i) places_[named.bits[i].node()] = {words_.size(), i};
    words_.push_back(std::move(word));
  }
  for (const AigGates::FreeProduct& free : gates.free_products_made()) {
    const std::size_t known = free.product.size() - free.unknown.size();  // the lowest, which are 0
    for (std::size_t i = 0; i < free.unknown.size(); ++i)
      places_in_products_[free.unknown[i].node()] = {products_.size(), known + i};
    products_.push_back({-1, std::vector<Lanes>(free.product.size())});
  }
}

Pattern LikelyInputs::drawn(const FormatInfo& f, int exponent, std::uint64_t random) {
  const std::uint64_t bits = scrambled(random);
  const bool negative = (random >> 3 & 1U) != 0;
  std::uint64_t fraction = bits;
  switch (random & 7U) {
    case 0:
      return (random >> 4 & 3U) == 0 ? bits & f.pattern_mask() : zero_pattern(f, negative);
    case 1:
      fraction = 0;
      break;
    case 2:
      fraction = ~std::uint64_t{0};
      break;
    case 3:
      fraction = std::uint64_t{1} << bits % static_cast<unsigned>(std::max(1, f.fraction_bits));
      break;
    case 4:
      fraction &= scrambled(bits);
      break;
    default:
      break;
  }
  return floating_pattern(f, negative, std::max(exponent, f.emin() - f.fraction_bits), fraction);
}

void LikelyInputs::draw(int round) {
  constexpr std::array<unsigned, 6> kWindows{1, 3, 6, 12, 26, 40};
  round_ = round;
  for (Word& word : words_) std::ranges::fill(word.bits, 0);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t key = scrambled(static_cast<std::uint64_t>(round) * kLanes + lane);
    const unsigned window = kWindows[key % kWindows.size()];
    // Mostly about one; and anywhere in the range of FP32 and its like.
    const bool is_far = (key >> 8 & 3U) == 0;
    const int base = static_cast<int>(key >> 10 & (is_far ? 255U : 15U)) - (is_far ? 140 : 8);
    for (std::size_t w = 0; w < words_.size(); ++w) {
      Word& word = words_[w];
      const std::uint64_t random = scrambled(key + w * 0x9E3779B97F4A7C15U);
      Pattern p = random;
      if (word.format) {
        const int exponent = base - static_cast<int>((random >> 20) % window);
        p = drawn(*word.format, word.is_factor ? exponent / 2 : exponent, random);
        // Low bits that are left out are constants of the formula.
        p >>= static_cast<std::size_t>(word.format->container_bits) - word.bits.size();
      }
      for (std::size_t i = 0; i < std::min<std::size_t>(word.bits.size(), 64); ++i)
        word.bits[i] |= (p >> i & 1U) << lane;
    }
  }
}

void LikelyInputs::multiply(std::size_t product, const std::function<Lanes(Literal)>& value) {
  const AigGates::FreeProduct& free = gates_.free_products_made()[product];
  std::vector<Lanes>& bits = products_[product].bits;
  std::ranges::fill(bits, 0);
  const auto factor = [&](const AigGates::Bits& word, unsigned lane) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < word.size(); ++i) all |= (value(word[i]) >> lane & 1U) << i;
    return all;
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const auto xy = static_cast<Word128>(factor(free.x, lane)) * factor(free.y, lane);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= static_cast<Lanes>(xy >> i & 1U) << lane;
  }
}

Lanes LikelyInputs::operator()(std::uint32_t node, int round, const std::function<Lanes(Literal)>& value) {
  if (const auto at = places_in_products_.find(node); at != places_in_products_.end()) {
    Product& product = products_[at->second.word];
    if (product.round != round) multiply(at->second.word, value);
    product.round = round;
    return product.bits[at->second.bit];
  }
  if (round != round_) draw(round);
  const auto at = places_.find(node);
  return at == places_.end() ? scrambled((std::uint64_t{node} << 20) + static_cast<unsigned>(round))
                             : words_[at->second.word].bits[at->second.bit];
}

}  // namespace mmaprint
