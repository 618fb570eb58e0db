#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/instructions.h"
#include "cli/query_folders.h"
#include "device/one_at_a_time.h"
#include "device/read.h"
#include "inference/certificate.h"
#include "inference/characterise.h"
#include "inference/confirmation_json.h"
#include "inference/document.h"
#include "inference/journal.h"
#include "report/identification_text.h"
#include "report/validation_text.h"

namespace mmaprint {
namespace {

/// Seconds.
constexpr double kMoment = 0.5;

constexpr std::string_view kIdentificationsSchema = "mmaprint/identifications/1";

/// What was found about one instruction.
struct Found {
  Characterisation of;
  std::optional<std::string> certificate;  ///< where it stands
  bool cut_short = false;                  ///< the journal could not be written
};

Search search_for(const Instruction& i, const std::optional<AnyModel>& assumed, const std::string& file) {
  return assumed ? search_assuming(i, *assumed, file) : mmaprint::search_for(i.name, i.k, i.formats);
}

DeviceValidation of_device(const Found& found, const std::string& device) {
  const Space& space = found.of.search.space;
  return {device, {space.instruction, space.k, space.formats}, *found.of.validation};
}

Json document_of(const Found& found, const std::string& device, std::uint64_t seed) {
  Json json = identification_document(found.of.search, found.of.result, device, found.certificate);
  if (found.of.validation) json["validation"] = validation_document({of_device(found, device)}, seed);
  return json;
}

class IdentifyRun {
 public:
  IdentifyRun(const IdentifyCommand& command, Session& session)
      : command_(command),
        session_(session),
        assumed_(command.assume ? std::optional(load_model(*command.assume, session.deadline()))
                                : std::nullopt),
        source_(open_or_throw(command.device, command.formats, command.device_timeout, session.deadline())),
        described_(described(source_)),
        from_{version(), well_formed(described_.name), session.options().seed} {
    if (auto* unit = std::get_if<std::unique_ptr<MatmulUnit>>(&source_)) unit_.emplace(**unit);
    if (command.vectors != 0 && !unit_)
      throw BadInput("--validate: expected a device that answers any input, found " + described_.name +
                     ", which only replays");
    if (!session.options().journal) return;
    journal_ = std::make_unique<Journal>(*session.options().journal, from_, session.deadline());
    for (const std::string& warning : journal_->warnings()) log_warning(warning);
  }

  std::vector<Found> all() {
    const auto instructions =
        command_.all ? all_instructions(source_) : named_instructions(described_, command_.instructions);
    instructions_ = instructions.size();
    if (command_.certificate) require_places(instructions);
    if (command_.dump)
      queries_.open(instructions, [&](const std::string& name) { return place_of(*command_.dump, name); });
    std::vector<std::optional<Found>> found(instructions.size());
    const std::stop_callback interrupted(session_.stop(), [this] { stop_.request_stop(); });
    shared_threads_.emplace(session_.options().threads);
    in_parallel(
        instructions.size(), session_.options().threads,
        [&](std::size_t i) {
          found[i] = one(instructions[i]);
          ++done_;
        },
        &stop_, &*shared_threads_);
    std::vector<Found> all;
    all.reserve(found.size());
    for (auto& f : found) all.push_back(*std::move(f));
    for (std::string& problem : queries_.problems()) problems_.push_back(std::move(problem));
    return all;
  }
  [[nodiscard]] const std::string& device() const { return from_.device; }
  /// What could not be written, a line each.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  Found one(const Instruction& instruction) {
    Search search = search_for(instruction, assumed_, command_.assume.value_or(""));
    journal([&](Journal& from) {
      if (const auto before = from.searched(instruction.name)) search = resumed(std::move(search), *before);
    });
    const CharacteriseHooks hooks = this->hooks(instruction);
    log_info(instruction.name + ": searching " + quantity(approximate(search.size())) + " hypotheses");
    auto observations = known(search);
    const Subject subject = subject_of(instruction, observations);
    Found found{
        characterise(std::move(search), subject, instruction, std::move(observations), options(), hooks),
        std::nullopt};
    found.cut_short = journal_failed() && found.of.result.device_calls > 0;
    session_.progress().clear();
    Identification& result = found.of.result;
    if (found.cut_short && result.verdict() == Identification::Verdict::unknown && !result.device_failed())
      result.end = ending::JournalFailed{result.confirmed()};
    if (result.device_failed()) log_error(result.reason());
    if (found.of.validation && found.of.validation->device_failed) log_error(found.of.validation->reason);
    if (command_.certificate) certify(found);
    journal([&](Journal& to) {
      to.record_identification(document_of(found, device(), session_.options().seed));
    });
    return found;
  }

  /// Writes to the journal, if there is one. What can't be written stops every search: each prints what it
  /// has established.
  template <class Write>
  void journal(Write&& write) {
    if (!journal_) return;
    try {
      write(*journal_);
    } catch (const JournalFailure& failure) {
      const std::lock_guard lock(writing_);
      if (!journal_failed_) problems_.emplace_back(failure.what());
      journal_failed_ = true;
      stop_.request_stop();
    }
  }
  [[nodiscard]] bool journal_failed() {
    const std::lock_guard lock(writing_);
    return journal_failed_;
  }

  /// Of several instructions each has a folder.
  [[nodiscard]] std::string place_of(const std::string& directory, const std::string& instruction) const {
    return directory + (instructions_ > 1 ? "/" + file_name_of(instruction) : "");
  }
  [[nodiscard]] std::string certificate_of(const std::string& instruction) const {
    return place_of(*command_.certificate, instruction);
  }

  /// What can't be written is found out before hours of work.
  void require_places(const std::vector<Instruction>& instructions) const {
    if (instructions_ > 1 && is_certificate(*command_.certificate))
      throw BadInput(*command_.certificate + ": expected a directory for several certificates, found one");
    for (const Instruction& i : instructions) require_certificate_place(certificate_of(i.name));
  }

  /// What was found is printed whether its certificate can be written or not.
  void certify(Found& found) {
    const std::string directory = certificate_of(found.of.search.space.instruction);
    try {
      // What was found when the time was up is worth a moment more; hundreds of thousands of sets are not.
      const Deadline soon(std::max(kMoment, session_.deadline().remaining()));
      write_certificate(directory, found.of.search, found.of.result, from_, session_.options().solver,
                        session_.temporaries(), soon);
      found.certificate = directory;
    } catch (const DeadlinePassed& passed) {
      log_warning(directory + ": " + passed.what() + " before the certificate was written");
    } catch (const BadInput& problem) {
      const std::lock_guard lock(writing_);
      problems_.emplace_back(problem.what());
    }
  }

  /// What the journal holds, and what a recording does; the latter goes into the journal, too.
  std::vector<Observation> known(const Search& search) {
    std::vector<Observation> all;
    journal([&](Journal& from) {
      all = from.recorded(search.space.instruction);
      all = from.begin(search);
    });
    const auto* recording = std::get_if<Recording>(&source_);
    if (recording == nullptr) return all;
    std::set<Observation> seen(all.begin(), all.end());
    const std::size_t known = all.size();
    Checkpoint late(session_.deadline());
    for (const Observation& o : recording->of(search.space.instruction)) {
      if (late.passed()) break;
      if (session_.options().max_observations &&
          std::cmp_greater_equal(all.size(), *session_.options().max_observations))
        break;
      if (!seen.insert(o).second) continue;
      all.push_back(o);
    }
    journal([&](Journal& to) { to.record(search.space.instruction, std::span(all).subspan(known)); });
    return all;
  }

  /// Who answers, and whether all that was recorded is known.
  Subject subject_of(const Instruction& instruction, const std::vector<Observation>& known) {
    if (unit_) return std::ref<MatmulUnit>(*unit_);
    const std::set<Observation> taken(known.begin(), known.end());
    const auto& recorded = std::get<Recording>(source_).of(instruction.name);
    return Recorded{std::ranges::all_of(recorded, [&](const Observation& o) { return taken.contains(o); })};
  }

  CharacteriseOptions options() const {
    const CommonOptions& o = session_.options();
    CharacteriseOptions all;
    all.vectors = command_.vectors;
    IdentifyOptions& options = all.identify;
    options.seed = o.seed;
    // Proofs run on one thread: several instructions at once use the cores better than one alone.
    options.threads = std::max(1, o.threads / static_cast<int>(std::min<std::size_t>(instructions_, 256)));
    options.shared = &*shared_threads_;
    options.most_observations = o.max_observations;
    options.conflict_work = kConflictWork / 16;  // some seconds
    options.solver = o.solver;
    options.keeps_proofs = command_.certificate.has_value();
    options.seconds = command_.seconds_each;
    if (o.time_limit)
      options.seconds = std::min(session_.deadline().remaining(), options.seconds.value_or(*o.time_limit));
    return all;
  }

  CharacteriseHooks hooks(const Instruction& instruction) {
    const std::string& name = instruction.name;
    CharacteriseHooks hooks;
    hooks.identify.stop = stop_.get_token();
    hooks.identify.log = &session_.log();
    hooks.identify.queries = queries_.of(name);
    hooks.identify.observed = [this, name](const Observation& o) {
      journal([&](Journal& to) { to.record(name, {&o, 1}); });
    };
    hooks.identify.progress = [this, name](const Progress& p) {
      show(name, quantity(approximate(p.hypotheses)) + " hypotheses, " +
                     counted(p.observations, "observation") + ": " + std::string(p.doing));
    };
    hooks.changed = [this](const Search& search, CharacteriseHooks::Change change) {
      log_info(search.space.instruction +
               (change == CharacteriseHooks::Change::nans_merged
                    ? ": NaN results have several patterns, which are not told apart from here on"
                    : ": nothing of that explains it; searching " + quantity(approximate(search.size())) +
                          " hypotheses, of more skeletons and rules"));
      journal([&](Journal& to) { (void)to.begin(search); });
    };
    hooks.validating = [this, name](const ValidateProgress& p) {
      show(name, quantity(p.vectors) + " vectors compared with the model");
    };
    return hooks;
  }

  void show(const std::string& name, const std::string& state) {
    const std::string of =
        instructions_ == 1 ? "" : fmt::format("{} of {} done; {}: ", done_, instructions_, name);
    session_.progress().show(of + state);
    log_debug(name + ": " + state);
  }

  const IdentifyCommand& command_;
  Session& session_;
  std::optional<AnyModel> assumed_;  ///< read before anything is started that would have to be ended
  Source source_;
  DeviceDescription described_;
  std::optional<OneAtATime> unit_;  ///< unless the source is a recording
  Provenance from_;
  std::unique_ptr<Journal> journal_;
  std::mutex writing_;
  bool journal_failed_ = false;        ///< under `writing_`, as the next
  std::vector<std::string> problems_;  ///< what could not be written
  QueryFolders queries_;
  std::size_t instructions_ = 1;
  std::optional<SharedThreads> shared_threads_;  ///< of the instructions
  std::atomic<std::size_t> done_{0};
  std::stop_source stop_;
};

ExitCode exit_of(const Found& found) {
  const Characterisation& of = found.of;
  const Identification& result = of.result;
  // A run without its journal ends while the device is being asked, as one without a device does.
  if (found.cut_short || result.device_failed() || (of.validation && of.validation->device_failed))
    return ExitCode::device_failed;
  switch (result.verdict()) {
    case Identification::Verdict::none:
      return ExitCode::no;
    case Identification::Verdict::unknown:
      return ExitCode::unknown;
    case Identification::Verdict::unique:
    case Identification::Verdict::equivalent:
      break;
  }
  // A comparison in bulk that was asked for and not finished; a mismatch has changed the verdict already.
  const bool compared = !of.validation || of.validation->verdict == AgreementVerdict::match;
  return compared ? ExitCode::yes : ExitCode::unknown;
}

/// Of several: a failure before a "no" before an "unknown".
ExitCode exit_of(const std::vector<Found>& all) {
  for (const ExitCode code : {ExitCode::device_failed, ExitCode::no, ExitCode::unknown})
    if (std::ranges::any_of(all, [&](const Found& f) { return exit_of(f) == code; })) return code;
  return ExitCode::yes;
}

Json document_of(const std::vector<Found>& all, const std::string& device, std::uint64_t seed, bool list) {
  Json results = Json::array();
  for (const Found& f : all) results.push_back(document_of(f, device, seed));
  if (!list) return std::move(results.front());
  return {{"schema", kIdentificationsSchema}, {"device", device}, {"results", std::move(results)}};
}

/// What is known where the time was up before the device was open.
Json unopened_document(const IdentifyCommand& command, const std::string& reason) {
  const bool list = !command.confirm && (command.all || command.instructions.size() > 1);
  Json json{{"schema", command.confirm ? kConfirmationSchema
                       : list          ? kIdentificationsSchema
                                       : kIdentificationSchema},
            {"device", command.device},
            {"verdict", "unknown"},
            {"reason", reason}};
  if (list)
    json["results"] = Json::array();
  else
    json["instruction"] =
        command.instructions.size() == 1 ? Json(command.instructions.front()) : Json(nullptr);
  if (!list && !command.confirm) json["model"] = nullptr;
  return json;
}

ExitCode identify_all(const IdentifyCommand& command, Session& session) {
  IdentifyRun run(command, session);
  const std::vector<Found> all = run.all();
  const bool list = command.all || command.instructions.size() > 1;
  const auto text = [&](const Style& style) {
    std::string joined;
    for (const Found& f : all)
      joined += (joined.empty() ? "" : "\n") +
                identification_text(f.of.search, f.of.result, run.device(), f.certificate, style) +
                (f.of.validation ? validation_text({of_device(f, run.device())}, style) : "");
    return joined;
  };
  std::vector<std::string> problems = run.problems();
  bool cut = false;
  try {
    session.print(text, [&] { return document_of(all, run.device(), session.options().seed, list); });
  } catch (const BadInput& problem) {
    problems.emplace_back(problem.what());
  } catch (const DeadlinePassed& unread) {
    log_error(unread.what());
    cut = true;
  }
  for (const std::string& problem : problems) log_error(problem);
  const ExitCode found = exit_of(all);
  const ExitCode code = cut && found != ExitCode::device_failed ? ExitCode::unknown : found;
  return problems.empty() || code == ExitCode::device_failed ? code : ExitCode::bad_input;
}

}  // namespace

ExitCode run_identify(const IdentifyCommand& command, Session& session) {
  try {
    return command.confirm ? run_confirm(command, session) : identify_all(command, session);
  } catch (const JournalFailure& failure) {
    throw BadInput(failure.what());
  } catch (const DeadlinePassed& passed) {
    if (!session.options().json) throw;
    session.print({}, [&] { return unopened_document(command, passed.what()); });
    throw;
  }
}

}  // namespace mmaprint
