// Lines of text with indentation.
#pragma once

#include <string>
#include <string_view>

namespace mmaprint::emit {

class Writer {
 public:
  explicit Writer(std::string_view step = "  ") : step_(step) {}
  void line(std::string_view text = {}) {
    if (!text.empty())
      for (int i = 0; i < depth_; ++i) text_ += step_;
    text_ += text;
    text_ += '\n';
  }
  void in() { ++depth_; }
  void out() { --depth_; }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string step_, text_;
  int depth_ = 0;
};

}  // namespace mmaprint::emit
