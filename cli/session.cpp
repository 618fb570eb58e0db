#include "cli/session.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace mmaprint {
namespace {

Style style_of(Colour colour, bool to_file) {
  if (colour != Colour::automatic) return Style(colour == Colour::always);
  const char* no_colour = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return Style(!to_file && (no_colour == nullptr || *no_colour == '\0') && is_terminal(STDOUT_FILENO));
}

}  // namespace

Session::Session(const CommonOptions& options)
    : interruption_([this] { (void)temporaries_.remove_all().release(); }),
      options_(options),
      terminal_(options),
      document_in_file_(options.output && options.output->ends_with(".json")),
      output_(options.output,
              // The text is there already where the document goes to a file.
              document_in_file_ && !options.json ? Otherwise::dropped : Otherwise::to_standard_output,
              temporaries_, [this] { return deadline(); }) {}

Deadline Session::deadline() {
  std::optional<double> seconds = options_.time_limit;
  if (seconds) *seconds -= watch_.seconds();
  return Deadline(seconds, stop());
}

void Session::print(const std::function<std::string(const Style&)>& text,
                    const std::function<Json()>& document) {
  progress().clear();
  const bool as_document = options_.json || document_in_file_;
  Output both([this] { return deadline(); });
  if (document_in_file_ && !options_.json) both.write(text(style_of(options_.colour, false)));
  output_.write(as_document ? json_text(document())
                            : text(style_of(options_.colour, options_.output.has_value())));
  output_.finish();
  both.finish();
}

}  // namespace mmaprint
