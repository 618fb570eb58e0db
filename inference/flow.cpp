#include "inference/flow.h"

namespace mmaprint::flow {
namespace {

/// One function for each case.
template <class... Cases>
struct Either : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Either(Cases...) -> Either<Cases...>;

/// Where an answer leads, whichever state it came in.
struct AnswerLeads {
  Remaining remaining;
  State operator()(Answered /*left*/) const { return search(remaining); }
  State operator()(Surprised /*left*/) const { return search(remaining); }
  State operator()(Over /*left*/) const { return Conclude{}; }
};

}  // namespace

Remaining how_many(const Count& hypotheses) {
  constexpr std::int64_t kMany = 10'000'000'000;
  return hypotheses == 0 ? Remaining::nothing : hypotheses > kMany ? Remaining::many : Remaining::few;
}

bool is_large(const Count& hypotheses) {
  constexpr std::int64_t kLarge = 10'000'000'000'000'000;
  return hypotheses > kLarge;
}

State search(Remaining remaining) {
  switch (remaining) {
    case Remaining::nothing:
      return Conclude{};
    case Remaining::few:
      return Sift{};
    case Remaining::many:
      break;
  }
  return Structure{};
}

State after(const Structure& /*state*/, const Structure::Left& left, Remaining remaining) {
  return std::visit(Either{AnswerLeads{remaining}, [](NothingTells) -> State { return Separate{}; }}, left);
}

State after(const Sift& /*state*/, const Sift::Left& left, Remaining remaining) {
  return std::visit(Either{AnswerLeads{remaining}, [](NothingTells) -> State { return Separate{}; }}, left);
}

State after(const Separate& /*state*/, const Separate::Left& left, Remaining remaining) {
  return std::visit(Either{AnswerLeads{remaining}, [](NothingTells) -> State { return Prove{}; }}, left);
}

State after(const Prove& /*state*/, const Prove::Left& left, Remaining remaining) {
  return std::visit(Either{AnswerLeads{remaining}, [](AllNoted) -> State { return Confirm{}; }}, left);
}

State after(const Confirm& /*state*/, const Confirm::Left& left, Remaining remaining) {
  return std::visit(Either{AnswerLeads{remaining}, [](Agreed) -> State { return Conclude{}; }}, left);
}

std::string_view name_of(const State& state) {
  return std::visit([](const auto& s) { return std::decay_t<decltype(s)>::kName; }, state);
}

}  // namespace mmaprint::flow
