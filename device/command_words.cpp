#include "device/command_words.h"

#include <optional>
#include <utility>

#include "model/model_json.h"

namespace mmaprint {

std::vector<std::string> split_words(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // none: between words
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char ch = command[i];
    if (ch == '\\' && quote != '\'') {
      if (i + 1 == command.size()) throw BadInput("exec: expected a character after the last backslash");
      const char next = command[++i];
      if (!word) word.emplace();
      // Within double quotes a backslash stands for itself before any other character.
      if (quote == '"' && std::string_view("\"\\$`").find(next) == std::string_view::npos) *word += ch;
      *word += next;
    } else if (quote != 0) {
      if (ch == quote)
        quote = 0;
      else
        *word += ch;
    } else if (ch == '"' || ch == '\'') {
      quote = ch;
      if (!word) word.emplace();
    } else if (std::string_view(" \t\r\n").find(ch) != std::string_view::npos) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      if (!word) word.emplace();
      *word += ch;
    }
  }
  if (quote != 0) throw BadInput(std::string("exec: expected a closing ") + quote);
  if (word) words.push_back(*std::move(word));
  if (words.empty() || words.front().empty()) throw BadInput("exec: expected a command");
  return words;
}

}  // namespace mmaprint
