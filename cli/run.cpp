#include "cli/run.h"

#include <filesystem>

#include "cli/commands.h"
#include "cli/output.h"

namespace mmaprint {
namespace {

struct Runner {
  Session& session;
  ExitCode operator()(const DevicesCommand& c) const { return run_devices(c, session); }
  ExitCode operator()(const IdentifyCommand& c) const { return run_identify(c, session); }
  ExitCode operator()(const CheckCommand& c) const { return run_check(c, session); }
  ExitCode operator()(const DistinguishCommand& c) const { return run_distinguish(c, session); }
  ExitCode operator()(const SimulateCommand& c) const { return run_simulate(c, session); }
  ExitCode operator()(const ValidateCommand& c) const { return run_validate(c, session); }
  ExitCode operator()(const VerifyCommand& c) const { return run_verify(c, session); }
  ExitCode operator()(const ShowCommand& c) const { return run_show(c, session); }
  ExitCode operator()(const ExportCommand& c) const { return run_export(c, session); }
};

/// The files that a command reads, where its words are names of files.
struct Inputs {
  using Names = std::vector<std::string>;
  Names operator()(const DevicesCommand& c) const { return {c.device.value_or("")}; }
  Names operator()(const IdentifyCommand& c) const { return {c.device, c.assume.value_or("")}; }
  Names operator()(const CheckCommand& c) const {
    Names all = c.observations;
    all.insert(all.end(), c.gemm.begin(), c.gemm.end());
    all.push_back(c.model);
    return all;
  }
  Names operator()(const DistinguishCommand& c) const { return {c.first, c.second}; }
  Names operator()(const SimulateCommand& c) const { return {c.model, c.observations}; }
  Names operator()(const ValidateCommand& c) const { return {c.model, c.device}; }
  Names operator()(const VerifyCommand& c) const { return {c.certificate}; }
  Names operator()(const ShowCommand& c) const { return {c.model}; }
  Names operator()(const ExportCommand& c) const { return {c.model}; }
};

/// Where a file is or would be made, whatever its name leads through.
std::filesystem::path place_of(const std::filesystem::path& name) {
  std::error_code unknown;
  const auto whole = std::filesystem::absolute(name, unknown);
  const auto place = std::filesystem::weakly_canonical(whole, unknown);
  return unknown ? whole.lexically_normal() : place;
}

/// A result must not replace what it comes from.
void require_output_apart(const Arguments& arguments) {
  if (!arguments.common.output) return;
  namespace fs = std::filesystem;
  const fs::path output = *arguments.common.output;
  std::error_code ignored;
  // A pipe or a terminal may be read and written; what is there or will be is one file by whatever name.
  Inputs::Names names;
  if (fs::is_regular_file(output, ignored)) names = std::visit(Inputs{}, arguments.command);
  if (arguments.common.journal) names.push_back(*arguments.common.journal);
  for (std::string name : names) {
    for (const std::string_view prefix : {"replay:", "model:"})
      if (name.starts_with(prefix)) name.erase(0, prefix.size());
    if (fs::equivalent(name, output, ignored) || place_of(name) == place_of(output))
      throw BadInput("-o: expected another file than " + name + ", which the command uses");
  }
}

}  // namespace

ExitCode run(const std::variant<Arguments, Answer>& parsed) {
  if (const auto* answer = std::get_if<Answer>(&parsed)) {
    Output out;
    out.write(answer->text);
    out.finish();
    return ExitCode::yes;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  require_output_apart(arguments);
  Session session(arguments.common);
  return std::visit(Runner{session}, arguments.command);
}

}  // namespace mmaprint
