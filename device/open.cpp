#include "device/open.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "device/catalogue.h"
#include "device/cpu/cpu_unit.h"
#include "device/cuda/cuda_unit.h"
#include "device/exec.h"
#include "device/simulated.h"

namespace mmaprint {
namespace {

constexpr std::string_view kSim = "sim:";
constexpr std::string_view kModel = "model:";
constexpr std::string_view kReplay = "replay:";
constexpr std::string_view kExec = "exec:";
constexpr std::string_view kCuda = "cuda:";
constexpr std::string_view kCpu = "cpu";

/// What follows the prefix, if `spec` begins with it.
std::optional<std::string> after(std::string_view prefix, std::string_view spec) {
  if (!spec.starts_with(prefix)) return std::nullopt;
  return std::string(spec.substr(prefix.size()));
}

std::string joined_names(const auto& items, auto&& name_of) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(name_of(item));
  return text;
}

const CataloguedUnit* find_unit(const std::vector<CataloguedUnit>& units, std::string_view name) {
  for (const CataloguedUnit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

CataloguedUnit catalogued_unit(std::string_view name) {
  const auto units = catalogued_units();
  if (const auto* unit = find_unit(units, name)) return *unit;
  throw BadInput(std::string(kSim) + std::string(name) + ": expected one of the catalogued units " +
                 joined_names(units, [](const CataloguedUnit& unit) { return unit.name; }));
}

std::unique_ptr<MatmulUnit> open_simulated(std::string_view spec, std::string_view name) {
  return std::make_unique<SimulatedUnit>(std::string(spec), std::string(catalogued_unit(name).description),
                                         catalogued_models(name));
}

std::unique_ptr<MatmulUnit> open_model_file(std::string_view spec, const std::string& file,
                                            const Deadline& deadline) {
  AnyModel model = load_model(file, deadline);
  auto* unit = std::get_if<UnitModel>(&model);
  if (unit == nullptr)
    throw BadInput(file + ": unit: expected a full model, as a device can't run a partial one");
  std::vector<UnitModel> models;
  models.push_back(std::move(*unit));
  return std::make_unique<SimulatedUnit>(std::string(spec), std::string(spec), std::move(models));
}

/// What was opened, as one of more.
OpenResult opened(std::variant<std::unique_ptr<MatmulUnit>, DeviceFailure> result) {
  return std::visit([](auto& unit) -> OpenResult { return std::move(unit); }, result);
}

OpenResult open_gpu(std::string_view spec, std::string_view number) {
  int ordinal = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), ordinal);
  if (error != std::errc{} || end != number.data() + number.size() || ordinal < 0)
    throw BadInput("device: expected cuda:N with a GPU's number from 0 on, found " + in_quotes(spec));
  return opened(cuda::CudaUnit::open(ordinal));
}

void list_gpus(std::vector<DeviceListing>& all) {
  const auto found = cuda::gpus();
  std::string reason = "none";
  if (const auto* gpus = std::get_if<std::vector<cuda::Gpu>>(&found); gpus != nullptr && !gpus->empty()) {
    for (const auto& [ordinal, description] : *gpus)
      all.push_back({fmt::format("{}{}", kCuda, ordinal), description, true, {}});
    return;
  }
  if (const auto* failure = std::get_if<DeviceFailure>(&found)) reason = failure->message;
  all.push_back({std::string(kCuda), "NVIDIA GPUs of this machine", false, reason});
}

DeviceListing listed_processor() {
  const auto found = cpu::processor_name();
  if (const auto* failure = std::get_if<DeviceFailure>(&found))
    return {std::string(kCpu), "this processor's dot-product and FMA instructions", false, failure->message};
  return {std::string(kCpu), std::get<std::string>(found), true, {}};
}

}  // namespace

DeviceDescription described(const Source& source) {
  if (const auto* recording = std::get_if<Recording>(&source))
    return {recording->name(), recording->name(), recording->instructions()};
  const MatmulUnit& unit = *std::get<std::unique_ptr<MatmulUnit>>(source);
  return {unit.name(), unit.description(), unit.instructions()};
}

OpenResult open_device(std::string_view spec, const DeviceOptions& options) {
  if (const auto name = after(kSim, spec)) return open_simulated(spec, *name);
  if (const auto file = after(kModel, spec)) return open_model_file(spec, *file, options.deadline);
  if (const auto file = after(kReplay, spec))
    return Recording(std::string(spec), *file, options.formats, options.deadline);
  if (const auto command = after(kExec, spec))
    return opened(ExecUnit::open(*command, options.timeout_seconds, options.deadline));
  if (const auto number = after(kCuda, spec)) return open_gpu(spec, *number);
  if (spec == kCpu) return opened(cpu::CpuUnit::open());
  throw BadInput("device: expected sim:NAME, model:FILE, cuda:N, cpu, replay:FILE or exec:COMMAND, found " +
                 in_quotes(spec));
}

std::vector<DeviceListing> list_devices() {
  std::vector<DeviceListing> all;
  for (const CataloguedUnit& unit : catalogued_units())
    all.push_back({std::string(kSim) + std::string(unit.name), std::string(unit.description), true, {}});
  list_gpus(all);
  all.push_back(listed_processor());
  return all;
}

AnyModel open_model(const std::string& spec, const Deadline& deadline) {
  const auto rest = after(kSim, spec);
  if (!rest) return load_model(spec, deadline);
  const std::size_t hash = rest->find('#');
  const std::string name = rest->substr(0, hash);
  (void)catalogued_unit(name);  // throws for an unknown one
  const auto known = [&] {
    return joined_names(catalogued_models(name), [](const UnitModel& model) { return model.instruction; });
  };
  if (hash == std::string::npos) throw BadInput(spec + ": expected #INSTRUCTION after it, one of " + known());
  if (auto model = catalogued_model(name, rest->substr(hash + 1))) return *std::move(model);
  throw BadInput(spec + ": expected one of the instructions " + known());
}

}  // namespace mmaprint
