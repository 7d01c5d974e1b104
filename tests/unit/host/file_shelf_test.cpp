#include "perigee/host/file_shelf.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <vector>

#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

namespace fs = std::filesystem;

struct AFileShelf : testing::Test {
  TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "shelf";

  FileShelf open(std::uint32_t files_max, std::uint64_t bytes_max) const {
    return *FileShelf::open({folder, ".thing", files_max, bytes_max});
  }
  static std::vector<std::byte> bytes(std::size_t size) { return std::vector<std::byte>(size); }
  /// Sets the file's age.
  void age(const std::string& name, int hours) const {
    fs::last_write_time(folder / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  bool write_something(const std::string& name) const {
    std::ofstream file(folder / name);
    file << "something";
    return static_cast<bool>(file.flush());
  }
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
    return out;
  }
};

TEST_F(AFileShelf, KeepsTheNewest) {
  FileShelf shelf = open(2, 1000);
  ASSERT_TRUE(shelf.put("a", bytes(10)).ok());
  age("a.thing", 2);
  ASSERT_TRUE(shelf.put("b", bytes(10)).ok());
  age("b.thing", 1);
  ASSERT_TRUE(shelf.put("c", bytes(10)).ok());
  EXPECT_EQ(names(), (std::set<std::string>{"b.thing", "c.thing"}));
}

TEST_F(AFileShelf, KeepsNoMoreBytesThanItMay) {
  FileShelf shelf = open(10, 100);
  ASSERT_TRUE(shelf.put("a", bytes(60)).ok());
  age("a.thing", 1);
  ASSERT_TRUE(shelf.put("b", bytes(60)).ok());
  EXPECT_EQ(names(), (std::set<std::string>{"b.thing"}));
  EXPECT_FALSE(shelf.put("c", bytes(101)).ok());
  EXPECT_EQ(shelf.lost(), 1U);
}

TEST_F(AFileShelf, LeavesAloneWhatIsNotItsOwn) {
  FileShelf shelf = open(1, 1000);
  fs::create_directories(folder / "below");
  ASSERT_TRUE(write_something("notes.txt"));
  ASSERT_TRUE(shelf.put("a", bytes(1)).ok());
  ASSERT_TRUE(shelf.put("b", bytes(1)).ok());
  EXPECT_EQ(names().count("notes.txt"), 1U);
  EXPECT_EQ(names().count("below"), 1U);
}

TEST_F(AFileShelf, CountsWhatItCannotWriteAndGoesOn) {
  FileShelf shelf = open(2, 1000);
  fs::create_directory(folder / "a.thing.unfinished");  // blocks the temporary file
  const auto refused = shelf.put("a", bytes(10));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("a.thing"), std::string::npos);
  EXPECT_EQ(shelf.lost(), 1U);
  EXPECT_TRUE(shelf.put("b", bytes(10)).ok());
  EXPECT_EQ(shelf.written(), 1U);
}

TEST_F(AFileShelf, SaysWhyItCannotBeOpened) {
  const auto refused = FileShelf::open({"/proc/no/such", ".thing", 1, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("set another folder"), std::string::npos);
}

}  // namespace
}  // namespace perigee::host
