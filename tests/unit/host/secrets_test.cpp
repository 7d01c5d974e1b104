#include "perigee/host/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>
#include <vector>

#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

namespace fs = std::filesystem;

void write_secret(const fs::path& path, const std::string& text,
                  fs::perms mode = fs::perms::owner_read | fs::perms::owner_write) {
  std::ofstream(path) << text;
  fs::permissions(path, mode);
}

TEST(Keys, AreMadeOnceAndReadableByTheirOwnerOnly) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "secrets" / "backend.key";
  const auto first = load_or_create_keys(path);
  const auto second = load_or_create_keys(path);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->current, second->current);
  EXPECT_NE(first->current, Key{});
  EXPECT_FALSE(first->previous);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(path.parent_path()).permissions(), fs::perms::owner_all);
}

TEST(Keys, AreTheSameForProcessesThatStartAtOnce) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  std::vector<Key> keys(8);
  std::vector<std::thread> threads;
  for (Key& key : keys) {
    threads.emplace_back([&] { key = load_or_create_keys(path).value().current; });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(keys, testing::Each(keys.front()));
}

TEST(Keys, OfTheWrongLengthAreRefusedWithARemedy) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  const std::string good(64, 'a');
  for (const std::string& text : {std::string("abcd"), std::string(64, 'x'), std::string(),
                                  good + "\nabcd", good + "\n" + good + "\n" + good}) {
    write_secret(path, text + "\n");
    const auto key = load_or_create_keys(path);
    ASSERT_FALSE(key.ok());
    EXPECT_THAT(key.error().message, testing::HasSubstr("remove the file"));
  }
}

TEST(Keys, OnTwoLinesAreTheCurrentAndThePrevious) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  std::string text(64, 'a');
  text += "\n";
  text.append(64, 'B');
  write_secret(path, text);
  const auto keys = load_keys(path);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(keys->current[0], std::byte{0xaa});
  ASSERT_TRUE(keys->previous);
  EXPECT_EQ((*keys->previous)[31], std::byte{0xbb});
}

TEST(Keys, AreNotMadeByWhoeverOnlyReadsThemAgain) {
  TemporaryFolder folder;
  EXPECT_FALSE(load_keys(folder.path() / "backend.key").ok());
  EXPECT_FALSE(fs::exists(folder.path() / "backend.key"));
}

TEST(Keys, InAFolderThatCannotBeMadeAreRefusedWithARemedy) {
  TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "not a folder";
  EXPECT_FALSE(load_or_create_keys(folder.path() / "file" / "backend.key").ok());
}

TEST(Keys, ThatOthersMayReadOrWriteAreRefusedWithARemedy) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  for (const unsigned more : {0040U, 0020U, 0004U, 0002U}) {
    write_secret(path, std::string(64, 'a'), static_cast<fs::perms>(0600U | more));
    const auto keys = load_keys(path);
    ASSERT_FALSE(keys.ok()) << std::oct << more;
    EXPECT_THAT(keys.error().message, testing::HasSubstr("chmod 600 " + path.string()));
  }
  write_secret(path, std::string(64, 'a'), fs::perms::owner_read);
  EXPECT_TRUE(load_keys(path).ok());
}

TEST(Keys, OnAReadOnlyMountMayHaveAnyMode) {
  EXPECT_TRUE(well_kept(0444, true));
  EXPECT_FALSE(well_kept(0444, false));
}

TEST(Keys, OfZerosAreRefused) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  const std::string good(64, 'a'), zeros(64, '0');
  for (const std::string& text : {zeros, zeros + "\n" + good, good + "\n" + zeros}) {
    write_secret(path, text);
    const auto keys = load_keys(path);
    ASSERT_FALSE(keys.ok());
    EXPECT_THAT(keys.error().message, testing::HasSubstr("openssl rand -hex 32"));
  }
}

TEST(Keys, InPlaceOfWhichThereIsSomethingElseAreRefusedWithASentence) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "backend.key";
  fs::create_directory(path);
  EXPECT_THAT(load_keys(path).error().message, testing::HasSubstr("not a regular file"));
  EXPECT_FALSE(load_or_create_keys(path).ok());
  EXPECT_FALSE(load_or_create_secret(path).ok());
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(load_keys(path).error().message, testing::HasSubstr("not a regular file"));
  fs::remove(path);
  write_secret(path, std::string(5'000, 'a'));
  EXPECT_THAT(load_keys(path).error().message, testing::HasSubstr("4096 bytes"));
}

TEST(Secrets, AreAtLeastSixteenCharacters) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "dev_secret";
  const auto made = load_or_create_secret(path);
  ASSERT_TRUE(made.ok());
  EXPECT_GE(made->size(), 16U);
  write_secret(path, "short\n");
  EXPECT_FALSE(load_or_create_secret(path).ok());
}

}  // namespace
}  // namespace perigee::host
