// Work that takes long on a thread of its own, while the thread that asked for it stays Python's: there the
// user's functions are called, and Ctrl-C is noticed.
//
// A callable may depend on the thread that it runs on (a GPU's context, NumPy's error state), and Python
// hands signals to its main thread alone. So the calling thread waits, without Python's lock, for the work to
// end or to ask for something, and looks for signals in between.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>

namespace mmaprint::python {

class CallingThread {
 public:
  using Errand = std::function<void()>;

  /// Runs `work` on another thread, and what it asks for on this one. Requires Python's lock, which is
  /// released while there is nothing to do. What an errand throws, and Ctrl-C, asks the work to stop, and is
  /// thrown here when it has; else what the work throws. To be called once.
  void run(const std::function<void()>& work);

  /// Of the work: has the errand done by the calling thread, with Python's lock, and waits for that. False if
  /// it was not done, or failed: the work has to end.
  [[nodiscard]] bool ask(const Errand& errand);

  /// What tells the work to stop.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

 private:
  void serve();
  void do_guarded(const Errand& errand);

  std::mutex mutex_;
  std::condition_variable changed_;
  const Errand* errand_ = nullptr;  ///< under mutex_, as the next
  bool over_ = false;
  std::exception_ptr interrupted_;  ///< of the calling thread's
  std::stop_source stop_;
};

}  // namespace mmaprint::python
