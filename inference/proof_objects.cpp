#include "inference/proof_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "inference/lemmas_json.h"
#include "inference/plain_form.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "model/alike_nodes.h"
#include "model/json_reader.h"
#include "model/parameter_json.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostProofSteps = 100'000;

constexpr std::string_view kIdleValues = "idle values";
constexpr std::string_view kSameLastPlace = "same last place";
/// By `Inputs`: why no others need be asked about.
constexpr std::array<std::string_view, 3> kTheoremsOfInputs{"", "only subnormal c matters",
                                                            "a subnormal c is lost"};
constexpr std::array<std::string_view, 5> kZeros{"same", "positive", "any", "left-positive",
                                                 "right-positive"};
constexpr std::array<std::string_view, 2> kProducts{"exact", "free"};
constexpr std::array<std::string_view, 2> kPlaces{"before", "after"};
constexpr std::string_view kModelWord = "model";
constexpr std::string_view kBothDirections = "both directions";
constexpr std::string_view kSameNodes = "same nodes";
constexpr std::string_view kAnyOrder = "any order";
constexpr std::string_view kPlainForm = "plain form", kPlainWord = "plain";

UnitModel begin_of(const Space& space, const HypothesisSet& set, const UnitModel& model) {
  return space.model(set.skeleton, nearest(set.box, model), set.nan ? set.nan : constant_nan(model.nan));
}

class StepsWriter {
 public:
  StepsWriter(const Space& space, const UnitModel& model, StoredQuestions& questions)
      : space_(space), model_(model), questions_(questions) {}

  Json operator()(const HypothesisSet& set, const Derivation& derivation) {
    Json steps = Json::array();
    const ParameterValues target = nearest(set.box, model_);
    for (const SetStep& step : derivation.sets) steps.push_back(of_set(step, target, set.box.classes()));
    UnitModel at = begin_of(space_, set, model_);
    for (const ModelStep& step : derivation.models) {
      const bool left_first = step.left == at;
      const UnitModel& next = left_first ? step.right : step.left;
      steps.push_back(of_models(step, at, next, left_first));
      at = next;
    }
    return steps;
  }

 private:
  Json of_set(const SetStep& step, const ParameterValues& target, int classes) {
    if (!step.parameter) return {{"theorem", kIdleValues}};
    const ParameterKey key = *step.parameter;
    Json json{{"parameter", name_of(key, classes)},
              {"value", value_to_json(info(key.parameter), value_index(target, key))}};
    add(json, step.by);
    return json;
  }

  Json of_models(const ModelStep& step, const UnitModel& at, const UnitModel& next, bool left_first) {
    if (std::holds_alternative<ByOrder>(step.by)) return {{"order", kModelWord}, {"theorem", kAnyOrder}};
    if (std::holds_alternative<ByPlainForm>(step.by) && next != model_)
      return {{"form", kPlainWord}, {"theorem", kPlainForm}};
    Json json = way(at, next);
    if (const auto* by = std::get_if<ByQuestions>(&step.by)) {
      json["left"] = kPlaces[left_first ? 0 : 1];
      add(json, *by);
    } else if (const auto* clamp = std::get_if<ByClamp>(&step.by)) {
      json["theorem"] = kSameLastPlace;
      json["class"] = clamp->of_class;
    } else {
      json["theorem"] = std::holds_alternative<BySameNodes>(step.by)   ? kSameNodes
                        : std::holds_alternative<ByPlainForm>(step.by) ? kPlainForm
                                                                       : kIdleValues;
    }
    return json;
  }

  Json way(const UnitModel& at, const UnitModel& next) const {
    if (next == model_) return {{"to", kModelWord}};
    if (has_the_same_nodes(at, next)) return {{"classes", classes_of_nodes(next.tree)}};
    if (with_classes(model_, classes_of_nodes(next.tree)) == next)
      return {{"to", {{"classes", classes_of_nodes(next.tree)}}}};
    if (skeleton_of(at) != skeleton_of(next) || at.nan != next.nan) {
      if (const auto plain = plain_unit(model_);
          plain && with_classes(*plain, classes_of_nodes(next.tree)) == next)
        return {{"to", {{"classes", classes_of_nodes(next.tree)}, {"form", kPlainWord}}}};
      const auto place = std::ranges::find(space_.skeletons, skeleton_of(next));
      if (place == space_.skeletons.end()) throw std::logic_error("a step leads out of the space");
      const HypothesisSet one{static_cast<int>(place - space_.skeletons.begin()), Box(values_of(next)),
                              constant_nan(next.nan)};
      return {{"to", to_json(space_, one)}};
    }
    const ParameterValues x = values_of(at), y = values_of(next);
    const int classes = static_cast<int>(y.adders.size());
    Json change = Json::object();
    for (const ParameterKey& key : all_keys(classes))
      if (value_index(x, key) != value_index(y, key))
        change[name_of(key, classes)] = value_to_json(info(key.parameter), value_index(y, key));
    return {{"change", std::move(change)}};
  }

  void add(Json& json, const ByQuestions& by) {
    if (by.inputs != Inputs::all) json["theorem"] = kTheoremsOfInputs[static_cast<std::size_t>(by.inputs)];
    Json& list = json["questions"] = Json::array();
    for (const ProvedQuestion& q : by.proved) {
      Json question = Json::object();
      const FormulaKind& formula = formula_of(q.question);
      const auto* node = std::get_if<NodeQuestion>(&q.question);
      if (node != nullptr)
        question = {{"node", node->node},
                    {"zeros", kZeros[static_cast<std::size_t>(node->facts.zeros)]},
                    {"no_subnormals", node->facts.no_subnormals}};
      if (node != nullptr || formula.products != Products::exact)
        question["products"] = kProducts[static_cast<std::size_t>(formula.products)];
      if (!formula.lemmas.empty()) question["lemmas"] = lemmas_to_json(formula.lemmas);
      if (formula.gates == GateClauses::both) question["gates"] = kBothDirections;
      question["formula"] = q.refuted ? Json(questions_.number_of(q.refuted)) : Json(nullptr);
      list.push_back(std::move(question));
    }
  }

  const Space& space_;
  const UnitModel& model_;
  StoredQuestions& questions_;
};

class StepsReader {
 public:
  StepsReader(const Space& space, const UnitModel& model, const FormulaOf& formula_of)
      : space_(space), model_(model), formula_of_(formula_of) {}

  Derivation operator()(const JsonReader& from, const HypothesisSet& set) {
    Derivation derivation;
    const ParameterValues target = nearest(set.box, model_);
    std::optional<UnitModel> at = begin_of(space_, set, model_);
    for (const JsonReader& step : from.elements(kMostProofSteps)) {
      if (!at) step.fail("no step beyond the model");
      if (step.find("change") || step.find("classes") || step.find("form") || step.find("order") ||
          step.find("to"))
        derivation.models.push_back(of_models(step, at));
      else if (derivation.models.empty())
        derivation.sets.push_back(of_set(step, target, set.box.classes()));
      else
        step.fail("steps of the set before those of models");
    }
    return derivation;
  }

 private:
  SetStep of_set(const JsonReader& step, const ParameterValues& target, int classes) {
    const auto parameter = step.find("parameter");
    if (!parameter) {
      step.only({"theorem"});
      if (step.at("theorem").json() != kIdleValues) step.at("theorem").fail(in_quotes(kIdleValues));
      return {std::nullopt};
    }
    step.only({"parameter", "value", "theorem", "questions"});
    const auto keys = all_keys(classes);
    const auto key = std::ranges::find_if(
        keys, [&](const ParameterKey& k) { return name_of(k, classes) == parameter->text(); });
    if (key == keys.end()) parameter->fail("a parameter's name");
    if (parameter_value_from_json(step.at("value"), key->parameter) != value_index(target, *key))
      step.at("value").fail("the value of the set's hypothesis nearest to the model");
    return {*key, questions(step)};
  }

  ModelStep of_models(const JsonReader& step, std::optional<UnitModel>& at) {
    const UnitModel before = *at;
    if (step.find("order")) return of_order(step, *at);
    const UnitModel after = go_on(step, at);
    if (step.find("questions")) {
      step.only({"change", "to", "left", "theorem", "questions"});
      ByQuestions by = questions(step);
      return step.at("left").word(kPlaces) == 0 ? ModelStep{before, after, std::move(by)}
                                                : ModelStep{after, before, std::move(by)};
    }
    if (step.at("theorem").json() == kSameLastPlace) {
      step.only({"change", "to", "theorem", "class"});
      const int classes = static_cast<int>(values_of(before).adders.size());
      return {before, after, ByClamp{step.at("class").integer(0, classes - 1)}};
    }
    step.only({"change", "classes", "form", "to", "theorem"});
    if (step.at("theorem").json() == kSameNodes) return {before, after, BySameNodes{}};
    if (step.at("theorem").json() == kPlainForm) return {before, after, ByPlainForm{}};
    if (step.at("theorem").json() != kIdleValues)
      step.at("theorem").fail(fmt::format("\"{}\", \"{}\", \"{}\" or \"{}\"", kIdleValues, kSameLastPlace,
                                          kSameNodes, kPlainForm));
    return {before, after, ByIdleValues{}};
  }

  /// To the model's order of operands.
  ModelStep of_order(const JsonReader& step, UnitModel& at) const {
    step.only({"order", "theorem"});
    if (step.at("order").json() != kModelWord) step.at("order").fail(in_quotes(kModelWord));
    if (step.at("theorem").json() != kAnyOrder) step.at("theorem").fail(in_quotes(kAnyOrder));
    const UnitModel before = std::exchange(at, ordered_as(at, model_));
    return {before, at, ByOrder{}};
  }

  /// The step's other model; `at` is where it is then, none for the model itself.
  UnitModel go_on(const JsonReader& step, std::optional<UnitModel>& at) {
    constexpr std::array<const char*, 4> kWays{"to", "change", "classes", "form"};
    if (std::ranges::count_if(kWays, [&](const char* way) { return step.find(way).has_value(); }) != 1)
      step.fail("one of change, classes, form, order and to");
    if (const auto classes = step.find("classes")) {
      at = in_classes(*at, *classes);
    } else if (const auto form = step.find("form")) {
      if (std::exchange(has_taken_plain_form_, true)) form->fail("one step to the plain form");
      at = in_plain_form(*at, *form);
    } else if (const auto to = step.find("to")) {
      if (to->json() == kModelWord) {
        at.reset();
        return model_;
      }
      at = to->json().is_object() && to->find("classes") ? of_model(*to) : one_of_space(*to);
    } else {
      ParameterValues values = values_of(*at);
      change(step.at("change"), values);
      at->adders = values.adders;
      at->conventions = values.conventions;
    }
    try {
      validate(*at);
    } catch (const std::invalid_argument& error) {
      step.fail(std::string("a legal unit (") + error.what() + ")");
    }
    return *at;
  }
  [[nodiscard]] UnitModel one_of_space(const JsonReader& to) const {
    const HypothesisSet one = set_from_json(to, space_);
    if (one.box.size() != 1) to.fail("one hypothesis");
    return space_.model(one.skeleton, one.box.lowest(), one.nan);
  }
  /// The model, or its plain form, with its nodes in these classes.
  [[nodiscard]] UnitModel of_model(const JsonReader& to) const {
    to.only({"classes", "form"});
    const auto form = to.find("form");
    return in_classes(form ? in_plain_form(model_, *form) : model_, to.at("classes"));
  }
  static UnitModel in_plain_form(const UnitModel& model, const JsonReader& form) {
    if (form.json() != kPlainWord) form.fail(in_quotes(kPlainWord));
    auto plain = plain_unit(model);
    if (!plain) form.fail("a unit that has a plain form");
    return *std::move(plain);
  }
  /// The same unit with its nodes in these classes.
  static UnitModel in_classes(const UnitModel& model, const JsonReader& from) {
    NodeClasses classes;
    for (const JsonReader& of_node : from.elements(kMostProofSteps))
      classes.push_back(of_node.integer(0, kMostClasses - 1));
    auto renamed = with_classes(model, classes);
    if (!renamed)
      from.fail("the class of each node, numbered as they come, nodes of one class with the same parameters");
    return *std::move(renamed);
  }

  static void change(const JsonReader& from, ParameterValues& values) {
    if (!from.json().is_object()) from.fail("an object");
    const int classes = static_cast<int>(values.adders.size());
    std::size_t known = 0;
    for (const ParameterKey& key : all_keys(classes)) {
      const auto value = from.find(name_of(key, classes));
      if (!value) continue;
      ++known;
      set_value(values, key, parameter_value_from_json(*value, key.parameter));
    }
    if (known != from.json().size()) from.fail("names of parameters alone");
  }

  ByQuestions questions(const JsonReader& step) const {
    ByQuestions by;
    if (const auto theorem = step.find("theorem"))
      by.inputs = static_cast<Inputs>(1 + theorem->word(std::span(kTheoremsOfInputs).subspan(1)));
    for (const JsonReader& item : step.at("questions").elements(kMostProofSteps)) {
      item.only({"node", "products", "zeros", "no_subnormals", "lemmas", "gates", "formula"});
      ProvedQuestion proved{UnitQuestion{}};
      FormulaKind formula;
      // Products are as they are where a question about units does not say.
      if (item.find("node") || item.find("products") || item.find("lemmas"))
        formula = {read_word<Products>(item.at("products"), kProducts), lemmas_from_json(item)};
      if (const auto gates = item.find("gates")) {
        (void)gates->word(std::span(&kBothDirections, 1));
        formula.gates = GateClauses::both;
      }
      if (const auto node = item.find("node")) {
        if (!item.at("no_subnormals").json().is_boolean()) item.at("no_subnormals").fail("true or false");
        proved.question = NodeQuestion{static_cast<std::size_t>(node->integer(0, kLargestK)),
                                       {read_word<EarlierZeros>(item.at("zeros"), kZeros),
                                        item.at("no_subnormals").json().get<bool>(), by.inputs},
                                       std::move(formula)};
      } else {
        item.only({"products", "lemmas", "gates", "formula"});
        proved.question = UnitQuestion{{}, std::move(formula)};
      }
      if (const JsonReader formula = item.at("formula"); !formula.is_null()) {
        (void)formula.integer(1, kMostFormulas);
        proved.refuted = formula_of_(formula);
      }
      by.proved.push_back(std::move(proved));
    }
    return by;
  }

  const Space& space_;
  const UnitModel& model_;
  const FormulaOf& formula_of_;
  bool has_taken_plain_form_ = false;
};

}  // namespace

std::string formula_file(std::size_t number) {
  return fmt::format("{}/{:03}.cnf.gz", kQuestionsFolder, number);
}
std::string refutation_file(std::size_t number) {
  return fmt::format("{}/{:03}.drat.gz", kQuestionsFolder, number);
}

std::size_t StoredQuestions::number_of(const std::shared_ptr<const RefutedFormula>& refuted) {
  const auto [place, is_new] = numbers_.try_emplace(refuted->cnf, all_.size() + 1);
  if (is_new) {
    all_.push_back(refuted);
    bytes_ += refuted->cnf.size() + refuted->proof.size();
  }
  return place->second;
}

Json steps_to_json(const Space& space, const HypothesisSet& set, const UnitModel& model,
                   const Derivation& derivation, StoredQuestions& questions) {
  return StepsWriter(space, model, questions)(set, derivation);
}

Derivation steps_from_json(const JsonReader& from, const Space& space, const HypothesisSet& set,
                           const UnitModel& model, const FormulaOf& formula_of) {
  return StepsReader(space, model, formula_of)(from, set);
}

}  // namespace mmaprint
