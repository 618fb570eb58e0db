// NVIDIA GPUs, where there is one. All CUDA calls are made in children of this program, one request a line,
// so that a kernel that hangs or spoils its process takes no other test with it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <thread>

#include "device/child_process.h"
#include "device/cuda/cuda_unit.h"
#include "device/cuda/table.h"
#include "device/gpu_tiles.h"

namespace mmaprint::cuda::gpu_test {
namespace {

constexpr const char* kIsChild = "MMAPRINT_GPU_CHILD";
constexpr std::chrono::duration<double> kPatience{30};
constexpr int kMostHangs = 2;  ///< of a group's rows, before the rest is given up

// The child's half.

#ifdef MMAPRINT_HAS_CUDA
const TableRow* find_row(std::string_view name) {
  for (const TableRow& row : table())
    if (row.instruction.name == name) return &row;
  return nullptr;
}

MatmulUnit* unit(std::string* why = nullptr) {
  static CudaUnit::Opened opened = CudaUnit::open(0);
  if (const auto* failure = std::get_if<DeviceFailure>(&opened)) {
    if (why != nullptr) *why = failure->message;
    return nullptr;
  }
  return std::get<std::unique_ptr<MatmulUnit>>(opened).get();
}

/// Sums of small integers through the unit's own interface, batches of many sizes, two threads at once.
std::string check_unit(const TableRow& row) {
  const Instruction& instruction = row.instruction;
  const auto one = [](Format format) {
    const FormatInfo& f = info(format);
    if (!f.is_floating()) return Pattern{1};
    return static_cast<Pattern>(f.bias) << f.fraction_bits << f.ignored_low_bits;
  };
  // A one among the a, or none.
  const bool is_xor = instruction.name.ends_with(".xor.popc");
  const auto input = [&](int ones) {
    DotInput made{std::vector<Pattern>(static_cast<std::size_t>(instruction.k), 0),
                  std::vector<Pattern>(static_cast<std::size_t>(instruction.k),
                                       is_xor ? 0 : one(instruction.formats.b)),
                  0};
    if (ones >= 0) made.a[static_cast<std::size_t>(ones)] = one(instruction.formats.a);
    return made;
  };
  const Pattern zero = 0;
  const Pattern unity = one(instruction.formats.d);
  std::atomic<int> wrong = 0;
  std::mutex telling;
  std::string failed;
  const auto work = [&](std::size_t size) {
    for (int round = 0; round < 20; ++round) {
      std::vector<DotInput> inputs;
      std::vector<Pattern> expected;
      for (std::size_t i = 0; i < size; ++i) {
        const int which = static_cast<int>((i * 7 + static_cast<std::size_t>(round)) %
                                           static_cast<std::size_t>(instruction.k + 1)) -
                          1;
        inputs.push_back(input(which));
        expected.push_back(which < 0 ? zero : unity);
      }
      const RunResult result = unit()->run(instruction, inputs);
      const auto* d = std::get_if<std::vector<Pattern>>(&result);
      if (d == nullptr || *d != expected) ++wrong;
      if (const auto* failure = std::get_if<DeviceFailure>(&result)) {
        const std::scoped_lock one_at_a_time(telling);
        failed = failure->message;
        return;
      }
    }
  };
  std::thread other([&] { work(1); });
  work(333);
  other.join();
  if (!failed.empty()) return "DEAD " + failed;
  if (wrong == 0) return "OK";
  return std::to_string(wrong) + " of 40 batches wrong";
}

std::string answer(const std::string& request) {
  std::string why;
  if (unit(&why) == nullptr) return "NONE " + why;
  const std::size_t space = request.find(' ');
  const std::string verb = request.substr(0, space);
  if (verb == "describe") return "OK " + unit()->description();
  if (verb == "machine") {
    unit()->find_machine_instructions();
    int known = 0;
    std::string sample;
    for (const InstructionInfo& info : unit()->instructions())
      if (info.machine_instruction && ++known % 40 == 1)
        sample += "; " + info.instruction.name + " is " + *info.machine_instruction;
    return "OK " + std::to_string(known) + " known" + sample;
  }
  const TableRow* row = find_row(request.substr(space + 1));
  const auto info = find_instruction(*unit(), row->instruction.name);
  if (!info) return "the unit does not list it";
  if (!info->available) return "-- " + info->reason;
  if (verb == "tiles") return check_tiles(*row);
  if (verb == "unit") return check_unit(*row);
  return measure_tiles(*row);
}
#endif

TEST(GpuChild, AnswersRequests) {
  if (std::getenv(kIsChild) == nullptr) GTEST_SKIP() << "runs in the other tests' child processes only";
#ifdef MMAPRINT_HAS_CUDA
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::string text = answer(line) + "\n";
    if (::write(3, text.data(), text.size()) < 0) break;
    if (text.starts_with("DEAD")) break;
  }
  _exit(0);  // CUDA may wait for a kernel that never ends
#endif
}

// Our half.

/// A child that is started when there is something to ask, and again after it has died.
class Child {
 public:
  std::string ask(const std::string& request) {
    if (!process_) {
      const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
      auto started = ChildProcess::start(
          {"sh", "-c", std::string(kIsChild) + "=1 exec \"$0\" --gtest_filter=GpuChild.* 3>&1 >/dev/null",
           self},
          "the child");
      if (const auto* failure = std::get_if<DeviceFailure>(&started)) return failure->message;
      process_.emplace(std::get<ChildProcess>(std::move(started)));
    }
    const auto line = process_->exchange(request, kPatience);
    if (const auto* failure = std::get_if<DeviceFailure>(&line)) {
      process_.reset();
      return failure->message;
    }
    std::string text = std::get<std::string>(line);
    if (text.starts_with("DEAD")) process_.reset();
    return text;
  }

 private:
  std::optional<ChildProcess> process_;
};

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
#ifndef MMAPRINT_HAS_CUDA
    GTEST_SKIP() << "this build has no CUDA";
#else
    const std::string text = child_.ask("describe");
    if (text.starts_with("NONE")) GTEST_SKIP() << text.substr(5);
    ASSERT_TRUE(text.starts_with("OK")) << text;
    std::cout << text.substr(3) << "\n";
#endif
  }

  /// Asks about every row of the group and goes on after one that fails.
  void ask_about(const std::string& verb, Group group, bool sparse) {
    int passed = 0, failed = 0, unavailable = 0, hung = 0;
    for (const TableRow& row : table()) {
      if (row.group != group || row.sparse != sparse) continue;
      const std::string text = child_.ask(verb + " " + row.instruction.name);
      const bool skipped = text.starts_with("--");
      const bool fine = text.starts_with("OK");
      ++(skipped ? unavailable : fine ? passed : failed);
      if (!fine && !skipped) ADD_FAILURE() << row.instruction.name << ": " << text;
      std::cout << (fine || skipped ? "" : "WRONG ") << text << "  " << row.instruction.name << std::endl;
      if (text.find("gave no answer") != std::string::npos && ++hung == kMostHangs) {
        ADD_FAILURE() << "given up: " << hung << " rows hung";
        break;
      }
    }
    std::cout << passed << " OK, " << failed << " wrong, " << unavailable << " not available" << std::endl;
  }

  Child child_;
};

TEST_F(Gpu, DenseTilesAreExact) { ask_about("tiles", Group::dense, false); }
TEST_F(Gpu, QuadPairTilesAreExact) { ask_about("tiles", Group::quad_pairs, false); }
TEST_F(Gpu, WmmaTilesAreExact) { ask_about("tiles", Group::wmma, false); }
TEST_F(Gpu, SparseTilesAreExact) { ask_about("tiles", Group::sparse, true); }

TEST_F(Gpu, RunsSingleInputsOfEveryInstruction) {
  for (const Group group : {Group::dense, Group::quad_pairs, Group::wmma}) ask_about("unit", group, false);
  ask_about("unit", Group::sparse, true);
}

TEST_F(Gpu, KnowsItsMachineInstructions) {
  const std::string text = child_.ask("machine");
  EXPECT_TRUE(text.starts_with("OK")) << text;
  std::cout << text << "\n";
}

TEST_F(Gpu, IsMeasured) {
  for (const char* name : {"mma.m16n8k16.f32.f16.f16.f32", "mma.m16n8k8.f32.tf32.tf32.f32",
                           "mma.m16n8k32.s32.s8.s8.s32", "mma.m8n8k4.f64.f64.f64.f64"})
    std::cout << child_.ask("speed " + std::string(name)) << "  " << name << std::endl;
}

// Last, as a wrong descriptor may do anything.
TEST_F(Gpu, WgmmaTilesAreExact) { ask_about("tiles", Group::wgmma, false); }
TEST_F(Gpu, SparseWgmmaTilesAreExact) { ask_about("tiles", Group::wgmma, true); }
TEST_F(Gpu, RunsSingleInputsOfEveryWgmma) {
  ask_about("unit", Group::wgmma, false);
  ask_about("unit", Group::wgmma, true);
  std::cout << child_.ask("speed wgmma.m64n8k16.f32.f16.f16") << "  wgmma.m64n8k16.f32.f16.f16" << std::endl;
}

}  // namespace
}  // namespace mmaprint::cuda::gpu_test
