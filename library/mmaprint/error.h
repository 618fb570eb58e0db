// What goes wrong, as exceptions. Whatever else is thrown is a bug, or came out of your own callable.
#pragma once

#include <stdexcept>

namespace mmaprint {
inline namespace api {

/// what() is one line.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Input that you can mend: a file, a document, an argument. what() says which, and what was expected.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The unit under test failed: it answered the wrong number of results, or patterns wider than its format.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace api
}  // namespace mmaprint
