// The program as a child process, as a shell would run it.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mmaprint::test {

struct Finished {
  int exit = -1;  ///< 128 + signal if one ended it
  std::string out, err;
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A running program, or what `words` begin; its outputs go to files.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const std::string& input = "",
                   std::vector<std::string> words = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();
  void signal(int number) const;
  [[nodiscard]] Finished wait();

 private:
  std::filesystem::path folder_;
  int pid_ = 0;
};

[[nodiscard]] Finished mmaprint(const std::vector<std::string>& arguments, const std::string& input = "");
/// A shell's script in which `"$0" "$@"` is the program with its arguments.
[[nodiscard]] Finished in_shell(const std::string& script, const std::vector<std::string>& arguments);

/// A folder that is removed again.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and tells its path.
  std::string file(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read(const std::string& path);
[[nodiscard]] std::vector<std::string> lines(const std::string& text);

/// A file of the source tree.
[[nodiscard]] std::string source(const std::string& path);
/// The device of tests/cli/children/faulty.py, whose instruction is dot2.
[[nodiscard]] std::string faulty_device(const std::string& way, int after, const std::string& log = "");

inline constexpr const char* kDot8 = "mma.m16n8k8.f32.f16.f16.f32";
inline constexpr const char* kDot4 = "mma.m16n8k4.f32.tf32.tf32.f32";
/// Models of kDot8.
inline const std::string kA100 = std::string("sim:a100#") + kDot8;
inline const std::string kH100 = std::string("sim:h100#") + kDot8;

}  // namespace mmaprint::test
