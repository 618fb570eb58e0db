// `--dump DIR`: a folder of hard queries for each instruction that is identified.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/instruction.h"
#include "solver/query_folder.h"

namespace mmaprint {

class QueryFolders {
 public:
  /// `place_of`: an instruction's folder. Throws BadInput as QueryFolder does.
  void open(const std::vector<Instruction>& instructions,
            const std::function<std::string(const std::string& instruction)>& place_of);
  /// nullptr where none was opened.
  [[nodiscard]] QueryFolder* of(const std::string& instruction);
  /// What could not be written, a line each. To be asked when nothing is written any more.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  std::map<std::string, QueryFolder> folders_;
};

}  // namespace mmaprint
