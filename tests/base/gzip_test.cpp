// Compressed texts: read back as they were, refused where they are not whole.
#include "base/gzip.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace mmaprint::gzip_test {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 30;

TEST(Gzip, GivesBackEveryTextOnRandomInputs) {
  test::Random random(test::starting_seed(2'900));
  for (long i = test::count(60); i > 0; --i) {
    std::string text;
    const int letters = random.between(1, 255);
    for (int n = random.between(0, 1) * random.between(0, 300'000); n > 0; --n)
      text += static_cast<char>(random.between(0, letters));
    const std::string file = gzip(text);
    EXPECT_EQ(gzip(text), file);
    ASSERT_EQ(gunzip(file, kMuch), text);
    ASSERT_EQ(gunzip(file, text.size()), text);
    if (!text.empty()) {
      ASSERT_EQ(gunzip(file, text.size() - 1), std::nullopt);
    }
  }
}

TEST(Gzip, RefusesWhatIsNotOneWholeFile) {
  const std::string file = gzip("some text, some text, some text");
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_EQ(gunzip(std::string_view(file).substr(0, size), kMuch), std::nullopt) << size;
  EXPECT_EQ(gunzip(file + "x", kMuch), std::nullopt);
  EXPECT_EQ(gunzip(file + file, kMuch), std::nullopt);
  EXPECT_EQ(gunzip("some text", kMuch), std::nullopt);
  std::string changed = file;
  changed[changed.size() - 6] ^= 1;
  EXPECT_EQ(gunzip(changed, kMuch), std::nullopt) << "its checksum";
}

TEST(Gzip, UnpacksInTimeOrNotAtAll) {
  EXPECT_THROW((void)gunzip(gzip("text"), 100, Deadline(0.0)), DeadlinePassed);
}

TEST(Gzip, HoldsNoMoreThanItMay) {
  const std::string bomb = gzip(std::string(std::size_t{1} << 26, '0'));
  EXPECT_LT(bomb.size(), std::size_t{1} << 18);
  EXPECT_EQ(gunzip(bomb, 1'000), std::nullopt);
}

}  // namespace
}  // namespace mmaprint::gzip_test
