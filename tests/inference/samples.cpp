#include "samples.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "device/simulated.h"
#include "inference/inputs.h"

namespace mmaprint::samples {
namespace {

using enum Parameter;

constexpr int kUnobservableClamp = -290;

ChainParameters values() {
  ChainParameters v;
  v.block.alignment_fraction_bits = 23;
  v.block.rounding = Rounding::toward_zero;
  v.block.output_fraction_bits = 23;
  v.final_rounding = Rounding::toward_zero;
  v.conventions.zero_sign.cancelled = ZeroSign::positive;
  return v;
}

Chain own_chain() { return {{{0, 1, 2, 3}}, CEnters::first}; }

}  // namespace

Space small_space() {
  Space space{std::string(kName), 4, kFp16ToFp32, {}, Box(values_of(unit()))};
  for (const Chain& chain :
       {own_chain(), Chain{{{0, 1}, {2, 3}}, CEnters::first}, Chain{{{0, 1, 2, 3}}, CEnters::last}})
    space.skeletons.push_back({{}, tree_of(chain)});
  space.box[alignment_fraction_bits] = ValueSet::range(22, 25);
  space.box[alignment_rounding] = ValueSet::range(0, 3);
  space.box[block_rounding] = ValueSet::range(0, 5);
  space.box[minimum_alignment_exponent].insert(ClampDomain::index(kUnobservableClamp));
  return space;
}

UnitModel unit() {
  return chain_model(std::string(kName), 4, kFp16ToFp32, own_chain(), values(), 0x7fffffff);
}

UnitModel stranger() {
  ChainParameters v = values();
  v.block.alignment_fraction_bits.reset();
  return chain_model(std::string(kName), 4, kFp16ToFp32, own_chain(), v, 0x7fffffff);
}

std::vector<Observation> observations(const UnitModel& model, int count, std::uint64_t seed) {
  InputGenerator inputs(model.k, model.formats, seed);
  std::vector<Observation> all;
  DotInput input = inputs.with_nan();
  for (int i = 0; i < count; ++i, input = inputs.next()) all.push_back({input, evaluate(model, input)});
  return all;
}

Identification identified(const Space& space, const UnitModel& model) {
  SimulatedUnit device("sim:sample", "a sample", {model});
  IdentifyOptions options;
  options.keeps_proofs = true;
  return identify(space, space.whole(), device, {model.instruction, model.k, model.formats}, {}, options, {});
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "mmaprint_test_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
}

std::optional<std::string> recording(const std::string& name) {
  const char* stated = std::getenv("MMAPRINT_RECORDED");
  const std::string folder = stated != nullptr ? stated : MMAPRINT_SOURCE_DIR "/../shared/data/recorded";
  std::string path = folder + "/" + name;
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? std::optional(std::move(path)) : std::nullopt;
}

}  // namespace mmaprint::samples
