// Files: limits on what is read, and nothing of anyone else's touched by what is written.
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/checksum.h"
#include "base/new_file.h"
#include "support/folder.h"

namespace mmaprint::files_test {
namespace {

namespace fs = std::filesystem;

using test::Folder;

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

template <class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no complaint";
}

void write_new(const std::string& place, const std::string& text) {
  Temporaries temporaries;
  NewFile file(place, temporaries);
  EXPECT_EQ(write_all(file.descriptor(), text).error, 0);
  EXPECT_EQ(file.put_in_place(), 0);
}

using Names = std::set<std::string>;

TEST(ReadFile, GivesAllOfAFileUpToTheLimit) {
  const Folder folder;
  const std::string text(300'000, 'x');
  put(folder / "f", text);
  EXPECT_EQ(read_file(folder / "f"), text);
  EXPECT_EQ(read_file(folder / "f", text.size()), text);
  EXPECT_EQ(complaint([&] { (void)read_file(folder / "f", text.size() - 1); }),
            (folder / "f") + ": expected at most 299999 bytes");
  put(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "empty", 0), "");
}

TEST(ReadFile, StopsAtTheLimitWhereAFileDoesNotTellItsSize) {
  EXPECT_EQ(complaint([] { (void)read_file("/dev/zero", 100'000); }),
            "/dev/zero: expected at most 100000 bytes");
}

TEST(ReadFile, ReadsNothingButRegularFilesWhereTheyAreAskedFor) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "link");
  for (const std::string& name : {folder / "fifo", folder / "link", std::string("/dev/null")})
    EXPECT_EQ(complaint([&] { (void)read_file(name, kLargestText, FileKind::regular); }),
              name + ": expected a readable file: is no regular file");
}

TEST(ReadFile, SaysWhyItCannot) {
  EXPECT_EQ(complaint([] { (void)read_file("/nonexistent"); }),
            "/nonexistent: expected a readable file: No such file or directory");
  EXPECT_EQ(complaint([] { (void)read_file("/"); }), "/: expected a readable file: is a directory");
  EXPECT_EQ(complaint([] { (void)read_file("/proc/self/mem"); }),
            "/proc/self/mem: expected a readable file: Input/output error");
}

TEST(NewFile, AppearsOnlyWhenItIsDone) {
  const Folder folder;
  Temporaries temporaries;
  {
    NewFile file(folder / "f", temporaries);
    EXPECT_EQ(write_all(file.descriptor(), "half").error, 0);
    EXPECT_FALSE(fs::exists(folder / "f"));
  }
  EXPECT_EQ(folder.names(), Names{});
  write_new(folder / "f", "whole");
  EXPECT_EQ(folder.names(), Names{"f"});
  EXPECT_EQ(read_file(folder / "f"), "whole");
}

TEST(NewFile, KeepsThePermissionsOfWhatItReplaces) {
  const Folder folder;
  put(folder / "f", "old");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0640), 0);
  write_new(folder / "f", "new");
  EXPECT_EQ(read_file(folder / "f"), "new");
  EXPECT_EQ(fs::status(folder / "f").permissions(), static_cast<fs::perms>(0640));
}

TEST(NewFile, ReplacesWhatALinkPointsToAndKeepsTheLink) {
  const Folder folder;
  fs::create_directory(folder / "elsewhere");
  put(folder / "elsewhere/f", "old");
  fs::create_symlink("elsewhere/f", folder / "link");
  write_new(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "elsewhere/f"), "new");
  fs::create_symlink("nothing", folder / "dangling");
  EXPECT_EQ(complaint([&] { write_new(folder / "dangling", "new"); }),
            (folder / "dangling") + ": can't be written: is a symbolic link to nothing");
  EXPECT_EQ(folder.names(), (Names{"dangling", "elsewhere", "link"}));
}

TEST(NewFile, TouchesNothingElseInItsFolder) {
  const Folder folder;
  put(folder / "precious", "mine");
  for (const char* name : {"f.part", "f.partial", "f.tmp", ".f", "f~"})
    fs::create_symlink("precious", folder / name);
  const Names before = folder.names();
  write_new(folder / "f", "new");
  EXPECT_EQ(read_file(folder / "precious"), "mine");
  Names after = folder.names();
  EXPECT_EQ(after.erase("f"), 1U);
  EXPECT_EQ(after, before);
}

TEST(NewFile, IsRefusedWhereNoFileCanBe) {
  const Folder folder;
  EXPECT_NE(complaint([&] { write_new(folder / "no/such", ""); }).find("No such file or directory"),
            std::string::npos);
  fs::create_directory(folder / "d");
  EXPECT_NE(complaint([&] { write_new(folder / "d", ""); }).find("is no regular file"), std::string::npos);
  EXPECT_NE(complaint([&] { write_new(folder / "e/", ""); }).find("Is a directory"), std::string::npos);
}

TEST(NewFolder, AppearsOnlyWhenItIsDone) {
  const Folder folder;
  Temporaries temporaries;
  {
    const NewFolder fresh(folder / "d", temporaries);
    fresh.add_file("f", "text");
    EXPECT_FALSE(fs::exists(folder / "d"));
  }
  EXPECT_EQ(folder.names(), Names{});
  NewFolder fresh(folder / "above/d/", temporaries);
  fresh.add_folder("sub");
  fresh.add_file("sub/f", "text");
  EXPECT_FALSE(fresh.put_in_place());
  EXPECT_EQ(read_file(folder / "above/d/sub/f"), "text");
}

TEST(NewFolder, TakesThePlaceOfAnEmptyOne) {
  const Folder folder;
  Temporaries temporaries;
  fs::create_directory(folder / "d");
  NewFolder fresh(folder / "d", temporaries);
  fresh.add_file("f", "text");
  EXPECT_FALSE(fresh.put_in_place());
  EXPECT_EQ(folder.names(), Names{"d"});
  EXPECT_EQ(read_file(folder / "d/f"), "text");
}

TEST(NewFolder, HandsOverTheOneThatItReplaces) {
  const Folder folder;
  Temporaries temporaries;
  fs::create_directory(folder / "d");
  put(folder / "d/old", "old");
  fs::create_symlink("d", folder / "link");
  NewFolder fresh(folder / "link", temporaries);
  fresh.add_file("new", "new");
  const auto former = fresh.put_in_place();
  ASSERT_TRUE(former);
  EXPECT_EQ(read_file(former->string() + "/old"), "old");
  EXPECT_EQ(read_file(folder / "d/new"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST(Temporaries, AreRemovedForWhoeverEndsTheProcess) {
  const Folder folder;
  Temporaries temporaries;
  const NewFile file(folder / "f", temporaries);
  const NewFolder fresh(folder / "d", temporaries);
  fresh.add_file("f", "text");
  EXPECT_EQ(write_all(file.descriptor(), "half").error, 0);
  EXPECT_EQ(folder.names().size(), 2U);
  (void)temporaries.remove_all();
  EXPECT_EQ(folder.names(), Names{});
}

TEST(FileName, IsOneToOneWithTheText) {
  EXPECT_EQ(file_name_of("mma.m16n8k8.f32.f16.f16.f32"), "mma.m16n8k8.f32.f16.f16.f32");
  EXPECT_EQ(file_name_of("a/b c"), "a%2fb%20c");
  EXPECT_EQ(file_name_of("Dot"), "%44ot");
  EXPECT_EQ(file_name_of(".."), "%2e.");
  std::set<std::string> names{file_name_of("")};
  // All texts of two bytes, and what their names look like.
  for (int i = 1; i < 65536; ++i) {
    const std::string text{static_cast<char>(i >> 8), static_cast<char>(i & 255)};
    const std::string name = file_name_of(text);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(names.insert(file_name_of(name + "x")).second) << name;
    EXPECT_TRUE(std::ranges::none_of(name, [](char ch) { return ch == '/' || ch == 0 || std::isupper(ch); }));
  }
}

TEST(Checksum, IsFnv1a) {
  EXPECT_EQ(fnv1a64(""), "cbf29ce484222325");
  EXPECT_EQ(fnv1a64("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fnv1a64("foobar"), "85944171f73967e8");
}

// FIPS 180-2, appendix B.
TEST(Sha256, IsAsTheStandardsExamplesSay) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(ReadFile, WaitsForAPipesWriterUntilTheDeadlineOnly) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW((void)read_file(pipe, kLargestText, FileKind::any, Deadline(0)), DeadlinePassed);
  std::stop_source stop;
  std::thread writer([&] {
    const Descriptor fd(::open(pipe.c_str(), O_WRONLY));
    EXPECT_EQ(write_all(fd.get(), "all of it").error, 0);
  });
  EXPECT_EQ(read_file(pipe, kLargestText, FileKind::any, Deadline(std::nullopt, stop.get_token())),
            "all of it");
  writer.join();
  // One who opens it and writes nothing.
  const Descriptor silent(::open(pipe.c_str(), O_RDWR | O_NONBLOCK));
  std::thread asks([&] { stop.request_stop(); });
  EXPECT_THROW((void)read_file(pipe, kLargestText, FileKind::any, Deadline(std::nullopt, stop.get_token())),
               DeadlinePassed);
  asks.join();
}

TEST(WriteAll, WaitsForAReaderUntilTheDeadlineOnlyAndSaysHowFarItCame) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Descriptor reads(ends[0]), writes(ends[1]);
  const std::string text(std::size_t{1} << 20, 'x');
  const Written written = write_all(writes.get(), text, Deadline(0));
  EXPECT_EQ(written.error, ETIMEDOUT);
  EXPECT_GT(written.bytes, 0U);
  EXPECT_LT(written.bytes, text.size());
  std::thread reader([&] {
    std::size_t left = text.size();
    std::vector<char> chunk(65536);
    while (left > 0) left -= read_some(reads.get(), "pipe", chunk, Deadline());
  });
  const Written rest = write_all(writes.get(), std::string_view(text).substr(written.bytes), Deadline());
  EXPECT_EQ(rest.error, 0);
  EXPECT_EQ(written.bytes + rest.bytes, text.size());
  reader.join();
}

TEST(Deadline, IsPutOffForWhatHasToBeWrittenDownAllTheSame) {
  std::stop_source stop;
  EXPECT_FALSE(Deadline(0).not_before(100).passed());
  EXPECT_GT(Deadline(500).not_before(100).remaining(), 200);
  const Deadline open(std::nullopt, stop.get_token());
  const Deadline later = open.not_before(100);
  stop.request_stop();
  EXPECT_TRUE(later.passed()) << "a stop from now on ends it";
  EXPECT_FALSE(open.not_before(100).passed()) << "one from before does not";
}

}  // namespace
}  // namespace mmaprint::files_test
