#include <fmt/format.h>
#include <z3++.h>

#include <stdexcept>

#include "emit/emit.h"
#include "exports/files.h"

namespace mmaprint::test {
Run run_smt2(const std::vector<ExportCase>& cases) {
  Results all;
  for (const ExportCase& one : cases) {
    z3::context context;
    const UnitModel& model = one.of.model;
    std::string inputs, arguments;
    z3::expr_vector variables(context);
    const auto declare = [&](const std::string& name, Format format) {
      const int bits = info(format).container_bits;
      inputs += fmt::format("(declare-const {} (_ BitVec {}))\n", name, bits);
      arguments += " " + name;
      variables.push_back(context.bv_const(name.c_str(), static_cast<unsigned>(bits)));
    };
    const auto roles = input_roles(model.formats, model.k);
    for (const auto& [role, format, count] : roles)
      for (std::size_t i = 0; i < count; ++i)
        declare(fmt::format("in_{}{}", mmaprint::name(role), i), format);
    const int d_bits = info(model.formats.d).container_bits;
    const std::string text = emit::to_smt2(model, {one.of.what, "test"}) + inputs +
                             fmt::format("(declare-const out_d (_ BitVec {}))\n(assert (= out_d ({}{})))\n",
                                         d_bits, model.instruction, arguments);
    const z3::expr_vector assertions = context.parse_string(text.c_str());
    if (assertions.size() != 1) throw std::runtime_error("Z3 read no assertion of " + one.of.what);
    const z3::expr definition = assertions[0].arg(1);
    std::vector<Pattern> results;
    for (const DotInput& x : one.inputs) {
      z3::expr_vector values(context);
      for (const RolePatterns& role : roles)
        for (const Pattern p : x.of(role.role))
          values.push_back(context.bv_val(p, static_cast<unsigned>(info(role.format).container_bits)));
      z3::expr whole = definition;
      results.push_back(whole.substitute(variables, values).simplify().get_numeral_uint64());
    }
    all.push_back(std::move(results));
  }
  return all;
}

}  // namespace mmaprint::test
