#include "program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

extern char** environ;

namespace mmaprint::test {
namespace {

std::filesystem::path fresh_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "mmaprint-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  return pattern;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::string& input,
                 std::vector<std::string> words)
    : folder_(fresh_folder()) {
  std::ofstream(folder_ / "in") << input;
  words.emplace_back(MMAPRINT_PROGRAM);
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, (folder_ / "in").c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, (folder_ / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (folder_ / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  const int error = posix_spawn(&pid_, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("can't start the program");
}

Program::~Program() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::filesystem::remove_all(folder_);
}

void Program::signal(int number) const { kill(pid_, number); }

Finished Program::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read((folder_ / "out").string()),
          read((folder_ / "err").string())};
}

Finished mmaprint(const std::vector<std::string>& arguments, const std::string& input) {
  return Program(arguments, input).wait();
}

Finished in_shell(const std::string& script, const std::vector<std::string>& arguments) {
  return Program(arguments, "", {"/bin/sh", "-c", script}).wait();
}

Folder::Folder() : path_(fresh_folder()) {}
Folder::~Folder() { std::filesystem::remove_all(path_); }

std::string Folder::file(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path(name);
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string source(const std::string& path) { return std::string(MMAPRINT_SOURCE) + "/" + path; }

std::string faulty_device(const std::string& way, int after, const std::string& log) {
  return "exec:python3 '" + source("tests/cli/children/faulty.py") + "' " + way + " " +
         std::to_string(after) + (log.empty() ? "" : " '" + log + "'");
}

}  // namespace mmaprint::test
