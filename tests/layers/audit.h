// A source of parameters that audits the shortcuts of the datapath's questions: it knows one hypothesis of a
// box and answers for it, but at each question it asks what every value of the parameter in the box would
// have given.
//
// - branch: values whose keys are equal have equal outcomes;
// - select and keys of a parameter whose answers are in the values' order: equal answers are neighbours, so
//   that equal ones for the lowest and the highest value of any set are everybody's;
// - always: answered for the whole box, and counted. That acting on it is right shows in results that are
//   those of the plain specification, which asks nothing.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "model/fixed_parameters.h"
#include "model/hypotheses.h"
#include "model/lowering/keys.h"
#include "model/unit_model.h"

namespace mmaprint::test {

class AuditingParameters {
 public:
  struct Counts {
    long keys = 0, orders = 0, claims = 0;
  };

  /// `box` holds `values`.
  AuditingParameters(const Box& box, const ParameterValues& values) : box_(&box), values_(values) {}

  [[nodiscard]] const std::vector<std::string>& broken() const { return broken_; }
  /// How many keys, orders and claims were audited where there was something to compare.
  [[nodiscard]] const Counts& counts() const { return counts_; }

  template <Parameter P, class Fn>
  auto select(int /*adder*/, Fn&& fn) {
    if constexpr (ParameterRow<P>::monotone)
      if (const Pause pause(*this); pause.first) expect_order<P>(answers<P>(fn), "answers");
    return fn(typed_value<P>(value_index(values_, {P})));
  }

  template <Parameter P, class Key, class Fn>
  auto branch(int /*adder*/, Key&& key, Fn&& fn) {
    if (const Pause pause(*this); pause.first) {
      const auto key_of = key();
      const auto keys = answers<P>(key_of);
      if constexpr (ParameterRow<P>::monotone) expect_order<P>(keys, "keys");
      const auto outcomes = answers<P>(fn);
      for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          if (!(keys[i] == keys[j])) continue;
          ++counts_.keys;
          if (!(outcomes[i] == outcomes[j]))
            complain<P>("equal keys, other outcomes", (*box_)[P].values(), j, i);
        }
    }
    return fn(typed_value<P>(value_index(values_, {P})));
  }

  template <Parameter P, class Predicate>
  bool always(int /*adder*/, Predicate&& holds) {
    bool all = true;
    for (const int i : (*box_)[P].values()) all = all && holds(typed_value<P>(i));
    if (all) ++counts_.claims;
    return all;
  }

 private:
  /// Questions inside of audited ones are only answered.
  struct Pause {
    explicit Pause(AuditingParameters& source) : first(source.depth_++ == 0), source_(&source) {}
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { --source_->depth_; }
    bool first;

   private:
    AuditingParameters* source_;
  };

  template <Parameter P, class Fn>
  auto answers(Fn&& fn) {
    using Answer = std::remove_cvref_t<decltype(fn(typed_value<P>(0)))>;
    struct Held {  // no vector<bool>
      Answer value;
      bool operator==(const Held& x) const { return value == x.value; }
    };
    std::vector<Held> all;
    const int now = value_index(values_, {P});
    for (const int i : (*box_)[P].values()) {
      set_value(values_, {P}, i);
      all.push_back({fn(typed_value<P>(i))});
    }
    set_value(values_, {P}, now);
    return all;
  }

  template <Parameter P, class Answers>
  void expect_order(const Answers& all, const char* what) {
    for (std::size_t i = 2; i < all.size(); ++i)
      for (std::size_t j = 0; j + 1 < i; ++j) {
        if (!(all[i] == all[j])) continue;
        ++counts_.orders;
        if (!(all[i - 1] == all[i]))
          complain<P>(std::string(what) + " that come again", (*box_)[P].values(), j, i);
      }
  }

  template <Parameter P>
  void complain(const std::string& what, const std::vector<int>& indices, std::size_t i, std::size_t j) {
    broken_.push_back(std::string(info(P).name) + ": " + what + " at values " + std::to_string(indices[i]) +
                      " and " + std::to_string(indices[j]));
  }

  const Box* box_;
  ParameterValues values_;
  int depth_ = 0;
  std::vector<std::string> broken_;
  Counts counts_;
};

}  // namespace mmaprint::test
