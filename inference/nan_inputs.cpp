#include "inference/nan_inputs.h"

#include <algorithm>
#include <optional>

#include "inference/random_draws.h"
#include "model/evaluator.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostPlaces = 5;
constexpr int kMixed = 64;

/// What makes a result NaN, or helps to.
struct Source {
  enum class Kind : std::uint8_t { a, b, c, zero_times_infinity, infinity_times_zero } kind = Kind::c;
  std::size_t place = 0;  ///< product
};

/// Products that stand differently in the tree: the first, second and last ones of some nodes.
std::vector<std::size_t> places_of(const Tree& tree) {
  std::vector<std::vector<std::size_t>> nodes;
  for (const Node& node : tree.nodes) {
    std::vector<std::size_t> products;
    for (const Leaf& leaf : node.operands)
      if (const auto* product = std::get_if<ProductLeaf>(&leaf))
        products.push_back(static_cast<std::size_t>(product->index));
    if (!products.empty()) nodes.push_back(std::move(products));
  }
  std::vector<std::size_t> places;
  const auto add = [&](std::size_t place) {
    if (places.size() < kMostPlaces && std::ranges::find(places, place) == places.end())
      places.push_back(place);
  };
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, nodes.size() - 1}) {
    if (n >= nodes.size()) continue;
    add(nodes[n].front());
    add(nodes[n].back());
  }
  for (const auto& node : nodes)
    for (const std::size_t place : node) add(place);
  return places;
}

class Maker : RandomDraws {
 public:
  explicit Maker(const UnitModel& model)
      : RandomDraws(1),
        model_(model),
        evaluator_(model),
        a_(info(model.formats.a)),
        b_(info(model.formats.b)),
        c_(info(room_for_c(model.formats))),
        places_(places_of(model.tree)) {
    list_sources();
  }

  std::vector<DotInput> operator()() {
    for (const auto factors : {&DotInput::a, &DotInput::b})
      keep([&](DotInput& in) { crowd(in.*factors, factors == &DotInput::a ? a_ : b_); });
    for (const Source& x : sources_)
      for (const bool quiet : {true, false}) keep([&](DotInput& in) { set(in, x, quiet); });
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (std::size_t j = i + 1; j < sources_.size(); ++j)
        if (fit_together(sources_[i], sources_[j]))
          for (const bool quiet : {true, false})
            keep([&](DotInput& in) {
              set(in, sources_[i], quiet);
              set(in, sources_[j], !quiet);
            });
    infinities();
    for (int i = 0; i < kMixed; ++i) keep([&](DotInput& in) { mix(in); });
    return std::move(inputs_);
  }

 private:
  void list_sources() {
    for (const std::size_t place : places_) {
      if (a_.has_nan()) sources_.push_back({Source::Kind::a, place});
      if (b_.has_nan()) sources_.push_back({Source::Kind::b, place});
      if (b_.has_infinity()) sources_.push_back({Source::Kind::zero_times_infinity, place});
      if (a_.has_infinity()) sources_.push_back({Source::Kind::infinity_times_zero, place});
    }
    if (model_.formats.c && c_.has_nan()) sources_.push_back({Source::Kind::c, 0});
  }

  static bool fit_together(const Source& x, const Source& y) {
    using enum Source::Kind;
    if (x.place != y.place || x.kind == c || y.kind == c) return true;
    return x.kind == a && y.kind == b;
  }

  template <class Change>
  void keep(Change&& change) {
    DotInput in{std::vector<Pattern>(static_cast<std::size_t>(model_.k), one(a_)),
                std::vector<Pattern>(static_cast<std::size_t>(model_.k), one(b_)),
                model_.formats.c ? one(c_) : 0};
    change(in);
    if (is_nan(model_.formats.d, evaluator_(in))) inputs_.push_back(std::move(in));
  }

  /// NaN everywhere.
  void crowd(std::vector<Pattern>& factors, const FormatInfo& f) {
    for (Pattern& p : factors)
      if (f.has_nan()) p = nan(f, true);
  }

  /// Infinities of both signs, alone and beside a NaN.
  void infinities() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto opposed = [&](DotInput& in, bool negative) {
        if (!set_infinity(in, places_[i], negative)) return;
        if (i + 1 < places_.size()) (void)set_infinity(in, places_[i + 1], !negative);
      };
      const auto against_c = [&](DotInput& in, bool negative) {
        if (!model_.formats.c || !c_.has_infinity() || !set_infinity(in, places_[i], negative)) return;
        in.c = infinity_pattern(c_) | (negative ? 0 : sign_pattern(c_));
      };
      for (const bool negative : {false, true}) {
        keep([&](DotInput& in) { opposed(in, negative); });
        keep([&](DotInput& in) { against_c(in, negative); });
      }
      for (const Source& x : sources_) {
        if (x.kind != Source::Kind::a && x.kind != Source::Kind::b && x.kind != Source::Kind::c) continue;
        keep([&](DotInput& in) {
          opposed(in, false);
          set(in, x, true);
        });
        if (x.kind == Source::Kind::c) continue;
        keep([&](DotInput& in) {
          against_c(in, true);
          set(in, x, false);
        });
      }
    }
  }

  /// Anything anywhere.
  void mix(DotInput& in) {
    const auto change = [&](const FormatInfo& f, Pattern& p) {
      switch (word() % 8) {
        case 0:
        case 1:
          if (f.has_nan()) p = nan(f, word() % 2 == 0);
          break;
        case 2:
          if (f.has_infinity()) p = infinity_pattern(f) | (word() % 2 == 0 ? 0 : sign_pattern(f));
          break;
        case 3:
          p = zero_pattern(f, word() % 2 == 0);
          break;
        default:
          break;
      }
    };
    for (Pattern& p : in.a) change(a_, p);
    for (Pattern& p : in.b) change(b_, p);
    if (model_.formats.c) change(c_, in.c);
  }

  void set(DotInput& in, const Source& x, bool quiet) {
    switch (x.kind) {
      case Source::Kind::a:
        in.a[x.place] = nan(a_, quiet);
        break;
      case Source::Kind::b:
        in.b[x.place] = nan(b_, quiet);
        break;
      case Source::Kind::c:
        in.c = nan(c_, quiet);
        break;
      case Source::Kind::zero_times_infinity:
        in.a[x.place] = 0;
        in.b[x.place] = infinity_pattern(b_);
        break;
      case Source::Kind::infinity_times_zero:
        in.a[x.place] = infinity_pattern(a_);
        in.b[x.place] = 0;
        break;
    }
  }

  bool set_infinity(DotInput& in, std::size_t place, bool negative) const {
    if (!a_.has_infinity() && !b_.has_infinity()) return false;
    const bool in_a = a_.has_infinity();
    const FormatInfo& f = in_a ? a_ : b_;
    (in_a ? in.a : in.b)[place] = infinity_pattern(f) | (negative ? sign_pattern(f) : 0);
    return true;
  }

  static Pattern one(const FormatInfo& f) { return floating_pattern(f, false, 0, 0); }

  Pattern nan(const FormatInfo& f, bool quiet) {
    if (f.specials == Specials::nan_at_zero) return sign_pattern(f);
    const Pattern all = (Pattern{1} << f.fraction_bits) - 1;
    const Pattern top = Pattern{1} << (f.fraction_bits - 1);
    Pattern fraction = f.specials == Specials::nan_only ? all : word() & (all >> 1);
    if (f.specials == Specials::ieee && !quiet && fraction == 0) fraction = top >> 1;
    if (quiet) fraction |= top;
    return infinity_pattern(f) | fraction << f.ignored_low_bits | (word() % 2 == 0 ? 0 : sign_pattern(f));
  }

  const UnitModel& model_;
  Evaluator evaluator_;
  FormatInfo a_, b_, c_;
  std::vector<std::size_t> places_;
  std::vector<Source> sources_;
  std::vector<DotInput> inputs_;
};

}  // namespace

std::vector<DotInput> nan_inputs(const UnitModel& model) {
  if (info(model.formats.d).is_integer()) return {};
  return Maker(model)();
}

}  // namespace mmaprint
