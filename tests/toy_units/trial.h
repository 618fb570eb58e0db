// The prover on a pair of toy units: everything that it may conclude is asked, and held against every input.
#pragma once

#include <map>
#include <string>

#include "toy_units/toy_pair.h"

namespace mmaprint::toys {

/// What a way of asking answered, by what is true.
struct Tally {
  long equal = 0;             ///< proved, and so it is
  long different = 0;         ///< by an input on which they differ
  long unknown_of_equal = 0;  ///< not decided
  long unknown_of_different = 0;
  long wrong = 0;
};
using Tallies = std::map<std::string, Tally>;
void add(Tallies& to, const Tallies& more);

struct TrialResult {
  Tallies by_method;
  bool equal = false;                ///< the first member of the set, and the model
  bool equal_but_for_zeros = false;  ///< they are not equal otherwise
  std::string wrong;                 ///< what was said that is not so; empty if all is
};

/// `thorough`: the whole search of the ledger and the second solver as well.
[[nodiscard]] TrialResult try_pair(std::uint64_t seed, int most_input_bits, bool thorough);

}  // namespace mmaprint::toys
