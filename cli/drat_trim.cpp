#include "cli/drat_trim.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/bad_input.h"
#include "base/files.h"
#include "solver/drat.h"

// NOLINTNEXTLINE(readability-redundant-declaration)
extern char** environ;

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "drat-trim";
constexpr const char* kOwnLimit = "1000000";  // seconds: ours is the deadline

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "mmaprint-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw BadInput(name + ": " + error_text(errno));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const char* name, std::string_view text) const {
    std::string path = (path_ / name).string();
    if (!(std::ofstream(path, std::ios::binary) << text).flush()) throw BadInput(path + ": can't be written");
    return path;
  }

 private:
  fs::path path_;
};

/// Waits for the child, and kills it once the deadline has passed.
void wait_for(pid_t child, const Deadline& deadline) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return;
    if (deadline.passed()) {
      ::kill(child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      throw DeadlinePassed(std::string(deadline.reason()));
    }
    std::this_thread::sleep_for(kPause);
  }
}

/// What it prints on standard output; nullopt if it can't be run.
std::optional<std::string> output_of(std::vector<std::string> words, const std::string& file,
                                     const Deadline& deadline) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return std::nullopt;
  wait_for(child, deadline);
  return read_file(file);
}

/// In DRAT's text format: of the binary one drat-trim guesses that it is.
std::string text_of(const DratProof& proof) {
  std::string text;
  for (const DratStep& step : proof.steps) {
    if (!step.adds) text += "d ";
    for (const int x : proof.clause(step)) text += std::to_string(x) + " ";
    text += "0\n";
  }
  return text;
}

}  // namespace

OtherChecker drat_trim() {
  if (!is_on_path(kProgram))
    throw BadInput("--drat-trim: expected the program drat-trim on PATH, found none");
  return [](const RefutedFormula& refuted, const Deadline& deadline) -> std::string {
    const TemporaryFolder folder;
    const auto proof = parse_drat(refuted.proof);
    if (!proof) return "its proof is no DRAT";
    const auto said = output_of({kProgram, folder.file("formula.cnf", refuted.cnf),
                                 folder.file("proof", text_of(*proof)), "-t", kOwnLimit},
                                folder.file("output", ""), deadline);
    const auto says = [&](const char* line) { return said && said->find(line) != std::string::npos; };
    if (says("s VERIFIED")) return "";
    if (says("s NOT VERIFIED")) return "drat-trim does not verify its proof";
    throw BadInput(
        "--drat-trim: expected drat-trim to say \"s VERIFIED\" or \"s NOT VERIFIED\", found neither");
  };
}

}  // namespace mmaprint
