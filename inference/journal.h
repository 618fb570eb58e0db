// The record of a run, line by line as it goes, from which it can be resumed.
//
// JSON Lines. A header line opens each instruction: what is searched, on which device. Observations follow,
// and at the end of an instruction its identification. What is written together is a batch: a line with a
// checksum closes it, and it is on the disk before anything is concluded
// from it or asked next.
//
// So a process that is killed, or a machine without power, loses at most the batch that was being written.
// Of a batch that is not closed, reading keeps the whole lines, and cuts off the last one where it is torn,
// and says so; a checksum that is wrong is an error. Journals of before have no such lines, and are read all
// the same. Observations are facts about a device and an instruction, whatever space was searched: a run that
// searches another space writes a new header and goes on from all of them. A journal of another device, K or
// format is refused.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>

#include "base/deadline.h"
#include "base/descriptor.h"
#include "base/json_source.h"
#include "inference/assumption.h"
#include "model/batch.h"
#include "model/instruction.h"

namespace mmaprint {

inline constexpr std::string_view kJournalSchema = "mmaprint/journal/1";

/// Where results come from; stands in journals and certificates.
struct Provenance {
  std::string version;  ///< of this tool
  std::string device;
  std::uint64_t seed = 1;
};

/// One instruction's part of a journal.
struct JournalEntry {
  Provenance from;
  Search search;
  std::vector<Observation> observations;       ///< in the order in which they were made
  std::shared_ptr<const Json> identification;  ///< the last one recorded, if any
};
struct JournalContents {
  std::vector<JournalEntry> entries;  ///< in the order of their first header; each as its last one says
  std::vector<std::string> warnings;  ///< such as an incomplete last line that was dropped
  std::size_t complete_bytes = 0;     ///< up to the end of the last complete line
  bool newline_missing = false;       ///< that line lacks its end
  OpenLines open;                     ///< the lines that no checksum covers
};
/// Throws BadInput with file and line unless the text is a journal, or empty, and DeadlinePassed.
[[nodiscard]] JournalContents read_journal_text(std::string_view text, const std::string& file,
                                                const Deadline& deadline = {});

/// Writing failed (no space left, say). One line, with the file. What was written before is whole.
class JournalFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Several instructions may be written at once, each by a thread of its own. After a failure every further
/// call that writes fails alike.
class Journal {
 public:
  /// Opens the file for appending, or creates it. What it holds already is read first: throws BadInput if
  /// that is no journal, one of another device, or one that another run is writing. A torn last line is cut
  /// off, and an open batch closed. Throws JournalFailure if the file can't be written, and DeadlinePassed,
  /// the file as it was, if not all was read in time.
  Journal(std::string path, Provenance from, const Deadline& deadline = {});

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// What is recorded of an instruction so far.
  [[nodiscard]] std::vector<Observation> recorded(std::string_view instruction);
  /// What was searched for it last; nullopt where it is not recorded.
  [[nodiscard]] std::optional<Search> searched(std::string_view instruction);
  /// Begins an instruction, or resumes it: the observations recorded so far. Throws BadInput if the journal
  /// has it with another K or other formats, and JournalFailure.
  [[nodiscard]] std::vector<Observation> begin(const Search& search);
  /// Appends a batch of observations of an instruction that was begun; one that the journal has already is
  /// not written twice. They are on the disk when this returns. Throws JournalFailure.
  void record(std::string_view instruction, std::span<const Observation> observations);
  /// Appends an instruction's identification document, likewise.
  void record_identification(const Json& document);

 private:
  /// What the journal holds of one instruction.
  struct Part {
    JournalEntry entry;
    std::set<Observation> recorded;
    bool begun = false;  ///< by this run
  };
  [[nodiscard]] Part* find(std::string_view instruction);
  void take(JournalContents contents);
  /// These three under `mutex_`. A batch of lines, and the one that closes it.
  void append(const std::vector<Json>& lines);
  void write(std::string_view text);
  [[noreturn]] void fail(const std::string& reason);
  /// Returns when all that was appended is on the disk. One thread's flush serves all that wait.
  void flush();

  std::string path_;
  Provenance from_;
  Descriptor file_;
  std::vector<std::string> warnings_;
  std::mutex mutex_;  ///< of what follows
  std::vector<Part> parts_;
  std::string failure_;
  std::atomic<std::uint64_t> written_ = 0;  ///< batches
  std::mutex flushing_;
  std::uint64_t flushed_ = 0;  ///< batches; under `flushing_`
};

}  // namespace mmaprint
