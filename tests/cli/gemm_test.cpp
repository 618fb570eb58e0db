// `check --gemm`: somebody else's product of matrices, replayed.
#include <gtest/gtest.h>

#include <cstring>

#include "program.h"

namespace mmaprint::test::gemm_test {
namespace {

const std::string kUnit = "sim:a100#mma.m16n8k16.f32.f16.f16.f32";

/// A .npy file as NumPy writes it.
template <class T>
std::string npy(const std::string& type, std::size_t rows, std::size_t columns,
                const std::vector<T>& elements, bool by_columns = false) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  while ((header.size() + 11) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(header.size() & 0xffU) +
                     static_cast<char>(header.size() >> 8) + header;
  const std::size_t begin = file.size();
  file.resize(begin + elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(file.data() + begin, elements.data(), elements.size() * sizeof(T));
  return file;
}

/// 2 x 20 by 20 x 3, all ones; so d is 20 everywhere, in two steps.
class Gemm : public testing::Test {
 protected:
  using Halves = std::vector<std::uint16_t>;
  static constexpr std::uint16_t kOne = 0x3c00;

  [[nodiscard]] Finished check(const std::string& d, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"check", kUnit, "--gemm", a_, b_, folder_.file("d.npy", d)};
    all.insert(all.end(), more.begin(), more.end());
    return mmaprint(all);
  }
  static std::string expect_one_line(const Finished& finished) {
    EXPECT_EQ(finished.exit, 2) << finished.out << finished.err;
    EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
    return finished.err;
  }

  Folder folder_;
  std::string a_ = folder_.file("a.npy", npy("<f2", 2, 20, Halves(40, kOne)));
  std::string b_ = folder_.file("b.npy", npy("<u2", 20, 3, Halves(60, kOne)));
  std::vector<float> twenty_ = std::vector<float>(6, 20);
};

TEST_F(Gemm, IsConsistentWhereTheModelGivesIt) {
  const Finished text = check(npy("<f4", 2, 3, twenty_));
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("the model gives all of 6 elements"), std::string::npos) << text.out;
  EXPECT_EQ(check(npy("<f4", 2, 3, twenty_), {"--json"}).json().at("verdict"), "consistent");
}

TEST_F(Gemm, SaysWhereItDiffersAndShowsTheFirstElement) {
  twenty_[4] = 21;
  twenty_[5] = 22;
  const Finished text = check(npy("<f4", 2, 3, twenty_));
  EXPECT_EQ(text.exit, 1) << text.err;
  for (const char* part :
       {"2 of 6 elements differ, in 1 of 2 rows and 2 of 3 columns", "row 1, column 1, step 2 of 2",
        "41a80000", "41a00000", "41800000"})  // 21, 20 and the c of the last step, 16
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  const auto document = check(npy("<f4", 2, 3, twenty_), {"--json"}).json();
  EXPECT_EQ(document.at("schema"), "mmaprint/gemm-check/1");
  EXPECT_EQ(document.at("elements"), 6);
  EXPECT_EQ(document.at("differing"), 2);
  EXPECT_EQ(document.at("first"),
            nlohmann::json::parse(R"({"row":1,"column":1,"expected":"41a00000","observed":"41a80000"})"));
}

TEST_F(Gemm, ReadsCAndFortranOrder) {
  const std::string c = folder_.file("c.npy", npy("<f4", 2, 3, std::vector<float>{0, 1, 2, 3, 4, 5}));
  // Columns one after the other.
  const std::string d =
      folder_.file("d.npy", npy("<f4", 2, 3, std::vector<float>{20, 23, 21, 24, 22, 25}, true));
  const Finished both = mmaprint({"check", kUnit, "--gemm", a_, b_, c, d});
  EXPECT_EQ(both.exit, 0) << both.out << both.err;
}

TEST_F(Gemm, RefusesWhatItCannotReadInOneLine) {
  const std::string good = npy("<f4", 2, 3, twenty_);
  EXPECT_NE(expect_one_line(check(good.substr(0, good.size() - 1))).find("found 23 bytes"),
            std::string::npos);
  EXPECT_NE(expect_one_line(check(good.substr(0, 40))).find("the header is cut short"), std::string::npos);
  EXPECT_NE(expect_one_line(check("not NumPy's")).find("expected a .npy file"), std::string::npos);
  EXPECT_NE(expect_one_line(check(npy("<f4", 3, 2, twenty_))).find("shape: expected (2, 3), found (3, 2)"),
            std::string::npos);
  EXPECT_NE(expect_one_line(check(npy("<f2", 2, 3, Halves(6, kOne)))).find("dtype: expected"),
            std::string::npos);
  EXPECT_NE(expect_one_line(check(npy(">f4", 2, 3, twenty_))).find("little-endian"), std::string::npos);
  EXPECT_NE(expect_one_line(check(npy("<u8", 2, 3, std::vector<std::uint64_t>(6, 1ULL << 32))))
                .find("row 0, column 0: expected a pattern of 32 bits"),
            std::string::npos);
  EXPECT_NE(expect_one_line(mmaprint({"check", kUnit, "--gemm", a_, b_})).find("--gemm"), std::string::npos);
  EXPECT_NE(expect_one_line(mmaprint({"check", kUnit})).find("OBSERVATIONS is required"), std::string::npos);
  EXPECT_NE(expect_one_line(mmaprint({"check", kUnit, "--gemm", a_, b_, folder_.path("none.npy")}))
                .find("none.npy"),
            std::string::npos);
}

TEST_F(Gemm, SaysWhyAUnitMultipliesNoSuchMatrices) {
  const std::string d = folder_.file("d.npy", npy("<f4", 2, 3, twenty_));
  const Finished no = mmaprint({"check", "sim:v100#mma.m8n8k4.f32.f16.f16.f16", "--gemm", a_, b_, d});
  EXPECT_NE(expect_one_line(no).find("its c is fp16, its d fp32, and an element has 20 products"),
            std::string::npos);
}

TEST_F(Gemm, TellsNanPatternsApartWhereTheUnitHasOne) {
  const std::string a = folder_.file("nan.npy", npy("<f2", 2, 20, Halves(40, 0x7e00)));
  const auto with = [&](std::uint32_t nan) {
    const std::string d = folder_.file("d.npy", npy("<u4", 2, 3, std::vector<std::uint32_t>(6, nan)));
    return mmaprint({"check", kUnit, "--gemm", a, b_, d}).exit;
  };
  EXPECT_EQ(with(0x7fffffff), 0);
  EXPECT_EQ(with(0x7fc00000), 1);
}

}  // namespace
}  // namespace mmaprint::test::gemm_test
