// Models and observations in files.
#include "device/read.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/bad_input.h"
#include "device/catalogue.h"
#include "support/folder.h"

namespace mmaprint::read_test {
namespace {

using test::Folder;

UnitModel v100() { return *catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32"); }
UnitModel a100() { return *catalogued_model("a100", "mma.m16n8k8.f32.f16.f16.f32"); }

std::string complaint_about(const std::string& path) {
  try {
    (void)load_model(path);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(LoadModel, ReadsModelsIdentificationsAndCertificateDirectories) {
  const Folder folder;
  EXPECT_EQ(std::get<UnitModel>(load_model(folder.write("m.json", to_json(a100()).dump()))), a100());
  const Json identification{
      {"schema", kIdentificationSchema}, {"verdict", "unique"}, {"model", to_json(v100())}};
  EXPECT_EQ(std::get<UnitModel>(load_model(folder.write("id.json", identification.dump()))), v100());
  (void)folder.write("model.json", to_json(a100()).dump());
  EXPECT_EQ(std::get<UnitModel>(load_model(folder.path())), a100());
}

TEST(LoadModel, NamesTheFileThatHasNone) {
  const Folder folder;
  const std::string empty =
      folder.write("none.json", R"({"schema":"mmaprint/identification/1","model":null})");
  EXPECT_EQ(complaint_about(empty).find(empty + ":1: "), 0U) << complaint_about(empty);
  EXPECT_EQ(complaint_about(folder / "absent"),
            folder / "absent" + ": expected a readable file: No such file or directory");
}

TEST(LoadModel, DoesNotWaitForAPipesWriterBeyondTheDeadline) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW((void)load_model(pipe, Deadline(0)), DeadlinePassed);
}

}  // namespace
}  // namespace mmaprint::read_test
