// The smallest differences of catalogued instructions: all pairs of equal formats that compute otherwise, the
// shorter one chained over the longer one's K.
//
//   bench_smallest_differences [FORMATS] [SECONDS]
//
// One row for each pair: what was found, what of it was proved, and how long it took. Instructions that
// compute alike stand in it once. FORMATS (fp16,fp16,fp32,fp32) selects; SECONDS is the limit for each pair.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "device/catalogue.h"
#include "inference/minimal.h"
#include "model/chained.h"
#include "model/instruction.h"
#include "model/model_json.h"

namespace {

using namespace mmaprint;
using Clock = std::chrono::steady_clock;

struct Named {
  std::string name;
  UnitModel model;
};

/// Of models that are the same but for their names, the first.
std::vector<Named> different_instructions() {
  std::vector<Named> all;
  for (const CataloguedUnit& unit : catalogued_units())
    for (UnitModel& model : catalogued_models(unit.name)) {
      const auto same = [&](const Named& known) {
        UnitModel renamed = model;
        renamed.instruction = known.model.instruction;
        return renamed == known.model;
      };
      if (std::ranges::none_of(all, same))
        all.push_back({std::string(unit.name) + "#" + model.instruction, std::move(model)});
    }
  return all;
}

struct PairRow {
  std::string text;
  double seconds;
  bool is_proved;  ///< terms, or equality
};

PairRow row_of(const Named& x, const Named& y, double limit) {
  const int k = std::max(x.model.k, y.model.k);
  MinimalOptions options;
  options.deadline = Deadline(limit);
  const auto begin = Clock::now();
  const auto found =
      smallest_difference(chained(x.model, k / x.model.k), chained(y.model, k / y.model.k), options);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::string what = "unknown";
  bool is_proved = std::holds_alternative<SameEverywhere>(found);
  if (is_proved) what = "equivalent";
  if (const auto* d = std::get_if<Different>(&found)) {
    is_proved = d->terms_minimal();
    const auto count = [](int n, int at_least) {
      return n == at_least ? fmt::format("{} (proved)", n) : fmt::format("{} (at least {})", n, at_least);
    };
    what = fmt::format("{} terms, {} bits", count(d->nonzero_products, d->products_at_least),
                       count(d->significand_bits, d->bits_at_least));
  }
  return {fmt::format("| {} | {} | {} | {:.2f} |", x.name, y.name, what, seconds), seconds, is_proved};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string formats = argc > 1 ? argv[1] : "all";
  const double limit = argc > 2 ? std::stod(argv[2]) : 60;
  const auto all = different_instructions();
  std::vector<double> times;
  int open = 0;
  std::puts("| first | second | smallest difference | seconds |\n|---|---|---|---|");
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const UnitModel &x = all[i].model, &y = all[j].model;
      const int k = std::max(x.k, y.k);
      if (x.formats != y.formats || k % x.k != 0 || k % y.k != 0) continue;
      if (not_chainable(x, k / x.k) || not_chainable(y, k / y.k)) continue;
      if (formats != "all" && formats_option(x.formats) != formats) continue;
      const PairRow row = row_of(all[i], all[j], limit);
      std::puts(row.text.c_str());
      (void)std::fflush(stdout);
      times.push_back(row.seconds);
      open += row.is_proved ? 0 : 1;
    }
  if (times.empty()) return 0;
  std::ranges::sort(times);
  fmt::print("\n{} pairs, {} without a proof; median {:.2f} s, longest {:.2f} s, all {:.0f} s\n",
             times.size(), open, times[times.size() / 2], times.back(),
             std::accumulate(times.begin(), times.end(), 0.0));
}
