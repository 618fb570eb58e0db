#include "cli/query_folders.h"

namespace mmaprint {

void QueryFolders::open(const std::vector<Instruction>& instructions,
                        const std::function<std::string(const std::string&)>& place_of) {
  for (const Instruction& i : instructions) folders_.try_emplace(i.name, place_of(i.name));
}

QueryFolder* QueryFolders::of(const std::string& instruction) {
  const auto folder = folders_.find(instruction);
  return folder == folders_.end() ? nullptr : &folder->second;
}

std::vector<std::string> QueryFolders::problems() const {
  std::vector<std::string> all;
  for (const auto& [instruction, folder] : folders_)
    if (!folder.problem().empty()) all.push_back(folder.problem());
  return all;
}

}  // namespace mmaprint
