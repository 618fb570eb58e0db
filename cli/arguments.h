// The command line, parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/format.h"
#include "model/signature.h"
#include "solver/distinguish.h"

namespace mmaprint {

enum class Colour : std::uint8_t { automatic, always, never };

/// What every command takes, whether it has a use for it or not.
struct CommonOptions {
  bool json = false;
  std::optional<std::string> output;   ///< file
  std::optional<std::string> journal;  ///< file
  std::optional<double> time_limit;    ///< seconds, of the whole command
  std::optional<int> max_observations;
  std::uint64_t seed = 1;
  int threads = 1;
  int verbosity = 0;
  bool quiet = false;
  bool no_progress = false;
  Colour colour = Colour::automatic;
  Solver solver = Solver::cadical;
};

struct DevicesCommand {
  std::optional<std::string> device;
  std::optional<Signature> formats;
  double device_timeout = 10;
};
struct IdentifyCommand {
  std::string device;
  std::vector<std::string> instructions;
  bool all = false;
  std::optional<std::string> assume;       ///< file
  std::optional<std::string> certificate;  ///< directory
  std::optional<std::string> confirm;      ///< a model that is confirmed, without a search
  std::uint64_t vectors = 0;               ///< compared in bulk with the model that is found
  std::optional<double> seconds_each;      ///< for one instruction
  std::optional<Signature> formats;
  double device_timeout = 10;
  std::optional<std::string> dump;  ///< directory
};
struct CheckCommand {
  std::string model;
  std::vector<std::string> observations;  ///< files
  std::vector<std::string> gemm;          ///< or files of matrices: A, B, C if there is one, D
  std::optional<Signature> formats;
  bool pad_zeros = false;
};
struct DistinguishCommand {
  std::string first, second;
  bool specials = false;
  std::optional<std::string> dump;  ///< directory
};
struct SimulateCommand {
  std::string model;
  std::string observations = "-";
  std::optional<Signature> formats;
  bool pad_zeros = false;
};
struct ValidateCommand {
  std::string model, device;
  std::uint64_t vectors = 0;
  std::optional<std::string> instruction;  ///< of the device, where the model's name says another
  std::optional<Signature> formats;
  double device_timeout = 10;
};
struct VerifyCommand {
  std::string certificate;
  bool solve = false;
  bool drat_trim = false;
};
struct ShowCommand {
  std::string model;
};
enum class ExportLanguage : std::uint8_t { cpp, cuda, python, octave, smt2, markdown };
struct ExportCommand {
  std::string model;
  ExportLanguage to = ExportLanguage::cpp;
};

using Command = std::variant<DevicesCommand, IdentifyCommand, CheckCommand, DistinguishCommand,
                             SimulateCommand, ValidateCommand, VerifyCommand, ShowCommand, ExportCommand>;

struct Arguments {
  CommonOptions common;
  Command command;
};
/// Nothing to run: a text for standard output (help, version).
struct Answer {
  std::string text;
};

/// Throws BadInput for a command line that is none.
[[nodiscard]] std::variant<Arguments, Answer> parse_arguments(int argc, const char* const* argv);

/// "0.1.0"
[[nodiscard]] std::string version();

}  // namespace mmaprint
