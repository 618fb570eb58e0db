// Spaces and sets of hypotheses as JSON, both ways: for journals, certificates and identification documents.
#pragma once

#include "base/json_source.h"
#include "inference/assumption.h"
#include "model/instruction.h"

namespace mmaprint {

class JsonReader;

/// How the values of a set are written: one by one, or runs of four integers and more as {"from":..,"to":..}.
enum class Runs : std::uint8_t { listed, merged };
/// A parameter's values as its feature spells them; `null` for none.
[[nodiscard]] Json to_json(Parameter parameter, const ValueSet& values, Runs runs);

/// The index of a parameter's value that stands here. Throws FieldError.
[[nodiscard]] int parameter_value_from_json(const JsonReader& from, Parameter parameter);

/// How many hypotheses: from 2^53 on the nearest number of 53 bits, as not every reader of JSON knows more.
[[nodiscard]] Json count_to_json(const Count& n);

/// A skeleton's fields (model/skeleton_json.h), "parameters":{name:[values]}, and
/// "nan":.. or null while any is possible.
[[nodiscard]] Json to_json(const Space& space, const HypothesisSet& set);
/// The inverse. Throws FieldError; also for skeletons that the space lacks.
[[nodiscard]] HypothesisSet set_from_json(const JsonReader& from, const Space& space);

/// {"hypotheses":N,"skeletons":[..],"parameters":{..},"nan":"any","assumed":{features}}
[[nodiscard]] Json to_json(const Search& search);
/// The same with another list of skeletons.
[[nodiscard]] Json to_json(const Search& search, Json skeletons);
/// The inverse, for the instruction that it is about. Throws FieldError and BadInput.
[[nodiscard]] Search search_from_json(const JsonReader& from, const Instruction& instruction);

}  // namespace mmaprint
