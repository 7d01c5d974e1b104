#include "perigee/base/impaired_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace perigee {
namespace {

struct AnImpairedPath : testing::Test {
  void use(const LinkProfile& profile) { path.use(now_us, LinkSimulator(profile, 7, 0, 0)); }
  void send(std::uint8_t first_byte) {
    const std::array datagram{std::byte{first_byte}, std::byte{9}};
    path.send(now_us, peer, datagram);
  }
  std::vector<int> arrived() {
    std::vector<int> out;
    while (const auto arrival = path.receive(now_us)) {
      EXPECT_EQ(arrival->peer, peer);
      EXPECT_LE(arrival->at_us, now_us);
      out.push_back(std::to_integer<int>(arrival->datagram[0]));
    }
    return out;
  }
  ImpairedPath path;
  Micros now_us = 5'000'000;
  const Address peer = {Address::Family::IPv4, 7, {127, 0, 0, 1}};
};

TEST_F(AnImpairedPath, IsNotEngagedWithoutALink) {
  EXPECT_FALSE(path.engaged());
  EXPECT_FALSE(path.next_us());
}

TEST_F(AnImpairedPath, DelaysAndKeepsTheOrder) {
  use({.delay_ms = 100});
  send(1);
  now_us += 10'000;
  send(2);
  EXPECT_EQ(path.next_us(), now_us + 90'000);
  now_us += 89'000;
  EXPECT_THAT(arrived(), testing::IsEmpty());
  now_us += 11'000;
  EXPECT_THAT(arrived(), testing::ElementsAre(1, 2));
  EXPECT_FALSE(path.next_us());
}

TEST_F(AnImpairedPath, LosesAndDuplicatesAsItsProfileSays) {
  use({.delay_ms = 1, .loss = 0.5});
  for (int i = 0; i < 400; ++i, now_us += 1'000) send(1);
  now_us += 10'000;
  const std::size_t half = arrived().size();
  EXPECT_GT(half, 150U);
  EXPECT_LT(half, 250U);
  use({.delay_ms = 1, .duplicate = 1});
  send(3);
  now_us += 1'000'000;
  EXPECT_THAT(arrived(), testing::ElementsAre(3, 3));
}

TEST_F(AnImpairedPath, LetsThoseUnderwayArriveAfterItsEnd) {
  use({.delay_ms = 100});
  send(1);
  now_us += 10'000;
  path.use(now_us, std::nullopt);
  EXPECT_TRUE(path.engaged());
  send(2);
  EXPECT_THAT(arrived(), testing::ElementsAre(2)) << "a new one passes at once";
  now_us += 90'000;
  EXPECT_THAT(arrived(), testing::ElementsAre(1));
  EXPECT_FALSE(path.engaged());
}

TEST_F(AnImpairedPath, LosesWhatItHasNoRoomFor) {
  use({.delay_ms = 1'000});
  for (std::size_t i = 0; i < ImpairedPath::underway_max + 5; ++i) send(1);
  EXPECT_EQ(path.overflowed(), 5U);
  path.send(now_us, peer, std::vector<std::byte>(ImpairedPath::datagram_bytes_max + 1));
  EXPECT_EQ(path.overflowed(), 6U);
  now_us += 1'000'000;
  EXPECT_EQ(arrived().size(), ImpairedPath::underway_max);
}

TEST(ALinkInText, IsAProfileWithOwnValues) {
  EXPECT_EQ(read_link("P5")->name, "P5");
  const auto pair = read_link(" P2  loss-permille=50 delay-ms=75 ");
  ASSERT_TRUE(pair);
  EXPECT_DOUBLE_EQ(pair->up.loss, 0.05);
  EXPECT_DOUBLE_EQ(pair->down.loss, 0.05);
  EXPECT_DOUBLE_EQ(pair->up.delay_ms, 75);
  EXPECT_DOUBLE_EQ(pair->down.jitter_ms, find_link_profile("P2")->down.jitter_ms);
  EXPECT_DOUBLE_EQ(read_link("jitter-ms=4")->up.jitter_ms, 4);
}

TEST(ALinkInText, IsRefusedWithTheReason) {
  for (const char* text : {"", "  ", "P99", "P5 P6", "delay=3", "delay-ms", "delay-ms=",
                           "delay-ms=-1", "delay-ms=1.5", "delay-ms=10001", "loss-permille=1001"}) {
    const auto read = read_link(text);
    ASSERT_FALSE(read) << text;
    EXPECT_FALSE(read.error().message.empty());
  }
}

}  // namespace
}  // namespace perigee
