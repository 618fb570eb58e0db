#include "inference/lemmas_json.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostLemmas = 100'000;
constexpr int kMostFreeProducts = 1'000'000;

Json to_json(const KnownBits& known) { return Json::array({known.mask, known.value}); }

KnownBits known_bits(const JsonReader& from) {
  constexpr int kMost = (1 << kMostBitsOfFactors) - 1;
  const auto parts = from.elements(2);
  if (parts.size() != 2) from.fail("a mask and the bits in it");
  const auto word = [&](std::size_t i) { return static_cast<std::uint64_t>(parts[i].integer(0, kMost)); };
  const KnownBits known{word(0), word(1)};
  if ((known.value & ~known.mask) != 0) parts[1].fail("bits of the mask alone");
  return known;
}

}  // namespace

Json lemmas_to_json(std::span<const ProductLemma> lemmas) {
  Json list = Json::array();
  for (const auto& [product, excluded] : lemmas)
    list.push_back({{"product", product},
                    {"x", to_json(excluded.x)},
                    {"y", to_json(excluded.y)},
                    {"is", to_json(excluded.product)}});
  return list;
}

std::vector<ProductLemma> lemmas_from_json(const JsonReader& question) {
  std::vector<ProductLemma> lemmas;
  const auto list = question.find("lemmas");
  if (!list) return lemmas;
  for (const JsonReader& item : list->elements(kMostLemmas)) {
    item.only({"product", "x", "y", "is"});
    lemmas.push_back({static_cast<std::uint32_t>(item.at("product").integer(0, kMostFreeProducts)),
                      {known_bits(item.at("x")), known_bits(item.at("y")), known_bits(item.at("is"))}});
  }
  return lemmas;
}

}  // namespace mmaprint
