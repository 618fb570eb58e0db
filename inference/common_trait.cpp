#include "inference/common_trait.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "model/evaluator.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

/// An input, what the unit made of it, and what a model does.
struct Seen {
  const Signature& formats;
  const Observation& observed;
  Pattern predicted;

  [[nodiscard]] std::size_t products() const { return observed.input.a.size(); }
  [[nodiscard]] ValueClass a(std::size_t k) const { return classify(info(formats.a), observed.input.a[k]); }
  [[nodiscard]] ValueClass b(std::size_t k) const { return classify(info(formats.b), observed.input.b[k]); }
  [[nodiscard]] bool is_zero_product(std::size_t k) const {
    return a(k) == ValueClass::zero || b(k) == ValueClass::zero;
  }
  /// That of a product that is no zero.
  [[nodiscard]] bool has_sign(std::size_t k, bool negative) const {
    const bool of_a = is_negative(info(formats.a), observed.input.a[k]);
    const bool of_b = is_negative(info(formats.b), observed.input.b[k]);
    return !is_zero_product(k) && !is_nan(info(formats.a), observed.input.a[k]) &&
           !is_nan(info(formats.b), observed.input.b[k]) && (of_a != of_b) == negative;
  }
  template <class Holds>
  [[nodiscard]] bool any(Holds&& holds) const {
    for (std::size_t k = 0; k < products(); ++k)
      if (holds(k)) return true;
    return false;
  }
};

struct Trait {
  std::string words;
  std::function<bool(const Seen&)> holds;
};

std::string with_article(std::string_view what) {
  return fmt::format("{} {}", what.front() == 'i' ? "an" : "a", what);
}

struct ClassWord {
  ValueClass value;
  std::string_view word;
};
constexpr std::array kClasses{ClassWord{ValueClass::zero, "zero"},
                              ClassWord{ValueClass::subnormal, "subnormal"},
                              ClassWord{ValueClass::infinite, "infinite"}, ClassWord{ValueClass::nan, "NaN"},
                              ClassWord{ValueClass::normal, "normal"}};

struct SignWord {
  bool is_negative;
  std::string_view word;
};
constexpr std::array kSigns{SignWord{true, "negative"}, SignWord{false, "positive"}};

void add_factors(std::vector<Trait>& all) {
  for (const auto& [value, word] : kClasses) {
    const auto in_a = [value = value](const Seen& x) {
      return x.any([&](auto k) { return x.a(k) == value; });
    };
    const auto in_b = [value = value](const Seen& x) {
      return x.any([&](auto k) { return x.b(k) == value; });
    };
    const std::string factor = with_article(word) + " factor";
    all.push_back({factor, [=](const Seen& x) { return in_a(x) || in_b(x); }});
    all.push_back({factor + " in a", in_a});
    all.push_back({factor + " in b", in_b});
  }
  all.push_back({"a zero product beside one that is not", [](const Seen& x) {
                   return x.any([&](auto k) { return x.is_zero_product(k); }) &&
                          x.any([&](auto k) { return !x.is_zero_product(k); });
                 }});
  all.push_back({"zero products only",
                 [](const Seen& x) { return !x.any([&](auto k) { return !x.is_zero_product(k); }); }});
  for (const auto& [is_negative, word] : kSigns)
    all.push_back({with_article(word) + " product", [is_negative = is_negative](const Seen& x) {
                     return x.any([&](auto k) { return x.has_sign(k, is_negative); });
                   }});
}

/// Of c, or a result.
template <class ValueOf>
void add_value(std::vector<Trait>& all, const std::string& what, const FormatInfo& f, ValueOf value_of) {
  for (const auto& [value, word] : kClasses)
    all.push_back({with_article(word) + what,
                   [=, &f, value = value](const Seen& x) { return classify(f, value_of(x)) == value; }});
  for (const auto& [sign, word] : kSigns)
    all.push_back({with_article(word) + what, [=, &f, sign = sign](const Seen& x) {
                     return is_negative(f, value_of(x)) == sign && !is_nan(f, value_of(x));
                   }});
}

void add_places(std::vector<Trait>& all, int products) {
  for (std::size_t k = 0; std::cmp_less(k, products); ++k) {
    all.push_back({fmt::format("a product at place {} that is not zero", k),
                   [k](const Seen& x) { return !x.is_zero_product(k); }});
    for (const auto& [is_negative, word] : kSigns)
      all.push_back({fmt::format("a {} product at place {}", word, k),
                     [k, is_negative = is_negative](const Seen& x) { return x.has_sign(k, is_negative); }});
  }
}

/// The plainest first: of those that say as much, the first is told.
std::vector<Trait> all_traits(const UnitModel& model) {
  std::vector<Trait> all;
  const FormatInfo& d = info(model.formats.d);
  add_factors(all);
  if (model.formats.c)
    add_value(all, " c", info(*model.formats.c), [](const Seen& x) { return x.observed.input.c; });
  add_value(all, " result", d, [](const Seen& x) { return x.observed.d; });
  add_value(all, " result by the model", d, [](const Seen& x) { return x.predicted; });
  if (model.k > 1) add_places(all, model.k);
  return all;
}

/// A trait that every input has on which they differ, and which of the others have it.
struct Held {
  const Trait* trait;
  std::vector<bool> others;
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count(others, true));
  }
};

class Traits {
 public:
  Traits(const UnitModel& model, std::span<const Observation> answers) : all_(all_traits(model)) {
    const Evaluator evaluator(model);
    for (const Observation& o : answers) {
      const Seen seen{model.formats, o, evaluator(o.input)};
      (as_modelled(model, o.d) == seen.predicted ? others_ : departing_).push_back(seen);
    }
    for (const Trait& trait : all_) {
      if (!std::ranges::all_of(departing_, trait.holds)) continue;
      Held& held = held_.emplace_back(Held{&trait, {}});
      for (const Seen& x : others_) held.others.push_back(trait.holds(x));
    }
  }

  [[nodiscard]] std::optional<CommonTrait> told() const {
    if (departing_.empty() || held_.empty()) return std::nullopt;
    const Held& first = *std::ranges::min_element(held_, {}, &Held::count);
    CommonTrait told{first.trait->words, departing_.size(), others_.size(), first.count()};
    auto chances = static_cast<double>(all_.size());
    if (const auto second = beside(first)) {
      told.words += " and " + second->trait->words;
      told.of_others = second->count();
      chances *= chances;
    }
    return is_no_accident(told.of_others, chances) ? std::optional(std::move(told)) : std::nullopt;
  }

 private:
  /// That they all have it as often as the others do would be one in ten thousand, in so many trials.
  [[nodiscard]] bool is_no_accident(std::size_t of_others, double trials) const {
    constexpr double kOneIn = 10'000;
    const double share = static_cast<double>(of_others + 1) / static_cast<double>(others_.size() + 1);
    const double surprise = -std::log(share) * static_cast<double>(departing_.size());
    return share <= 0.5 && surprise >= std::log(kOneIn * trials);
  }
  /// The one with which fewest of the others are left, those that have both, if that makes them far fewer.
  [[nodiscard]] std::optional<Held> beside(const Held& first) const {
    constexpr std::size_t kFarFewer = 4;
    std::optional<Held> best;
    for (const Held& second : held_) {
      Held both{second.trait, first.others};
      for (std::size_t i = 0; i < both.others.size(); ++i)
        both.others[i] = both.others[i] && second.others[i];
      if (both.count() * kFarFewer <= first.count() && (!best || both.count() < best->count()))
        best = std::move(both);
    }
    // One that nearly none has needs no other.
    return best && first.count() * 20 > others_.size() ? best : std::nullopt;
  }

  std::vector<Trait> all_;
  std::vector<Seen> departing_, others_;
  std::vector<Held> held_;
};

}  // namespace

std::optional<CommonTrait> trait_of_departures(const UnitModel& model, std::span<const Observation> answers) {
  return Traits(model, answers).told();
}

std::string text(const CommonTrait& trait) {
  const std::string others = trait.of_others == 0 ? "none" : std::to_string(trait.of_others);
  return fmt::format("{} inputs on which it is wrong, all with {}; {} of the {} others {} that",
                     trait.departing, trait.words, others, trait.others,
                     trait.of_others == 1 ? "has" : "have");
}

}  // namespace mmaprint
