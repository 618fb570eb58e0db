#include "model/finite_blocks.h"

#include <array>

#include "model/flat_evaluator.h"
#include "model/heads.h"
#include "model/nan_behaviour.h"

namespace mmaprint {
namespace {

template <std::size_t Width>
class BlocksOf final : public FiniteBlocks {
 public:
  explicit BlocksOf(const FlatUnit& unit)
      : unit_(unit),
        evaluator_(unit_),
        a_(&heads_of(unit.widths.a, unit.conventions.input_subnormals)),
        b_(&heads_of(unit.widths.b, unit.conventions.input_subnormals)) {}

  [[nodiscard]] std::optional<Pattern> operator()(std::span<const Pattern> a, std::span<const Pattern> b,
                                                  Pattern c) const override {
    std::array<Heads::Prepared, FlatUnit::kMostProducts> pa, pb;  // NOLINT(*-member-init): filled below
    Heads::Prepared seen = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const auto index = static_cast<std::size_t>(evaluator_.index_at(static_cast<int>(k)));
      pa[k] = (*a_)(a[index], seen);
      pb[k] = (*b_)(b[index], seen);
    }
    if (!a_->all_plain(seen)) return std::nullopt;
    return evaluator_.finite(pa.data(), pb.data(), c);
  }

 private:
  FlatUnit unit_;
  BlockEvaluator<Width> evaluator_;
  const Heads* a_;
  const Heads* b_;
};

}  // namespace

std::shared_ptr<const FiniteBlocks> FiniteBlocks::of(const UnitModel& model) {
  const int width = block_width(model);
  if (width == 0 || !constant_nan(model.nan)) return nullptr;
  const auto unit = flat_unit(model);
  if (!unit) return nullptr;
  switch (width) {
    case 4:
      return std::make_shared<const BlocksOf<4>>(*unit);
    case 8:
      return std::make_shared<const BlocksOf<8>>(*unit);
    case 16:
      return std::make_shared<const BlocksOf<16>>(*unit);
    default:
      return std::make_shared<const BlocksOf<32>>(*unit);
  }
}

}  // namespace mmaprint
