#include "perigee/bots/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "perigee/base/hash.hpp"

namespace perigee::bots {
namespace {

using testing::ElementsAre;

const Address gateway = Address::v4(10, 0, 0, 1, 40000);

class ASchedule : public testing::Test {
 protected:
  bool hold_back(Micros due_us, std::uint8_t byte) {
    const std::array<std::byte, 1> bytes{std::byte{byte}};
    return schedule.add_packet(due_us, Due::Down, 0, gateway, bytes);
  }
  /// First bytes of the packets that became due, -1 for a frame.
  std::vector<int> run(Micros now_us, std::size_t entries_max = 1'000) {
    std::vector<int> came;
    schedule.run(now_us, entries_max, [&](const Schedule::Entry&, Packet* packet) {
      came.push_back(packet == nullptr ? -1 : static_cast<int>(packet->bytes().front()));
    });
    return came;
  }
  Schedule schedule{1};
};

TEST_F(ASchedule, HandsPacketsOverInOrderOfTheirDeadlines) {
  hold_back(300, 3);
  hold_back(100, 1);
  schedule.add_frame(200, 0);
  EXPECT_EQ(schedule.next_us(), 100);
  EXPECT_THAT(run(99), ElementsAre());
  EXPECT_THAT(run(250), ElementsAre(1, -1));
  EXPECT_THAT(run(300), ElementsAre(3));
  EXPECT_EQ(schedule.next_us(), std::nullopt);
}

TEST_F(ASchedule, KeepsTheOrderOfComingWithinAMicrosecond) {
  for (std::uint8_t i = 0; i < 20; ++i) hold_back(100, i);
  std::vector<int> expected(20);
  for (int i = 0; i < 20; ++i) expected[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(run(100), expected);
}

TEST_F(ASchedule, StopsAtTheLimitOfATurn) {
  for (std::uint8_t i = 0; i < 5; ++i) hold_back(100, i);
  EXPECT_THAT(run(100, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(run(100, 3), ElementsAre(3, 4));
}

TEST_F(ASchedule, RefusesWhatHasNoRoomAndHasRoomAgainLater) {
  for (std::size_t i = 0; i < Schedule::packets_per_bot; ++i) {
    ASSERT_TRUE(hold_back(100, static_cast<std::uint8_t>(i)));
  }
  EXPECT_FALSE(hold_back(50, 7));
  EXPECT_EQ(run(100).size(), Schedule::packets_per_bot);
  EXPECT_TRUE(hold_back(200, 7));
  const std::array<std::byte, 1501> large{};
  EXPECT_FALSE(schedule.add_packet(200, Due::Up, 0, gateway, large));
}

TEST_F(ASchedule, AllowsNewEntriesWhileItHandsOver) {
  schedule.add_frame(100, 0);
  std::vector<Micros> frames;
  schedule.run(300, 1'000, [&](const Schedule::Entry& entry, Packet*) {
    frames.push_back(entry.due_us);
    schedule.add_frame(entry.due_us + 100, 0);
  });
  EXPECT_THAT(frames, ElementsAre(100, 200, 300));
  EXPECT_EQ(schedule.next_us(), 400);
}

TEST_F(ASchedule, NeverHandsOverTooEarlyOrTwice) {
  constexpr std::uint64_t seed = 0x5c4ed;
  SCOPED_TRACE(seed);
  Random random(seed);
  std::array<int, 256> balance{};
  std::array<Micros, 256> due_us{};
  for (Micros now_us = 0; now_us < 20'000; now_us += 10) {
    const auto byte = static_cast<std::uint8_t>(random.below(256));
    const Micros arrives_us = now_us + random.below(700);
    if (balance[byte] == 0 && hold_back(arrives_us, byte)) {
      ++balance[byte];
      due_us[byte] = arrives_us;
    }
    for (const int came : run(now_us)) {
      const auto index = static_cast<std::size_t>(came);
      ASSERT_EQ(--balance[index], 0);
      ASSERT_LE(due_us[index], now_us);
    }
  }
  const auto rest = run(1'000'000).size();
  EXPECT_EQ(rest, static_cast<std::size_t>(std::count(balance.begin(), balance.end(), 1)));
}

TEST(ScheduleMemory, FollowsTheDelayOfThePath) {
  EXPECT_EQ(Schedule::packets_for(std::nullopt), 0U);
  const std::size_t near = Schedule::packets_for(*find_link_profile("P1"));
  const std::size_t far = Schedule::packets_for(*find_link_profile("P3"));
  EXPECT_GE(near, 16U);
  EXPECT_GT(far, near);
  EXPECT_GE(far, 2U * 165 * 180 / 1'000) << "twice the packets of 165 ms";
  EXPECT_EQ(Schedule::packets_for(*find_link_profile("P12")), Schedule::packets_per_bot)
      << "a trace";
}

}  // namespace
}  // namespace perigee::bots
