#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <thread>

#include "model/model_json.h"

namespace mmaprint {
namespace {

constexpr const char* kDescription = "Finds out how matrix-multiply units compute.";
constexpr const char* kFooter =
    R"(MODEL   a model file, an identification document, a certificate directory, or sim:NAME#INSTRUCTION
DEVICE  sim:NAME, model:FILE.json, replay:FILE.jsonl, exec:COMMAND, cuda:N or cpu (see `mmaprint devices`)

Exit: 0 yes, 1 no, 2 usage or bad input, 3 not known (limits, interrupted), 4 the device failed or is absent.
`mmaprint COMMAND --help` tells a command's own options.)";
constexpr const char* kCommandFooter =
    "Common options, described by `mmaprint --help`: --json, -o FILE, --journal FILE, --time-limit "
    "SECONDS,\n"
    "--max-observations N, --seed N, --threads N, --solver NAME, -v, -q, --no-progress, --color WHEN";

constexpr const char* kTrusted =
    R"(Nothing of the certificate is believed: observations are replayed over the whole space, formulas are made again
and compared with the stored ones, and stored proofs are checked. Trusted are, and nothing else:
- this program's evaluator, which replays the observations;
- its translation of units into formulas, and the arguments that make one question of many: node by node, bounds
  (ARCHITECTURE.md lists them with the tests that hold them against every input of small units);
- its check of proofs, by unit propagation: a few hundred lines, and any checker of DRAT can take its place;
- that the observations are the device's.
No solver is, unless --solve is given or the certificate holds no steps (one of before, or of Z3), which is said.
Then CaDiCaL's proofs are checked as they are made, and Z3 is believed.
)";

/// Commands that a later version has.
constexpr std::array kLater{"compare", "probe", "report"};

template <class T>
T number(const std::string& option, const std::string& text, T least, const char* expected) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = error == std::errc() && end == text.data() + text.size() && value >= least;
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
  if (!good) throw BadInput(option + ": expected " + expected + ", found " + in_quotes(text));
  return value;
}

/// One of a few words, each with its value.
template <class T>
T word(const std::string& option, const std::string& text,
       std::initializer_list<std::pair<const char*, T>> words) {
  std::string expected;
  for (const auto& [name, value] : words) {
    if (text == name) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  throw BadInput(option + ": expected one of " + expected + ", found " + in_quotes(text));
}

/// A count, also as in 1e10.
std::uint64_t count(const std::string& option, const std::string& text) {
  constexpr double kMost = 1e18;
  const double value = number(option, text, 1.0, "an integer from 1, as in 1000000 or 1e10");
  if (value > kMost || value != std::floor(value))
    throw BadInput(option + ": expected an integer from 1 to 1e18, found " + in_quotes(text));
  return static_cast<std::uint64_t>(value);
}

/// An option whose text `use` converts.
CLI::Option* add(CLI::App& app, const std::string& flags, const char* type, const std::string& what,
                 const std::function<void(const std::string&)>& use) {
  return app.add_option_function<std::string>(flags, use, what)->type_name(type);
}

void add_seconds(CLI::App& app, const std::string& flag, auto& value, const std::string& what) {
  add(app, flag, "SECONDS", what,
      [flag, &value](const std::string& text) { value = number(flag, text, 0.0, "seconds"); });
}

void add_formats(CLI::App& app, std::optional<Signature>& formats) {
  add(app, "--formats", "A,B,C,D",
      "formats of a, b, c and d where lines and names don't tell them; C is none where there is no c",
      [&formats](const std::string& text) { formats = formats_from_text(text); });
}

void add_dump(CLI::App& app, std::optional<std::string>& dump) {
  add(app, "--dump", "DIR",
      "write every hard query there, as SMT-LIB, DIMACS CNF and AIGER; a new or an empty directory",
      [&dump](const std::string& text) { dump = text; });
}

void add_common(CLI::App& app, CommonOptions& o) {
  app.add_flag("--json", o.json, "print one JSON document");
  add(app, "-o,--output", "FILE", "write there instead of to standard output; to *.json, the document",
      [&o](const std::string& text) { o.output = text; });
  add(app, "--journal", "FILE", "append every observation as it is made; given again, resume",
      [&o](const std::string& text) { o.journal = text; });
  add_seconds(app, "--time-limit", o.time_limit, "stop then, and print what is established");
  add(app, "--max-observations", "N", "for each instruction", [&o](const std::string& text) {
    o.max_observations = number("--max-observations", text, 0, "a count");
  });
  add(app, "--seed", "N", "of everything random (1)", [&o](const std::string& text) {
    o.seed = number("--seed", text, std::uint64_t{0}, "a number up to 2^64 - 1");
  });
  add(app, "--threads", "N", "(one for each core)",
      [&o](const std::string& text) { o.threads = std::min(number("--threads", text, 1, "a count"), 256); });
  add(app, "--solver", "NAME", "cadical or z3 (cadical)", [&o](const std::string& text) {
    o.solver = word<Solver>("--solver", text, {{"cadical", Solver::cadical}, {"z3", Solver::z3}});
  });
  app.add_flag("-v,--verbose", o.verbosity, "log what happens; twice, more of it");
  app.add_flag("-q,--quiet", o.quiet, "log errors only");
  app.add_flag("--no-progress", o.no_progress, "no progress line on a terminal");
  add(app, "--color", "WHEN", "auto, always or never (auto)", [&o](const std::string& text) {
    o.colour = word<Colour>(
        "--color", text, {{"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}});
  });
}

/// Everything that CLI11 writes into while it parses.
struct Parsed {
  CommonOptions common;
  DevicesCommand devices;
  IdentifyCommand identify;
  CheckCommand check;
  DistinguishCommand distinguish;
  SimulateCommand simulate;
  ValidateCommand validate;
  VerifyCommand verify;
  ShowCommand show;
  ExportCommand exported;
};

CLI::App* add_command(CLI::App& app, const char* name, const char* what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->fallthrough()->footer(kCommandFooter);
  return command;
}

void add_devices(CLI::App& app, DevicesCommand& c) {
  CLI::App& command = *add_command(app, "devices", "devices of this machine; with DEVICE, its instructions");
  command.add_option("DEVICE", c.device);
  add_formats(command, c.formats);
  add_seconds(command, "--device-timeout", c.device_timeout, "for each request to a child process (10)");
}

void add_identify(CLI::App& app, IdentifyCommand& c) {
  CLI::App& command = *add_command(app, "identify", "find the model(s) that remain: the main job");
  command.add_option("DEVICE", c.device)->required();
  CLI::Option* names = command.add_option("--instruction", c.instructions, "one or more")->type_name("NAME");
  command.add_flag("--all", c.all, "all instructions of the device")->excludes(names);
  add(command, "--assume", "F.json", "start from a model's features, a partial one's",
      [&c](const std::string& text) { c.assume = text; });
  add(command, "--certificate", "DIR", "write a certificate there, which `verify` re-checks",
      [&c](const std::string& text) { c.certificate = text; });
  add(command, "--validate", "N",
      "compare the model with the device on N dot products more, and go on from differences",
      [&c](const std::string& text) { c.vectors = count("--validate", text); });
  add(command, "--confirm", "MODEL", "confirm this model on the device, without a search",
      [&c](const std::string& text) { c.confirm = text; });
  add_seconds(command, "--time-limit-each", c.seconds_each, "for each instruction");
  add_dump(command, c.dump);
  add_formats(command, c.formats);
  add_seconds(command, "--device-timeout", c.device_timeout, "for each request to a child process (10)");
}

void add_check(CLI::App& app, CheckCommand& c) {
  CLI::App& command = *add_command(app, "check", "is the model consistent with what was observed?");
  command.add_option("MODEL", c.model)->required();
  CLI::Option* files = command.add_option("OBSERVATIONS", c.observations, "files; - is standard input");
  command.add_option("--gemm", c.gemm, "instead: a product of matrices, D = C + A·B, as .npy files")
      ->type_name("A B [C] D")
      ->expected(3, 4)
      ->excludes(files);
  add_formats(command, c.formats);
  command.add_flag("--pad-zeros", c.pad_zeros, "fill vectors that are shorter than the model's K with +0");
}

void add_distinguish(CLI::App& app, DistinguishCommand& c) {
  CLI::App& command = *add_command(app, "distinguish",
                                   "a minimal input on which two models differ, or proof that none exists");
  command.add_option("FIRST", c.first)->required()->type_name("MODEL");
  command.add_option("SECOND", c.second)->required()->type_name("MODEL");
  command.add_flag("--specials", c.specials, "infinities and NaNs among the inputs from the start");
  add_dump(command, c.dump);
}

void add_simulate(CLI::App& app, SimulateCommand& c) {
  CLI::App& command =
      *add_command(app, "simulate", "a model's results for inputs, read as observations without \"d\"");
  command.add_option("MODEL", c.model)->required();
  command.add_option("OBSERVATIONS", c.observations, "a file; - (the default) is standard input");
  add_formats(command, c.formats);
  command.add_flag("--pad-zeros", c.pad_zeros, "fill vectors that are shorter than the model's K with +0");
}

void add_validate(CLI::App& app, ValidateCommand& c) {
  CLI::App& command = *add_command(
      app, "validate", "bulk comparison of a model with a device on inputs made to show differences");
  command.add_option("MODEL", c.model)->required();
  command.add_option("DEVICE", c.device, "also cuda:all, every GPU of this machine")->required();
  add(command, "--vectors", "N", "how many dot products; 1e10, say", [&c](const std::string& text) {
    c.vectors = count("--vectors", text);
  })->required();
  add(command, "--instruction", "NAME", "the device's, where its name is not the model's",
      [&c](const std::string& text) { c.instruction = text; });
  add_formats(command, c.formats);
  add_seconds(command, "--device-timeout", c.device_timeout, "for each request to a child process (10)");
}

void add_export(CLI::App& app, ExportCommand& c) {
  CLI::App& command = *add_command(app, "export", "a model as a program that others run, or as text");
  command.add_option("MODEL", c.model)->required();
  add(command, "--to", "LANGUAGE", "cpp, cuda, python, octave, smt2 or markdown",
      [&c](const std::string& text) {
        using enum ExportLanguage;
        c.to = word<ExportLanguage>("--to", text,
                                    {{"cpp", cpp},
                                     {"cuda", cuda},
                                     {"python", python},
                                     {"octave", octave},
                                     {"smt2", smt2},
                                     {"markdown", markdown}});
      })
      ->required();
}

void add_later(CLI::App& app) {
  for (const char* name : kLater)
    app.add_subcommand(name, "")->group("")->prefix_command()->callback(
        [name] { throw BadInput(std::string(name) + ": not in this version"); });
}

void add_commands(CLI::App& app, Parsed& p) {
  add_devices(app, p.devices);
  add_identify(app, p.identify);
  add_check(app, p.check);
  add_distinguish(app, p.distinguish);
  add_simulate(app, p.simulate);
  add_validate(app, p.validate);
  CLI::App* verify =
      add_command(app, "verify", "re-check an identification's certificate without trusting the solver");
  verify->add_option("CERTIFICATE", p.verify.certificate, "a directory")->required();
  CLI::Option* solve = verify->add_flag(
      "--solve", p.verify.solve, "ask the solver about every claim again, and leave stored proofs aside");
  verify
      ->add_flag("--drat-trim", p.verify.drat_trim,
                 "have the program drat-trim check every stored proof, too; it has to be on PATH")
      ->excludes(solve);
  verify->footer(kTrusted + std::string("\n") + kCommandFooter);
  CLI::App* show = add_command(app, "show", "a model in words and bits: tree, datapath, features");
  show->add_option("MODEL", p.show.model)->required();
  add_export(app, p.exported);
  add_later(app);
}

Command chosen(const CLI::App& app, const Parsed& p) {
  const std::string name = app.get_subcommands().at(0)->get_name();
  if (name == "devices") return p.devices;
  if (name == "identify") return p.identify;
  if (name == "check") return p.check;
  if (name == "distinguish") return p.distinguish;
  if (name == "simulate") return p.simulate;
  if (name == "validate") return p.validate;
  if (name == "verify") return p.verify;
  if (name == "export") return p.exported;
  return p.show;
}

/// CLI11's message in our one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto given = app.get_subcommands();
  if (!given.empty()) return given.at(0)->get_name() + ": " + one_line(error.what());
  const auto rest = app.remaining();
  std::string text = rest.empty() ? "" : in_quotes(rest.front()) + ": ";
  return text +
         "expected a command: devices, identify, check, distinguish, simulate, validate, verify, show or "
         "export";
}

void require_instructions(const IdentifyCommand& c) {
  if (!c.all && c.instructions.empty()) throw BadInput("identify: expected --instruction NAME or --all");
  if (!c.confirm) return;
  if (c.all || c.instructions.size() != 1)
    throw BadInput("--confirm: expected one --instruction, found " +
                   (c.all ? "--all" : fmt::format("{}", c.instructions.size())));
  if (c.assume || c.certificate || c.vectors != 0 || c.dump)
    throw BadInput(
        "--confirm: expected no --assume, --certificate, --validate or --dump beside it, as nothing is "
        "searched");
}

void require_cadical(const std::optional<std::string>& dump, Solver solver) {
  if (dump && solver != Solver::cadical)
    throw BadInput("--dump: expected --solver cadical, as queries are written as that is asked them");
}

}  // namespace

std::string version() { return MMAPRINT_VERSION; }

std::variant<Arguments, Answer> parse_arguments(int argc, const char* const* argv) {
  CLI::App app(kDescription, "mmaprint");
  Parsed parsed;
  parsed.common.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", "mmaprint " + version());
  add_common(app, parsed.common);
  add_commands(app, parsed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    std::ostringstream nothing;
    app.exit(wanted, text, nothing);
    return Answer{text.str()};
  } catch (const CLI::ParseError& error) {
    throw BadInput(usage_problem(app, error));
  }
  if (app.got_subcommand("identify")) require_instructions(parsed.identify);
  if (app.got_subcommand("check") && parsed.check.observations.empty() && parsed.check.gemm.empty())
    throw BadInput("check: OBSERVATIONS is required");
  for (const auto& dump : {parsed.identify.dump, parsed.distinguish.dump})
    require_cadical(dump, parsed.common.solver);
  return Arguments{parsed.common, chosen(app, parsed)};
}

}  // namespace mmaprint
