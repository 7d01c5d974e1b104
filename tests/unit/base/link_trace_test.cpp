// Recorded networks: the format of their files, and their effect on packets.
#include "perigee/base/link_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/link_simulator.hpp"

namespace perigee {
namespace {

using testing::HasSubstr;

/// A link with a trace. Its times count from the start of the trace.
struct Path {
  LinkSimulator link;
  Micros begins_us = 0;
};
Path link(const LinkTrace& trace, LinkProfile profile = {}) {
  profile.trace = std::make_shared<const LinkTrace>(trace);
  LinkSimulator link(profile, 1, 1, 0);
  const Micros begins_us = trace.length_us() - link.trace_phase_us();
  return {std::move(link), begins_us};
}
/// Delay in ms of a datagram sent at that time; -1: lost.
double delay_ms(Path& path, Micros now_us, std::size_t bytes = 1472) {
  now_us += path.begins_us;
  const auto fate = path.link.send(now_us, bytes);
  return fate.arrives_us ? static_cast<double>(*fate.arrives_us - now_us) / 1e3 : -1;
}

TEST(ALinkTrace, HasDelaysAndLossOverTime) {
  const auto trace =
      read_link_trace("# ms ping loss\n0 100 0\n\n1000\t200 1 # a tunnel\r\n2000 0 0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  auto path = link(*trace);
  EXPECT_EQ(delay_ms(path, 0), 50) << "half of the ping each way";
  EXPECT_EQ(delay_ms(path, 999'999), 50);
  EXPECT_EQ(delay_ms(path, 1'500'000), -1);
  EXPECT_EQ(delay_ms(path, 2'000'000), 50) << "from the beginning again";
}

// mahimahi: a line is a time in ms at which 1500 bytes can leave
TEST(ALinkTrace, LetsFullPacketsThroughAtItsTimesOneByOne) {
  const auto trace = read_link_trace("10\n10\n40\n");
  ASSERT_TRUE(trace) << trace.error().message;
  auto path = link(*trace, {.delay_ms = 5});
  EXPECT_EQ(delay_ms(path, 0), 15);
  EXPECT_EQ(delay_ms(path, 0), 15);
  EXPECT_EQ(delay_ms(path, 0), 45) << "two had their turn";
  EXPECT_EQ(delay_ms(path, 20'000), 35) << "at 50, in the second round";
}

TEST(ALinkTrace, LetsSeveralSmallPacketsThroughAtOneTime) {
  auto path = link(*read_link_trace("10\n40\n"));
  constexpr std::size_t third = 500 - LinkSimulator::header_bytes;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(delay_ms(path, 0, third), 10);
  EXPECT_EQ(delay_ms(path, 0, third), 40) << "the first 1500 bytes are full";
  EXPECT_EQ(delay_ms(path, 0, 1472), 50) << "500 of its bytes left at 50, 1000 before";
  EXPECT_EQ(delay_ms(path, 80'000, third), 10) << "what was not used at 80 is gone";
}

TEST(ALinkTrace, IsAtAnotherPlaceForEachLinkButTheSameInBothDirections) {
  const auto trace = read_link_trace("0 100 0\n60000 0 0\n");
  LinkProfile profile;
  profile.trace = std::make_shared<const LinkTrace>(*trace);
  std::vector<Micros> phases_us;
  for (std::uint64_t player = 0; player < 16; ++player) {
    const LinkSimulator up(profile, 7, player, 0), down(profile, 7, player, 1);
    EXPECT_EQ(up.trace_phase_us(), down.trace_phase_us());
    phases_us.push_back(up.trace_phase_us());
  }
  std::ranges::sort(phases_us);
  EXPECT_LT(phases_us.front(), 15'000'000);
  EXPECT_GT(phases_us.back(), 45'000'000);
  EXPECT_EQ(std::ranges::unique(phases_us).begin(), phases_us.end());
}

TEST(ALinkTrace, LosesWhatWouldHaveToWaitTooLong) {
  auto path = link(*read_link_trace("1000\n"));
  int lost = 0;
  for (int i = 0; i < 10; ++i) lost += delay_ms(path, 0) < 0;
  EXPECT_EQ(lost, 8) << "two seconds of queue";
}

TEST(ASpreadTable, IsWhatDelaysAreDrawnFrom) {
  const auto table = read_spread_table("# paretonormal\n -8192 0 8192\n8192\n");
  ASSERT_TRUE(table) << table.error().message;
  auto path = link(*table, {.delay_ms = 50, .jitter_ms = 10});
  int later = 0;
  for (int i = 0; i < 4'000; ++i) {
    const double ms = delay_ms(path, i * 16'667LL);
    EXPECT_TRUE(ms == 40 || ms == 50 || ms == 60) << ms;
    later += ms == 60;
  }
  EXPECT_NEAR(later, 2'000, 150);
}

TEST(ALinkTrace, SaysWhichLineIsWrongAndWhatIsRight) {
  const auto says = [](const char* text) { return read_link_trace(text).error().message; };
  EXPECT_EQ(says("0 100 0\n5 200\n"), "line 2: 2 numbers; the previous lines have 3");
  EXPECT_EQ(says("0 100\n"),
            "line 1: 2 numbers; a line must be 'time_ms delay_ms loss', or only 'time_ms'");
  EXPECT_EQ(says("0 100 0\n# no\n5 fast 0\n"),
            "line 3: delay_ms is 'fast'; expected a number from 0 to 10000");
  EXPECT_EQ(says("0 100 2\n"), "line 1: loss is '2'; expected a number from 0 to 1");
  EXPECT_EQ(says("0 100 nan\n"), "line 1: loss is 'nan'; expected a number from 0 to 1");
  EXPECT_EQ(says("9 1 0\n9 1 0\n"), "line 2: time_ms does not increase; sort the lines by time");
  EXPECT_EQ(says("9\n8\n"),
            "line 2: the time is before that of the previous line; sort the lines by time");
  EXPECT_THAT(says("0\n0\n"), HasSubstr("the last line's time is the trace's length"));
  EXPECT_THAT(says("# nothing\n"), HasSubstr("no line with numbers"));
  EXPECT_EQ(read_spread_table("1 2\n3 x\n").error().message,
            "line 2: an entry is 'x'; expected a number from -32768 to 32768");
  EXPECT_THAT(read_spread_table("").error().message, HasSubstr("no numbers"));
}

TEST(ALinkTrace, SurvivesGarbage) {
  Random random(5);
  const std::string_view messages = "0123456789.-+e \t\n\r#xnaif";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint32_t n = random.below(40); n > 0; --n) {
      text += messages[random.below(static_cast<std::uint32_t>(messages.size()))];
    }
    if (const auto trace = read_link_trace(text)) {
      auto path = link(*trace);
      for (const Micros now_us : {0LL, 1LL, 1'000'000LL, 90'000'000'000LL}) delay_ms(path, now_us);
    } else {
      EXPECT_FALSE(trace.error().message.empty());
    }
    (void)read_spread_table(text).ok();
  }
}

}  // namespace
}  // namespace perigee
