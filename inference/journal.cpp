#include "inference/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "inference/space_json.h"
#include "model/json_reader.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

constexpr std::size_t kLargestJournal = std::size_t{4} << 30;
constexpr mode_t kReadWrite = 0666;
constexpr std::string_view kHeaderBegins = R"({"schema":"mmaprint/journal/1")";

Instruction instruction_of(const Space& space) { return {space.instruction, space.k, space.formats}; }

Json header(const Provenance& from, const Search& search) {
  return {{"schema", kJournalSchema}, {"version", from.version},
          {"device", from.device},    {"instruction", search.space.instruction},
          {"k", search.space.k},      {"formats", to_json(search.space.formats)},
          {"space", to_json(search)}, {"seed", from.seed}};
}

JournalEntry read_header(const JsonReader& from) {
  from.only({"schema", "version", "device", "instruction", "k", "formats", "space", "seed"});
  Provenance provenance{from.at("version").text(), from.at("device").text(), 0};
  const JsonReader seed = from.at("seed");
  if (!seed.json().is_number_unsigned()) seed.fail("a seed, an integer from 0");
  provenance.seed = seed.json().get<std::uint64_t>();
  const Instruction instruction{from.at("instruction").text(), from.at("k").integer(1, kLargestK),
                                from.at("formats").signature()};
  return {std::move(provenance), search_from_json(from.at("space"), instruction), {}, nullptr};
}

Observation read_observation(const JsonReader& from, const Space& space) {
  if (const auto formats = from.find("formats"); formats && formats->signature() != space.formats)
    formats->fail("the formats of the instruction's header");
  return {read_input(from, space.formats, {space.k}), from.at("d").pattern(space.formats.d)};
}

const std::string& name_of(const JournalEntry& entry) { return entry.search.space.instruction; }

bool closes_a_batch(const Json& line) {
  const auto schema = line.find("schema");
  return schema != line.end() && *schema == kBatchSchema;
}

/// Takes a journal in, line by line.
class Reading {
 public:
  void take(const JsonSource& source) {
    const Json json = source.parse();
    try {
      take(JsonReader(json));
      if (!closes_a_batch(json)) contents.open.add(source.text);
    } catch (const FieldError& error) {
      source.fail(error);
    }
  }
  JournalContents contents;

 private:
  void take(const JsonReader& from) {
    const auto schema = from.find("schema");
    if (closes_a_batch(from.json())) return contents.open.close(from);
    if (schema && schema->json() == kJournalSchema) return take_header(from);
    if (contents.entries.empty()) from.at("schema").fail(in_quotes(kJournalSchema));
    JournalEntry& entry = entry_of(from.at("instruction"));
    if (!schema) {
      const Observation seen = read_observation(from, entry.search.space);
      if (seen_[place(entry)].insert(seen).second) entry.observations.push_back(seen);
    } else if (schema->json() == kIdentificationSchema) {
      entry.identification = std::make_shared<const Json>(from.json());
    } else {
      schema->fail(in_quotes(kJournalSchema) + " or " + in_quotes(kIdentificationSchema));
    }
  }

  void take_header(const JsonReader& from) {
    JournalEntry fresh = read_header(from);
    auto& entries = contents.entries;
    if (!entries.empty() && fresh.from.device != entries.front().from.device)
      from.at("device").fail(in_quotes(entries.front().from.device) + " as in the first header");
    const auto known = std::ranges::find(entries, fresh.search.space.instruction, name_of);
    if (known == entries.end()) {
      entries.push_back(std::move(fresh));
      seen_.emplace_back();
      return;
    }
    if (instruction_of(known->search.space) != instruction_of(fresh.search.space))
      from.at("formats").fail("k and formats as in the instruction's first header");
    known->from = std::move(fresh.from);
    known->search = std::move(fresh.search);
    known->identification = nullptr;
  }

  JournalEntry& entry_of(const JsonReader& instruction) {
    const auto known = std::ranges::find(contents.entries, instruction.text(), name_of);
    if (known == contents.entries.end()) instruction.fail("an instruction whose header comes before");
    return *known;
  }
  [[nodiscard]] std::size_t place(const JournalEntry& entry) const {
    return static_cast<std::size_t>(&entry - contents.entries.data());
  }

  std::vector<std::set<Observation>> seen_;  ///< by entry
};

/// Was this text left by a writer that was killed? A file that is no journal must not be taken for one and
/// cut.
bool is_broken_line(std::string_view line, bool first) {
  if (Json::accept(line)) return false;
  return !first || line.starts_with(kHeaderBegins) || kHeaderBegins.starts_with(line);
}

}  // namespace

JournalContents read_journal_text(std::string_view text, const std::string& file, const Deadline& deadline) {
  Reading reading;
  Checkpoint late(deadline);
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    if (late.passed()) throw DeadlinePassed(std::string(deadline.reason()));
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const bool ended = end < text.size();
    if (!ended && is_broken_line(line, reading.contents.entries.empty())) {
      reading.contents.warnings.push_back(
          fmt::format("{}:{}: dropped the last line, which is incomplete", file, number));
      break;
    }
    if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      reading.take({line, file, number});
    else
      reading.contents.open.add(line);
    begin = ended ? end + 1 : end;
    reading.contents.complete_bytes = begin;
    reading.contents.newline_missing = !ended;
  }
  return std::move(reading.contents);
}

Journal::Journal(std::string path, Provenance from, const Deadline& deadline)
    : path_(std::move(path)), from_(std::move(from)) {
  const bool existed = ::access(path_.c_str(), F_OK) == 0;
  // Whatever it is, opening it must not wait.
  file_ = Descriptor(
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, kReadWrite));
  if (!file_.open())
    throw JournalFailure(path_ + ": the journal can't be opened for writing: " + error_text(errno));
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw BadInput(path_ + ": expected a journal, a regular file");
  // Another run's lines in between would be taken for this one's.
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw BadInput(path_ + ": expected a journal that no other run is writing");
  if (!existed) flush_folder_of(path_);
  take(read_journal_text(read_all(file_.get(), path_, kLargestJournal, deadline), path_, deadline));
}

void Journal::take(JournalContents contents) {
  if (!contents.entries.empty() && contents.entries.front().from.device != from_.device)
    throw BadInput(path_ + ":1: device: expected " + in_quotes(from_.device) + ", found " +
                   in_quotes(contents.entries.front().from.device));
  for (JournalEntry& entry : contents.entries) {
    std::set<Observation> recorded(entry.observations.begin(), entry.observations.end());
    parts_.push_back({std::move(entry), std::move(recorded), false});
  }
  warnings_ = std::move(contents.warnings);
  const std::lock_guard lock(mutex_);
  if (!warnings_.empty() && ::ftruncate(file_.get(), static_cast<off_t>(contents.complete_bytes)) != 0)
    fail("its torn last line can't be cut off: " + error_text(errno));
  if (contents.newline_missing) write("\n");
  if (!contents.open.empty()) write(contents.open.closing_line() + "\n");
}

Journal::Part* Journal::find(std::string_view instruction) {
  const auto known = std::ranges::find(parts_, instruction,
                                       [](const Part& p) -> std::string_view { return name_of(p.entry); });
  return known == parts_.end() ? nullptr : &*known;
}

std::vector<Observation> Journal::recorded(std::string_view instruction) {
  const std::lock_guard lock(mutex_);
  const Part* part = find(instruction);
  return part == nullptr ? std::vector<Observation>() : part->entry.observations;
}

std::optional<Search> Journal::searched(std::string_view instruction) {
  const std::lock_guard lock(mutex_);
  const Part* part = find(instruction);
  return part == nullptr ? std::nullopt : std::optional(part->entry.search);
}

std::vector<Observation> Journal::begin(const Search& search) {
  const std::lock_guard lock(mutex_);
  const Instruction instruction = instruction_of(search.space);
  Part* known = find(instruction.name);
  if (known == nullptr) {
    append({header(from_, search)});
    parts_.push_back({{from_, search, {}, nullptr}, {}, true});
    return {};
  }
  const JournalEntry& entry = known->entry;
  if (instruction_of(entry.search.space) != instruction)
    throw BadInput(fmt::format("{}: expected a journal in which {} has K = {} and formats {}", path_,
                               instruction.name, instruction.k, to_json(instruction.formats).dump()));
  if (header(entry.from, entry.search) != header(from_, search)) append({header(from_, search)});
  known->entry.from = from_;
  known->entry.search = search;
  known->begun = true;
  return entry.observations;
}

void Journal::record(std::string_view instruction, std::span<const Observation> observations) {
  {
    const std::lock_guard lock(mutex_);
    Part* part = find(instruction);
    if (part == nullptr || !part->begun)
      throw std::logic_error("a journal records observations of an instruction that was begun");
    std::vector<Json> lines;
    for (const Observation& seen : observations) {
      if (!part->recorded.insert(seen).second) continue;
      part->entry.observations.push_back(seen);
      lines.push_back(observation_to_json(instruction, part->entry.search.space.formats, seen));
    }
    append(lines);
  }
  flush();
}

void Journal::record_identification(const Json& document) {
  {
    const std::lock_guard lock(mutex_);
    append({document});
  }
  flush();
}

void Journal::append(const std::vector<Json>& lines) {
  for (std::size_t done = 0; done < lines.size();) {
    OpenLines batch;
    std::string text;
    for (; done < lines.size(); ++done) {
      const std::string line = json_line(lines[done]);
      if (!batch.has_room_for(line)) break;
      batch.add(line);
      text += line + "\n";
    }
    write(text + batch.closing_line() + "\n");
  }
}

void Journal::write(std::string_view text) {
  if (!failure_.empty()) throw JournalFailure(failure_);
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  const Written written = write_all(file_.get(), text);
  ++written_;
  if (written.error == 0) return;
  // Whole lines may stay; half a line must not stand before whatever is written next.
  const std::size_t whole = text.substr(0, written.bytes).rfind('\n') + 1;
  const bool restored = before >= 0 && ::ftruncate(file_.get(), before + static_cast<off_t>(whole)) == 0;
  fail(error_text(written.error) + (restored ? "" : "; its last line is incomplete"));
}

void Journal::flush() {
  const std::lock_guard flushing(flushing_);
  const std::uint64_t written = written_;
  if (flushed_ == written) return;
  if (const int error = flush_to_disk(file_.get()); error != 0) {
    const std::lock_guard lock(mutex_);
    fail(error_text(error));
  }
  flushed_ = written;
}

void Journal::fail(const std::string& reason) {
  failure_ = path_ + ": the journal can't be written: " + reason;
  throw JournalFailure(failure_);
}

}  // namespace mmaprint
