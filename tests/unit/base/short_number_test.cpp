#include "perigee/base/short_number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

std::vector<std::byte> written(std::uint16_t number) {
  std::array<std::byte, 3> buffer{};
  ByteWriter writer(buffer);
  EXPECT_TRUE(walk_short_number(writer, number));
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(writer.size())};
}

TEST(AShortNumber, ComesBackFromOneToThreeBytes) {
  for (std::uint32_t i = 0; i <= 0xffff; ++i) {
    const auto number = static_cast<std::uint16_t>(i);
    const auto bytes = written(number);
    ASSERT_EQ(bytes.size(), short_number_bytes(number)) << i;
    ByteReader reader(bytes);
    std::uint16_t read = 0;
    ASSERT_TRUE(walk_short_number(reader, read) && reader.at_end()) << i;
    ASSERT_EQ(read, number);
  }
  EXPECT_EQ(short_number_bytes(127), 1U);
  EXPECT_EQ(short_number_bytes(128), 2U);
  EXPECT_EQ(short_number_bytes(16'383), 2U);
  EXPECT_EQ(short_number_bytes(16'384), 3U);
}

/// Of all that begins with three bytes; the third one from 8 on is too much for 16 bits, or goes
/// on.
TEST(AShortNumber, HasOneSpelling) {
  std::uint32_t accepted = 0;
  for (std::uint32_t i = 0; i < 1U << 19; ++i) {
    const std::array bytes = {std::byte(i & 0xff), std::byte(i >> 8 & 0xff), std::byte(i >> 16)};
    ByteReader reader(bytes);
    std::uint16_t number = 0;
    if (!walk_short_number(reader, number)) continue;
    const auto again = written(number);
    ASSERT_TRUE(std::equal(again.begin(), again.end(), bytes.begin())) << i;
    accepted += again.size() == bytes.size();
  }
  EXPECT_EQ(accepted, 65'536U - 16'384U);
}

TEST(AShortNumber, IsRefusedIfItIsCutOffOrTooLarge) {
  for (const std::vector<int>& wrong : std::vector<std::vector<int>>{
           {}, {128}, {255, 255}, {255, 255, 4}, {255, 255, 131}, {128, 0}, {129, 128, 0}}) {
    std::vector<std::byte> bytes;
    for (const int byte : wrong) bytes.push_back(std::byte(byte));
    ByteReader reader(bytes);
    std::uint16_t number = 0;
    EXPECT_FALSE(walk_short_number(reader, number)) << testing::PrintToString(wrong);
  }
}

}  // namespace
}  // namespace perigee
