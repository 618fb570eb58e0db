// Which helpers come along with an emitted Octave function.
#include "emit/octave_prelude.h"

#include <gtest/gtest.h>

namespace mmaprint::emit {
namespace {

TEST(OctavePrelude, HasWhatIsCalledWhateverStandsBeforeTheCall) {
  for (const char* before : {" ", "(", "~", "-", "[", ",", "!"})
    EXPECT_NE(octave_prelude(std::string("y = x") + before + "wide_equal(x, y);").find("= wide_equal("),
              std::string::npos)
        << before;
  EXPECT_NE(octave_prelude("wide_equal(x, y)").find("= wide_equal("), std::string::npos);
}

TEST(OctavePrelude, HasWhatHelpersCallAndNothingElse) {
  EXPECT_EQ(octave_prelude("y = x + 1;"), "");
  EXPECT_EQ(octave_prelude("y = not_wide_equal(x);"), "");
  const std::string all = octave_prelude("y = wide_resized(x, 4);");
  EXPECT_NE(all.find("= wide_resized("), std::string::npos);
  EXPECT_EQ(all.find("= wide_equal("), std::string::npos);
}

}  // namespace
}  // namespace mmaprint::emit
