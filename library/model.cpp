#include "mmaprint/model.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "device/catalogue.h"
#include "device/open.h"
#include "inference/check.h"
#include "library/conversion.h"
#include "library/model_access.h"
#include "model/batch_evaluator.h"
#include "report/model_text.h"

namespace mmaprint {
inline namespace api {

struct Model::State {
  explicit State(AnyModel what) : model(std::move(what)), shape(instruction_of(model)) {}

  /// Made when it is first asked for: models that nobody evaluates are not prepared for it.
  const BatchEvaluator& evaluator() const {
    std::call_once(prepared_,
                   [this] { evaluator_ = std::make_unique<BatchEvaluator>(std::get<UnitModel>(model)); });
    return *evaluator_;
  }

  /// d of n inputs of a full model, by all cores.
  std::vector<Pattern> results(const PatternRows& rows, std::size_t n) const {
    constexpr std::size_t kTogether = 1 << 13;  // inputs that one thread takes at a time
    const auto k = static_cast<std::size_t>(shape.k);
    const BatchEvaluator& of = evaluator();
    std::vector<Pattern> d(n);
    in_parallel((n + kTogether - 1) / kTogether, threads_of(0), [&](std::size_t part) {
      const std::size_t first = part * kTogether, count = std::min(kTogether, n - first);
      of({rows.a.from(first * k, count * k), rows.b.from(first * k, count * k),
          rows.c.empty() ? Elements() : rows.c.from(first, count)},
         std::span(d).subspan(first, count));
    });
    return d;
  }

  AnyModel model;
  Instruction shape;

 private:
  mutable std::once_flag prepared_;
  mutable std::unique_ptr<BatchEvaluator> evaluator_;
};

Model ModelAccess::wrapped(AnyModel model) {
  return Model(std::make_shared<const Model::State>(std::move(model)));
}
const AnyModel& ModelAccess::any(const Model& model) { return model.state_->model; }

Model Model::open(const std::string& spec) {
  return with_public_errors([&] { return ModelAccess::wrapped(open_model(spec)); });
}

Model Model::from_json(std::string_view text) {
  return with_public_errors([&] { return ModelAccess::wrapped(model_from_text(text, "model")); });
}

const std::string& Model::instruction() const { return state_->shape.name; }
int Model::k() const { return state_->shape.k; }
Formats Model::formats() const { return public_formats(state_->shape.formats); }
bool Model::is_partial() const { return std::holds_alternative<PartialModel>(state_->model); }

std::string Model::to_json() const {
  return json_line(std::visit([](const auto& m) { return mmaprint::to_json(m); }, state_->model));
}

std::string Model::features_json() const {
  const Json document = std::visit([](const auto& m) { return mmaprint::to_json(m); }, state_->model);
  return json_line(document.at("features"));
}

std::string Model::text() const { return model_text(state_->model, Style()); }

std::vector<std::uint64_t> Model::operator()(const InputBatch& inputs) const {
  return with_public_errors([&] {
    (void)full(*this, "model");
    const Signature& of = state_->shape.formats;
    if (of.has_scales()) return state_->evaluator()(unpacked(inputs, of, k()));
    require_inputs(inputs, of, k());
    return state_->results({std::span(inputs.a), std::span(inputs.b), std::span(inputs.c)}, inputs.n);
  });
}

std::vector<std::uint64_t> Model::operator()(const InputView& inputs) const {
  return with_public_errors([&] {
    (void)full(*this, "model");
    return state_->results(required_rows(inputs, state_->shape.formats, k()), inputs.n);
  });
}

std::uint64_t Model::operator()(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                                std::uint64_t c) const {
  return (*this)(InputBatch{1, a, b, {c}, {}, {}}).front();
}

bool Model::equals(const Model& other) const { return state_->model == other.state_->model; }

std::vector<std::string> catalogued_names() {
  std::vector<std::string> names;
  for (const CataloguedUnit& unit : catalogued_units())
    for (const UnitModel& model : catalogued_models(unit.name))
      names.push_back("sim:" + std::string(unit.name) + "#" + model.instruction);
  return names;
}

}  // namespace api

const UnitModel& full(const Model& model, const char* name) {
  if (const auto* unit = std::get_if<UnitModel>(&ModelAccess::any(model))) return *unit;
  throw BadInput(std::string(name) + ": unit: expected a full model, as a partial one has no results");
}

}  // namespace mmaprint
