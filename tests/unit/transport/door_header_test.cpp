#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "perigee/transport/door_header.hpp"

namespace perigee::transport {
namespace {

std::string hex(std::span<const std::byte> bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    text += digits[std::to_integer<std::size_t>(b) >> 4];
    text += digits[std::to_integer<std::size_t>(b) & 15];
  }
  return text;
}

struct ADoorHeader : testing::Test {
  ADoorHeader() {
    EXPECT_TRUE(init_crypto());
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  }
  Key key{};
  const Address player = Address::v4(203, 0, 113, 9, 50'123);
  const Address door = Address::v4(10, 0, 0, 5, 41'000);
};

// The same bytes as in door/tests/header.rs.
TEST_F(ADoorHeader, HasTheseBytes) {
  EXPECT_EQ(hex(seal_door_header(player, door, key)),
            "0100000000000000000000ffffcb007109c3cb"
            "076b37a517cbd618f67531273f43ff04");
  const Address v6 = *parse_address("[2001:db8::9]:50123");
  EXPECT_EQ(hex(seal_door_header(v6, door, key)),
            "0120010db8000000000000000000000009c3cb"
            "c1d6d1ad9a22d06fa951427665c95899");
}

TEST_F(ADoorHeader, NamesThePlayer) {
  EXPECT_EQ(open_door_header(seal_door_header(player, door, key), door, key), player);
  const Address v6 = *parse_address("[2001:db8::9]:50123");
  EXPECT_EQ(open_door_header(seal_door_header(v6, door, key), door, key), v6);
}

TEST_F(ADoorHeader, IsRefusedWithAnotherKeyOrFromAnotherSender) {
  const DoorHeader header = seal_door_header(player, door, key);
  Key other = key;
  other[31] ^= std::byte{1};
  EXPECT_FALSE(open_door_header(header, door, other));
  Address elsewhere = door;
  elsewhere.port = 41'001;
  EXPECT_FALSE(open_door_header(header, elsewhere, key));
}

TEST_F(ADoorHeader, IsRefusedWithAnyBitChanged) {
  for (std::size_t bit = 0; bit < 8 * door_header_bytes; ++bit) {
    DoorHeader header = seal_door_header(player, door, key);
    header[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    EXPECT_FALSE(open_door_header(header, door, key)) << "bit " << bit;
  }
}

}  // namespace
}  // namespace perigee::transport
