// Inputs whose sum lies exactly on an edge between two results, or would if alignment lost nothing.
//
// What a clamp, a carry bit less or normalisation at another moment takes from a sum is a few units far below
// the result's last place, and shows only where the sum lies on a tie or on a result. Random operands are
// there once in 2^20 inputs and more, and a solver has to factor numbers to find such. Here the sum is chosen
// first: a few products are drawn that lose something, and the others are made to add up to what is missing:
// parts that powers of two give, and at last a product of just that value, for which a factor is looked for
// by division.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "inference/near_products.h"
#include "inference/random_draws.h"
#include "model/plan.h"
#include "model/unit_model.h"

namespace mmaprint {

class InputsAtTies : RandomDraws {
 public:
  /// For two models of floating formats with the same K, formats and tree, but for +0 that sums start from.
  /// With the same seed always the same.
  InputsAtTies(const UnitModel& x, const UnitModel& y, std::uint64_t seed);
  InputsAtTies(const InputsAtTies&) = delete;
  InputsAtTies& operator=(const InputsAtTies&) = delete;
  /// nullopt where some attempts failed: numbers that products of so few bits cannot make up.
  [[nodiscard]] std::optional<DotInput> next();

 private:
  // NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler's own 128-bit type
  __extension__ using Units = __int128;  ///< of 2^unit_

  /// How far below the largest exponent numbers reach: the widest alignment, and a product's significand
  /// below that.
  static constexpr int kReach = 120;

  /// Where one of a node's operands comes from: a product or c, its own or one that an earlier node hands on.
  struct Place {
    std::optional<std::size_t> product;  ///< c where there is none
    bool is_own;
  };
  /// What is aimed at in a node.
  struct Edge {
    int top;        ///< the largest exponent of an operand
    int kept_from;  ///< what lies below 2^this is lost, by the model that loses more
    int rounds_to;  ///< fraction bits
    AlignmentRounding rounding;
    const PlannedNode* node;
    int growth = 0;  ///< many operands add up to so many places more than two do
  };

  /// A product that is rounded in a node of its own is as good as the later node's: the index of that one.
  [[nodiscard]] std::optional<std::size_t> product_by_way_of(const OperandRun& run) const;
  [[nodiscard]] bool adds_products(const PlannedNode& node) const;
  [[nodiscard]] bool attempt(bool is_of_few);
  [[nodiscard]] Edge any_edge();
  [[nodiscard]] int bits_rounded_to(const PlannedNode& node, const Adder& own);
  [[nodiscard]] int any_top(const FormatInfo& result);
  [[nodiscard]] std::vector<Place> places_of(const PlannedNode& node);
  void collect_places(const PlannedNode& earlier, std::vector<Place>& places) const;
  [[nodiscard]] Units any_target(const Edge& edge);
  [[nodiscard]] const PlannedNode* earlier_of(const PlannedNode& node) const;
  [[nodiscard]] bool put_beside_earlier(Edge edge, const PlannedNode& earlier);
  [[nodiscard]] bool put_beside_deep(const Edge& edge, std::vector<Place>& places);
  [[nodiscard]] bool put_loser(const Edge& edge, const Place& place);
  [[nodiscard]] bool put_wide_beside_edge(const Edge& edge, std::vector<Place>& places);
  [[nodiscard]] Units put_wide(const Edge& edge, std::vector<Place>& places);
  [[nodiscard]] const NearProduct* any_near_product(int boundary);
  [[nodiscard]] static const Place* product_among(std::span<const Place> places);
  [[nodiscard]] bool takes_c(std::span<const Place> places) const;
  [[nodiscard]] const Place* product_beside_c(std::span<const Place> places) const;
  [[nodiscard]] bool put_near_product(const Edge& edge, const std::vector<Place>& places);
  [[nodiscard]] bool put_beside_smallest(const Edge& edge, const std::vector<Place>& places);
  [[nodiscard]] bool put_beside_own_tie(const Edge& edge, const std::vector<Place>& places);
  [[nodiscard]] bool put_on_own_tie(const Edge& edge, const std::vector<Place>& places);
  [[nodiscard]] bool put_cancelled(const Edge& edge, const std::vector<Place>& places);
  [[nodiscard]] std::optional<Units> put_losers(const Edge& edge, std::vector<Place>& places);
  [[nodiscard]] std::optional<Units> put_odd(const Edge& edge, std::vector<Place>& places);
  [[nodiscard]] Units any_of_top(int exponent);
  [[nodiscard]] bool make_up(Units missing, const Edge& edge, std::span<const Place> places);
  [[nodiscard]] bool is_rounded_again(const PlannedNode& node) const;
  void collect_leaves(const PlannedNode& node, std::vector<bool>& products, bool& c) const;
  [[nodiscard]] std::optional<Units> in_units(bool negative, Units significand, int last_place) const;
  [[nodiscard]] std::optional<Units> value_of(const Place& place) const;
  void show(const PlannedNode& node);
  void cancel(Units rest, std::span<const Place> outside);
  void bring_to_tie(Units rest, std::span<const Place> outside);
  [[nodiscard]] Units put_small_c(std::vector<Place>& places);
  [[nodiscard]] Units any_lost(const Edge& edge);
  void put_largest(const Edge& edge, std::span<const Place> places);
  void put_below(std::size_t k, bool negative, int exponent);

  /// Puts a product of random significands and this exponent, and gives its value.
  [[nodiscard]] Units put_any(std::size_t k, int exponent);
  [[nodiscard]] Units put_any_c(int exponent);
  [[nodiscard]] bool put(const Place& place, Units value, int highest_exponent);
  [[nodiscard]] bool put_c(Units value);
  [[nodiscard]] bool put_product(std::size_t k, Units value, int highest_exponent);
  [[nodiscard]] bool put_with_subnormal(std::size_t k, Units value, int highest_exponent);
  [[nodiscard]] std::optional<std::pair<Pattern, Pattern>> factors_of(
      Units product, const FormatInfo& normal, const std::function<bool(Units)>& is_other);
  void set_product(std::size_t k, bool negative, const std::pair<int, int>& exponents,
                   const std::pair<Pattern, Pattern>& significands);
  void set_with_subnormal(std::size_t k, bool is_a, Pattern subnormal, int exponent, Pattern significand);
  [[nodiscard]] std::optional<std::pair<int, int>> split(int exponent);
  [[nodiscard]] Pattern any_significand(const FormatInfo& f);

  std::vector<Adder> x_, y_;
  Plan plan_;
  FormatInfo a_, b_, c_;  ///< of the containers
  std::vector<const PlannedNode*> nodes_;
  bool has_c_;
  bool moves_exponents_ = false;    ///< products have other exponents in one model than in the other
  bool has_deep_products_ = false;  ///< some lie far below their exponents, by a subnormal factor
  bool flushes_results_ = false;    ///< subnormal ones, in one of the models
  DotInput input_;
  std::int64_t inputs_ = 0;  ///< that were asked for
  bool takes_most_ = false;  ///< of operands as large as they may be, whose sum is aimed at
  const PlannedNode* aimed_at_ = nullptr;
  int unit_ = 0;
};

}  // namespace mmaprint
