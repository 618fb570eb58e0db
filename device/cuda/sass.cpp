#include "device/cuda/sass.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "device/child_process.h"

// The environment of the process; POSIX leaves its declaration to the program.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace mmaprint::cuda {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t;")); }

/// The opcode of `/*0150*/  @!P0 HMMA.16816.F32 R4, R8, R12, R4 ;`, with its modifiers; empty for other
/// lines.
std::string_view opcode(std::string_view line) {
  line = trimmed(line);
  const std::size_t end_of_address = line.find("*/");
  if (!line.starts_with("/*") || end_of_address == std::string_view::npos) return {};
  line = trimmed(line.substr(end_of_address + 2));
  if (line.starts_with('@')) line = trimmed(line.substr(std::min(first_word(line).size(), line.size())));
  return first_word(line);
}

/// HMMA, IMMA, BMMA, DMMA, QMMA, OMMA and, with a G, their asynchronous kin.
bool is_tensor(std::string_view opcode) { return opcode.substr(0, opcode.find('.')).ends_with("MMA"); }

using Counts = std::vector<std::pair<std::string, int>>;

std::string in_words(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += ", ";
    if (count > 1) text += fmt::format("{}x ", count);
    text += name;
  }
  return text.empty() ? "no tensor op" : text;
}

std::optional<std::string> find_cuobjdump() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view() : std::string_view(path);
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(fs::path(home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path& folder : folders) {
    fs::path program = folder / "cuobjdump";
    if (access(program.c_str(), X_OK) == 0) return program.string();
  }
  return std::nullopt;
}

/// Standard output of a program that succeeds.
std::optional<std::string> output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return std::nullopt;
  write_end.reset();

  std::string text;
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t received = ::read(read_end.get(), chunk.data(), chunk.size());
    if (received == 0 || (received < 0 && errno != EINTR)) break;
    if (received > 0) text.append(chunk.data(), static_cast<std::size_t>(received));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace

std::map<std::string, std::string, std::less<>> tensor_instructions(std::string_view listing) {
  constexpr std::string_view kFunction = "Function :";
  std::map<std::string, Counts, std::less<>> functions;
  Counts* current = nullptr;
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    const std::string_view line = trimmed(listing.substr(0, end));
    listing.remove_prefix(std::min(end + 1, listing.size()));
    if (line.starts_with(kFunction)) {
      current = &functions[std::string(trimmed(line.substr(kFunction.size())))];
    } else if (const std::string_view name = opcode(line); current != nullptr && is_tensor(name)) {
      const auto known = std::ranges::find(*current, name, &std::pair<std::string, int>::first);
      if (known == current->end())
        current->emplace_back(name, 1);
      else
        ++known->second;
    }
  }
  std::map<std::string, std::string, std::less<>> words;
  for (const auto& [name, counts] : functions) words[name] = in_words(counts);
  return words;
}

std::optional<std::string> own_listing(Target target) {
  const auto program = find_cuobjdump();
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!program || error) return std::nullopt;
  return output_of({*program, "-sass", "-arch", name_of(target), self.string()});
}

}  // namespace mmaprint::cuda
