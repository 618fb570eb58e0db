#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>

#include "base/deadline.h"
#include "base/printable.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/terminal.h"
#include "model/model_json.h"

namespace {

/// No file that is opened later may take the place of a standard stream that the caller closed. That nobody
/// gets the results stays an error; a device's messages may go nowhere.
void keep_standard_streams() {
  for (const int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd) return;
}

}  // namespace

int main(int argc, char** argv) {
  using mmaprint::ExitCode;
  keep_standard_streams();
  // Writing to a closed pipe, or beyond a file's largest size, is an error code, not the end.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const auto complain = [](const std::exception& problem) {
    mmaprint::ErrorStream().write("mmaprint: " + mmaprint::printable(problem.what()) + "\n");
  };
  try {
    return static_cast<int>(mmaprint::run(mmaprint::parse_arguments(argc, argv)));
  } catch (const mmaprint::BadInput& problem) {
    complain(problem);
    return static_cast<int>(ExitCode::bad_input);
  } catch (const mmaprint::DeviceUnavailable& problem) {
    complain(problem);
    return static_cast<int>(ExitCode::device_failed);
  } catch (const mmaprint::DeadlinePassed& passed) {
    complain(passed);
    return static_cast<int>(ExitCode::unknown);
  } catch (const std::exception& error) {
    complain(error);
    return static_cast<int>(ExitCode::unknown);
  }
}
