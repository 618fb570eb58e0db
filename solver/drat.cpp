#include "solver/drat.h"

namespace mmaprint {
namespace {

/// A literal's code: twice its variable, odd where it is negated; seven bits a byte, the lowest first.
std::optional<std::uint64_t> read_code(std::string_view text, std::size_t& at) {
  std::uint64_t code = 0;
  for (int shift = 0; at < text.size() && shift <= 28; shift += 7) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    code |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return code;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DratProof> parse_drat(std::string_view text, const Deadline& deadline) {
  constexpr std::uint64_t kMost = 0xFFFFFFFF;
  Checkpoint late(deadline, 4096);
  DratProof proof;
  const auto literals = [&] { return static_cast<std::uint32_t>(proof.literals.size()); };
  for (std::size_t at = 0; at < text.size();) {
    late.require();
    const char kind = text[at++];
    if (kind != 'a' && kind != 'd') return std::nullopt;
    DratStep step{kind == 'a', literals(), 0};
    for (;;) {
      const auto code = read_code(text, at);
      if (!code || *code == 1 || *code > kMost) return std::nullopt;
      if (*code == 0) break;
      const auto variable = static_cast<int>(*code >> 1);
      proof.literals.push_back((*code & 1) != 0 ? -variable : variable);
    }
    step.end = literals();
    const bool is_empty = step.begin == step.end;
    if (is_empty && !step.adds) return std::nullopt;
    proof.steps.push_back(step);
    if (is_empty) break;
  }
  return proof;
}

void append_drat(std::string& text, bool adds, std::span<const int> clause) {
  text += adds ? 'a' : 'd';
  for (const int x : clause) {
    std::uint64_t code = x < 0 ? 2 * static_cast<std::uint64_t>(-static_cast<std::int64_t>(x)) + 1
                               : 2 * static_cast<std::uint64_t>(x);
    for (; code > 0x7F; code >>= 7) text += static_cast<char>((code & 0x7F) | 0x80);
    text += static_cast<char>(code);
  }
  text += '\0';
}

}  // namespace mmaprint
