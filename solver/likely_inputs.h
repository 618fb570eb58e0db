// Values of a question's unknowns on which datapaths show what they do, for simulation: of operands that are
// summed the exponents are near each other.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "solver/aig_gates.h"
#include "solver/distinguish.h"
#include "solver/sweeping.h"

namespace mmaprint {

/// As InputLanes. Words that are operands by their names (solver/input_words.h, solver/node_question.h) are
/// patterns with exponents within a window, some with few bits, some zeros, some anything. Products that were
/// left open are what their factors make. All else is random. The same for the same question.
class LikelyInputs {
 public:
  LikelyInputs(const AigGates& gates, const Side& side);
  [[nodiscard]] Lanes operator()(std::uint32_t node, int round, const std::function<Lanes(Literal)>& value);

 private:
  /// One bit of a word, by the word's index.
  struct Place {
    std::size_t word, bit;
  };
  struct Word {
    std::optional<FormatInfo> format;  ///< of an operand
    bool is_factor = false;
    std::vector<Lanes> bits;
  };
  struct Product {
    int round = -1;  ///< of which its bits are
    std::vector<Lanes> bits;
  };
  void draw(int round);
  [[nodiscard]] static Pattern drawn(const FormatInfo& f, int exponent, std::uint64_t random);
  void multiply(std::size_t product, const std::function<Lanes(Literal)>& value);

  const AigGates& gates_;
  std::vector<Word> words_;
  std::unordered_map<std::uint32_t, Place> places_;
  std::vector<Product> products_;
  std::unordered_map<std::uint32_t, Place> places_in_products_;
  int round_ = -1;  ///< of which the words are
};

}  // namespace mmaprint
