#include <gtest/gtest.h>

#include <vector>

#include "perigee/gateway/door_paths.hpp"

namespace perigee::gateway {
namespace {

struct ThePathsOfDoors : testing::Test {
  ThePathsOfDoors() {
    EXPECT_TRUE(transport::init_crypto());
    paths.set_keys(keys);
  }
  static Address path(std::uint16_t port) { return Address::v4(10, 0, 0, 5, port); }
  static Address player(std::uint8_t n) { return Address::v4(203, 0, 113, n, 50'000); }
  /// A datagram of three bytes, as a door sends it.
  std::vector<std::byte> sealed(const Address& from, const Address& of, const transport::Key& key) {
    const auto header = transport::seal_door_header(of, from, key);
    std::vector<std::byte> bytes(header.begin(), header.end());
    bytes.insert(bytes.end(), 3, std::byte{9});
    return bytes;
  }
  std::optional<DoorPaths::Opened> open(const Address& from, std::vector<std::byte> bytes) {
    kept = std::move(bytes);
    return paths.open(now_us, from, kept);
  }
  std::optional<DoorPaths::Opened> open(std::uint16_t port, std::uint8_t n) {
    return open(path(port), sealed(path(port), player(n), keys.current));
  }
  Counts<Drop> drops;
  DoorKeys keys{.current = {std::byte{1}}, .previous = {}};
  DoorPaths paths{{.paths_max = 2, .salt = 5, .drops = drops}};
  std::vector<std::byte> kept;
  Micros now_us = 1'000'000;
};

TEST_F(ThePathsOfDoors, GiveThePlayerAndItsDatagram) {
  for (int again = 0; again < 2; ++again) {
    const auto opened = open(41'000, 9);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->player, player(9));
    EXPECT_EQ(opened->datagram.size(), 3u);
    EXPECT_EQ(opened->datagram.data(), kept.data() + 35);
  }
  EXPECT_TRUE(paths.knows(path(41'000)));
  EXPECT_FALSE(paths.knows(path(41'001)));
  EXPECT_EQ(open(41'000, 10)->player, player(10)) << "the player's network has changed";
  EXPECT_EQ(paths.size(), 1u);
}

TEST_F(ThePathsOfDoors, RefuseHeadersOfOthers) {
  auto bytes = sealed(path(41'000), player(9), keys.current);
  EXPECT_FALSE(open(path(41'001), bytes));
  EXPECT_EQ(drops[Drop::DoorHeaderForged], 1u);
  EXPECT_FALSE(open(path(41'000), sealed(path(41'000), player(9), {std::byte{2}})));
  EXPECT_EQ(drops[Drop::DoorHeaderForged], 2u);
  EXPECT_FALSE(open(path(41'000), {bytes.begin(), bytes.begin() + 35}));
  EXPECT_FALSE(open(path(41'000), {}));
  bytes[0] = std::byte{2};
  EXPECT_FALSE(open(path(41'000), bytes));
  EXPECT_EQ(drops[Drop::DoorHeaderMalformed], 3u);
  EXPECT_EQ(paths.size(), 0u);
}

TEST_F(ThePathsOfDoors, AreBounded) {
  EXPECT_TRUE(open(41'000, 1));
  EXPECT_TRUE(open(41'001, 2));
  EXPECT_FALSE(open(41'002, 3));
  EXPECT_EQ(drops[Drop::DoorPathsFull], 1u);
  EXPECT_TRUE(open(41'001, 2)) << "known ones go on";
}

TEST_F(ThePathsOfDoors, AreForgottenAfterASilence) {
  EXPECT_TRUE(open(41'000, 1));
  now_us += 10'000'000;
  EXPECT_TRUE(open(41'001, 2));
  now_us += 5'000'000;
  paths.advance(now_us);
  EXPECT_FALSE(paths.knows(path(41'000)));
  EXPECT_TRUE(paths.knows(path(41'001)));
  EXPECT_TRUE(open(41'002, 3)) << "there is room again";
}

TEST_F(ThePathsOfDoors, FollowARotationOfTheKey) {
  EXPECT_TRUE(open(41'000, 1));
  const transport::Key old = keys.current;
  keys = {.current = {std::byte{2}}, .previous = old};
  paths.set_keys(keys);
  EXPECT_TRUE(open(path(41'000), sealed(path(41'000), player(1), old)));
  EXPECT_TRUE(open(41'000, 1));
  keys.previous.reset();
  paths.set_keys(keys);
  EXPECT_FALSE(open(path(41'000), sealed(path(41'000), player(1), old)));
  EXPECT_TRUE(paths.knows(path(41'000))) << "answers still find their way";
  EXPECT_TRUE(open(41'000, 1));
}

}  // namespace
}  // namespace perigee::gateway
