// The commands: each reads its input, asks the rooms below, prints, and says how it ends.
#pragma once

#include <memory>

#include "cli/exit_code.h"
#include "cli/session.h"
#include "device/open.h"

namespace mmaprint {

/// The device is absent or not supported here.
class DeviceUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All throw BadInput, and DeviceUnavailable where a device can't be opened.
[[nodiscard]] ExitCode run_devices(const DevicesCommand& command, Session& session);
[[nodiscard]] ExitCode run_identify(const IdentifyCommand& command, Session& session);
/// `identify --confirm`.
[[nodiscard]] ExitCode run_confirm(const IdentifyCommand& command, Session& session);
[[nodiscard]] ExitCode run_check(const CheckCommand& command, Session& session);
/// `check --gemm`.
[[nodiscard]] ExitCode run_check_gemm(const CheckCommand& command, Session& session);
[[nodiscard]] ExitCode run_distinguish(const DistinguishCommand& command, Session& session);
[[nodiscard]] ExitCode run_simulate(const SimulateCommand& command, Session& session);
[[nodiscard]] ExitCode run_validate(const ValidateCommand& command, Session& session);
[[nodiscard]] ExitCode run_verify(const VerifyCommand& command, Session& session);
[[nodiscard]] ExitCode run_show(const ShowCommand& command, Session& session);
[[nodiscard]] ExitCode run_export(const ExportCommand& command, Session& session);

[[nodiscard]] Source open_or_throw(const std::string& device, const std::optional<Signature>& formats,
                                   double timeout_seconds, const Deadline& deadline);

}  // namespace mmaprint
