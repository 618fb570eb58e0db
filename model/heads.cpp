#include "model/heads.h"

#include "base/contracts.h"
#include "model/concrete.h"
#include "model/datapath.h"
#include "model/format_table.h"
#include "model/memo.h"
#include "model/one_treatment.h"

namespace mmaprint {
namespace {

Heads::Prepared prepared(const FormatInfo& f, Subnormals subnormals, Pattern pattern) {
  OneTreatment source{subnormals};
  const Concrete<std::uint64_t, OneTreatment> algebra(source);
  const auto x = Datapath::read_operand<Parameter::input_subnormals>(algebra, f, {pattern});
  return PreparedOperand::of(x);
}

}  // namespace

const Heads& heads_of(const FormatInfo& f, Subnormals subnormals) {
  MMAPRINT_EXPECTS(f.precision() <= PreparedOperand::kSignificandBits);
  constexpr std::size_t kFormats = kFormatTable.size(), kTreatments = kOperandSubnormalsWords.size();
  static Memo<Heads, kFormats * kTreatments> heads;
  return heads.at(static_cast<std::size_t>(f.id) * kTreatments + static_cast<std::size_t>(subnormals),
                  [&] { return Heads(f, [&](Pattern p) { return prepared(f, subnormals, p); }); });
}

}  // namespace mmaprint
