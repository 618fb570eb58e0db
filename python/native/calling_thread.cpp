#include "python/native/calling_thread.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace nb = nanobind;

namespace mmaprint::python {
namespace {

/// How long Ctrl-C may wait.
constexpr std::chrono::milliseconds kBetweenLooks{50};

void throw_if_signalled() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void CallingThread::run(const std::function<void()>& work) {
  std::exception_ptr failed;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {  // thrown again below
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  });
  serve();
  {
    const nb::gil_scoped_release unlocked;
    worker.join();
  }
  if (interrupted_) std::rethrow_exception(interrupted_);
  if (failed) std::rethrow_exception(failed);
}

bool CallingThread::ask(const Errand& errand) {
  std::unique_lock lock(mutex_);
  errand_ = &errand;
  changed_.notify_all();
  changed_.wait(lock, [&] { return errand_ == nullptr; });
  return !stop_.stop_requested();
}

void CallingThread::serve() {
  for (;;) {
    const Errand* errand = nullptr;
    {
      const nb::gil_scoped_release unlocked;
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kBetweenLooks, [&] { return over_ || errand_ != nullptr; });
      if (over_) return;
      errand = errand_;
    }
    do_guarded(throw_if_signalled);
    if (errand == nullptr) continue;
    do_guarded(*errand);
    const std::lock_guard lock(mutex_);
    errand_ = nullptr;
    changed_.notify_all();
  }
}

void CallingThread::do_guarded(const Errand& errand) {
  if (interrupted_) return;
  try {
    errand();
  } catch (...) {  // thrown again by run()
    interrupted_ = std::current_exception();
    stop_.request_stop();
  }
}

}  // namespace mmaprint::python
