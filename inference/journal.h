// The record of a run, line by line as it goes, from which it can be resumed.
//
// JSON Lines. A header line opens each instruction: what is searched, on which device. Observations follow,
// each written before anything is concluded from it, and at the end of an instruction its identification. A
// process that is killed loses at most the line that it was writing: an incomplete last line is dropped, and
// reading says so. Observations are facts about a device and an instruction, whatever space was searched: a
// run that searches another space writes a new header and goes on from all of them. A journal of another
// device, K or format is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>

#include "inference/assumption.h"
#include "model/instruction.h"
#include "model/json_source.h"

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
};
/// Throws BadInput with file and line unless the text is a journal, or empty.
[[nodiscard]] JournalContents read_journal_text(std::string_view text, const std::string& file);
/// The same for a file, which must hold a header at least.
[[nodiscard]] JournalContents read_journal(const std::string& path);

/// Writing failed (no space left, say). One line, with the file.
class JournalFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Several instructions may be written at once, each by a thread of its own.
class Journal {
 public:
  /// Opens the file for appending, or creates it. What it holds already is read first: throws BadInput if
  /// that is no journal, one of another device, or one that another run is writing. An incomplete last line
  /// is cut off. Throws JournalFailure if the file can't be written.
  Journal(std::string path, Provenance from);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// Begins an instruction, or resumes it: the observations recorded so far. Throws BadInput if the journal
  /// has it with another K or other formats.
  [[nodiscard]] std::vector<Observation> begin(const Search& search);
  /// Appends one observation of an instruction that was begun; one that the journal has already is not
  /// written twice. Throws JournalFailure.
  void record(std::string_view instruction, const Observation& observation);
  /// Appends an instruction's identification document.
  void record_identification(const Json& document);

 private:
  /// What the journal holds of one instruction.
  struct Part {
    JournalEntry entry;
    std::set<Observation> recorded;
    bool begun = false;  ///< by this run
  };
  [[nodiscard]] Part* find(std::string_view instruction);
  void append(const Json& line);
  void write(std::string_view text);

  std::string path_;
  Provenance from_;
  std::vector<std::string> warnings_;
  std::vector<Part> parts_;
  int file_ = -1;
  std::mutex mutex_;
};

}  // namespace mmaprint
