// Parameters as unknowns of a formula: one of the values of a set each, selected by bits that the solver
// chooses.
#pragma once

#include <string>
#include <vector>

#include "model/fixed_parameters.h"
#include "model/hypotheses.h"
#include "solver/symbolic.h"

namespace mmaprint {

/// The parameters of a product set over backend G. Sets of one value cost nothing.
template <class G>
class BoxParameters {
 public:
  using Bool = typename G::Bool;
  template <class T>
  struct Alternative {
    T value;
    Bool holds;
  };

  /// What is free here and in `tied_to`, with the same values, is one unknown of both.
  BoxParameters(G& gates, const Box& box, const BoxParameters* tied_to = nullptr)
      : classes_(box.classes()), gates_(&gates), valid_(gates.truth(true)) {
    for (const ParameterKey& key : box.keys()) {
      auto& mine = selectors_.emplace_back();
      mine.values = box[key].values();
      if (tied_to != nullptr && key.of_class < tied_to->classes_ &&
          tied_to->selectors(key).values == mine.values)
        mine = tied_to->selectors(key);
      else if (mine.values.size() > 1)
        number(mine, name_of(key, classes_));
      else
        mine.holds = {gates.truth(true)};
    }
  }

  /// True where every parameter has one of its values.
  [[nodiscard]] Bool valid() const { return valid_; }

  template <Parameter P>
  [[nodiscard]] auto alternatives(int adder) const {
    using T = decltype(typed_value<P>(0));
    std::vector<Alternative<T>> all;
    const auto& mine = selectors(key_at<P>(adder));
    for (std::size_t i = 0; i < mine.values.size(); ++i)
      all.push_back({typed_value<P>(mine.values[i]), mine.holds[i]});
    return all;
  }

  /// The value of an exponent as a number; none is kNoClamp.
  template <Parameter P>
    requires(P == Parameter::minimum_alignment_exponent)
  [[nodiscard]] auto exponent(int adder) const {
    const SymbolicCore<G> core(*gates_);
    const auto& mine = selectors(key_at<P>(adder));
    const auto number_of = [](int value) { return ClampDomain::value(value).value_or(kNoClamp); };
    const int last = mine.values.back();
    if (mine.values.size() == 1) return core.integer(number_of(last));
    // Neighbouring values are a number plus their place, but for "none", which comes first.
    const bool none = !ClampDomain::value(mine.values.front());
    const int first = mine.values[none ? 1 : 0];
    const int before = first - (none ? 1 : 0);
    auto value = core.integer(number_of(first));
    if (std::cmp_equal(last - before + 1, mine.values.size())) {
      const auto place = core.to_int({mine.index}, G::width(mine.index));
      value = core.within(core.add(core.integer(number_of(first) - (none ? 1 : 0)), place), number_of(first),
                          number_of(last));
    } else {
      for (std::size_t i = 0; i < mine.values.size(); ++i)
        value = core.mux(mine.holds[i], core.integer(number_of(mine.values[i])), value);
    }
    return none ? core.mux(mine.holds.front(), core.integer(kNoClamp), value) : value;
  }

  template <Parameter P, class Predicate>
  [[nodiscard]] bool always(int adder, Predicate&& holds) const {
    for (const auto& alternative : alternatives<P>(adder))
      if (!holds(alternative.value)) return false;
    return true;
  }

  /// The hypothesis that a solution chose; `value` tells what the solver made of a truth value.
  template <class Value>
  [[nodiscard]] ParameterValues chosen(Value&& value) const {
    ParameterValues result;
    result.adders.resize(static_cast<std::size_t>(classes_));
    for (const ParameterKey& key : all_keys(classes_)) {
      const auto& mine = selectors(key);
      for (std::size_t i = 0; i < mine.values.size(); ++i)
        if (value(mine.holds[i])) set_value(result, key, mine.values[i]);
    }
    return result;
  }

 private:
  struct Selectors {
    std::vector<int> values;
    typename G::Bits index;   ///< which of them, where there are several
    std::vector<Bool> holds;  ///< exactly one of them wherever valid()
  };
  [[nodiscard]] const Selectors& selectors(const ParameterKey& key) const {
    return selectors_[place_of(key)];
  }

  /// Numbers the values in binary over fresh inputs.
  void number(Selectors& mine, const std::string& name) {
    int bits = 0;
    while ((std::size_t{1} << bits) < mine.values.size()) ++bits;
    mine.index = gates_->inputs(bits, name);
    const auto& index = mine.index;
    Bool any = gates_->truth(false);
    for (std::size_t i = 0; i < mine.values.size(); ++i) {
      mine.holds.push_back(gates_->is_zero(gates_->exclusive(index, gates_->word(bits, i))));
      any = gates_->no(gates_->both(gates_->no(any), gates_->no(mine.holds.back())));
    }
    valid_ = gates_->both(valid_, any);
  }

  int classes_;
  G* gates_;
  std::vector<Selectors> selectors_;  ///< in the order of keys
  Bool valid_;
};

}  // namespace mmaprint
