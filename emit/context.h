// What the steps of a unit's program share while it is made: the model, its plan, records and functions.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "emit/build.h"
#include "model/plan.h"
#include "model/unit_model.h"

namespace mmaprint::emit {

/// Numbers of a format as a record: sign, exponent, integer significand, and what is no number.
struct Number {
  FormatInfo format;  ///< its precision is the significand's width
  Type type;
  bool has_nan = false, has_infinity = false;
};
/// An expression that is such a number.
struct NumberExpr {
  Number of;
  Expr value;

  [[nodiscard]] Expr negative() const { return field(value, "negative", boolean()); }
  [[nodiscard]] Expr exponent() const { return field(value, "exponent", exponent_type()); }
  [[nodiscard]] Expr significand() const {
    return field(value, "significand", natural(of.format.precision()));
  }
  [[nodiscard]] Expr nan() const { return of.has_nan ? field(value, "nan", boolean()) : truth(false); }
  [[nodiscard]] Expr infinite() const {
    return of.has_infinity ? field(value, "infinite", boolean()) : truth(false);
  }
};

/// The NaN that travels with a number where a rule says which goes on.
struct NanExpr {
  Expr negative, payload, signalling, own;
};

class Context {
 public:
  explicit Context(const UnitModel& model);

  const UnitModel& model;
  Plan plan;
  Program program;

  /// The rule for NaNs, nullptr if there is none.
  [[nodiscard]] const NanRule* nan_rule() const { return std::get_if<NanRule>(&model.nan); }
  /// Bits of a NaN's payload, its top bit first: as many as the widest fraction has.
  [[nodiscard]] int payload_bits() const { return payload_bits_; }

  /// The record of numbers of a format.
  [[nodiscard]] Number number_of(const FormatInfo& format, bool has_nan, bool has_infinity);
  /// Of results of nodes, which have all specials.
  [[nodiscard]] Number result_of(const FormatInfo& format) { return number_of(format, true, true); }
  /// A number with its fields; those that its record has not are left out.
  [[nodiscard]] Expr make_number(const Number& number, const Expr& negative, const Expr& exponent,
                                 const Expr& significand, const Expr& nan, const Expr& infinite,
                                 const NanExpr* travelling = nullptr) const;
  [[nodiscard]] NanExpr travelling_nan(const Expr& number) const;
  [[nodiscard]] NanExpr no_nan() const;

  /// The record of that name, made if there is none.
  void add_record(Record record);
  /// A name for a function that no other has.
  [[nodiscard]] std::string unique(const std::string& name);
  Callee add(Function function);

 private:
  int payload_bits_ = 0;
  std::map<std::string, int> names_;
};

/// "fp16" and the like, where a significand has other than the format's bits with their number.
[[nodiscard]] std::string name_of(const FormatInfo& format);

}  // namespace mmaprint::emit
