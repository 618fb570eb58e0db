// What a command's exit tells the shell.
#pragma once

namespace mmaprint {

enum class ExitCode : int {
  yes = 0,            ///< identified, consistent, different, valid
  no = 1,             ///< inconsistent, no hypothesis remains, invalid, equivalent
  bad_input = 2,      ///< usage or input
  unknown = 3,        ///< a limit was reached, interrupted, or the device can answer nothing more
  device_failed = 4,  ///< or is absent, or not supported by this build
};

}  // namespace mmaprint
