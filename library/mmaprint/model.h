// A model: how a matrix-multiply unit computes, or a hypothesis about it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mmaprint/batch.h"
#include "mmaprint/formats.h"

namespace mmaprint {
inline namespace api {

/// A value: copies are cheap and share what does not change; several threads may use one.
class Model {
 public:
  /// Whatever the commands take for a MODEL: a model file, an identification document, a certificate
  /// directory, or "sim:DEVICE#INSTRUCTION". Throws InputError.
  [[nodiscard]] static Model open(const std::string& spec);
  /// A model document or an identification document as text. Throws InputError, with the text's line.
  [[nodiscard]] static Model from_json(std::string_view text);

  [[nodiscard]] const std::string& instruction() const;
  /// Products.
  [[nodiscard]] int k() const;
  [[nodiscard]] Formats formats() const;
  /// It states some features, and leaves the others free; then there is nothing to evaluate.
  [[nodiscard]] bool is_partial() const;

  /// The document `mmaprint/model/1` (docs/models.md), on one line without its end.
  [[nodiscard]] std::string to_json() const;
  /// Its object `features`; of a partial model those that it states.
  [[nodiscard]] std::string features_json() const;
  /// For people: the tree, each adder's datapath, the features. UTF-8, lines of some 100 columns.
  [[nodiscard]] std::string text() const;

  /// d of each input: n patterns, by all cores. Throws InputError for a partial model, and for a batch that
  /// does not have the model's shape or patterns that are wider than their formats.
  [[nodiscard]] std::vector<std::uint64_t> operator()(const InputBatch& inputs) const;
  /// The same of arrays as they are, without a copy. Throws also for a unit with scales.
  [[nodiscard]] std::vector<std::uint64_t> operator()(const InputView& inputs) const;
  /// d of one input: a and b have K patterns each. For units with c and without scales; throws as above.
  [[nodiscard]] std::uint64_t operator()(const std::vector<std::uint64_t>& a,
                                         const std::vector<std::uint64_t>& b, std::uint64_t c) const;

  /// The same instruction, formats and unit (or stated features).
  friend bool operator==(const Model& left, const Model& right) { return left.equals(right); }

 private:
  friend struct ModelAccess;
  struct State;
  explicit Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  [[nodiscard]] bool equals(const Model& other) const;

  std::shared_ptr<const State> state_;
};

/// The names that Model::open knows of catalogued units: "sim:a100#mma.m16n8k8.f32.f16.f16.f32", ...
[[nodiscard]] std::vector<std::string> catalogued_names();

}  // namespace api
}  // namespace mmaprint
