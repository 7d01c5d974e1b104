#include "perigee/host/durable_file.hpp"
#include "perigee/host/read_file.hpp"

#include <gtest/gtest.h>

#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

struct ADurableFile : testing::Test {
  TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

TEST_F(ADurableFile, IsReadAsItWasWritten) {
  const auto file = folder / "below" / "file";
  ASSERT_TRUE(write_durably(file, "first").ok());
  const std::string second(100'000, 'x');
  ASSERT_TRUE(write_durably(file, second).ok());
  const auto read = read_if_present(file);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, second);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "below"), {}), 1)
      << "nothing is left beside it";
}

TEST_F(ADurableFile, ThatIsMissingIsNoError) {
  const auto read = read_if_present(folder / "nothing");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, std::nullopt);
}

TEST_F(ADurableFile, WithAFolderInItsPlaceIsAnError) {
  const auto read = read_if_present(folder);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("move that folder away"), std::string::npos);
}

TEST_F(ADurableFile, ThatIsTooLongIsAnError) {
  ASSERT_TRUE(write_durably(folder / "file", "12345").ok());
  EXPECT_TRUE(read_if_present(folder / "file", 5).ok());
  EXPECT_FALSE(read_if_present(folder / "file", 4).ok());
}

TEST_F(ADurableFile, SaysWhyItCannotBeWritten) {
  ASSERT_TRUE(write_durably(folder / "file", "text").ok());
  const auto below_a_file = write_durably(folder / "file" / "file", "text");
  ASSERT_FALSE(below_a_file.ok());
  EXPECT_NE(below_a_file.error().message.find("--state-dir"), std::string::npos);
}

TEST_F(ADurableFile, IsHeldByOneAtATime) {
  {
    const auto first = FileLock::take(folder / "lock", "program");
    ASSERT_TRUE(first.ok());
    const auto second = FileLock::take(folder / "lock", "program");
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().message.find("another program"), std::string::npos);
  }
  EXPECT_TRUE(FileLock::take(folder / "lock", "program").ok());
}

}  // namespace
}  // namespace perigee::host
