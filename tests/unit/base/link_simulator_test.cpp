#include "perigee/base/link_simulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perigee {
namespace {

struct Weather {
  int sent = 0, lost = 0, doubled = 0, overtaken = 0;
  double delay_ms_sum = 0, delay_ms_max = 0, delay_ms_min = 1e9;
};

Weather watch(const LinkProfile& profile, std::uint64_t seed, int packets = 20000) {
  LinkSimulator link(profile, seed, 1, 0);
  Weather weather;
  Micros newest = 0;
  for (int i = 0; i < packets; ++i) {
    const Micros now = i * 16'667LL;
    const auto fate = link.send(now, 100);
    ++weather.sent;
    if (!fate.arrives_us) {
      ++weather.lost;
      continue;
    }
    if (fate.duplicate_us) ++weather.doubled;
    const double delay = static_cast<double>(*fate.arrives_us - now) / 1e3;
    weather.delay_ms_sum += delay;
    weather.delay_ms_max = std::max(weather.delay_ms_max, delay);
    weather.delay_ms_min = std::min(weather.delay_ms_min, delay);
    if (*fate.arrives_us < newest) ++weather.overtaken;
    newest = std::max(newest, *fate.arrives_us);
  }
  return weather;
}

TEST(ALinkSimulator, HasTheSameWeatherForTheSameSeed) {
  const auto profile = find_link_profile("P2")->up;
  LinkSimulator a(profile, 9, 4, 1);
  LinkSimulator b(profile, 9, 4, 1);
  LinkSimulator other(profile, 10, 4, 1);
  int same = 0;
  for (int i = 0; i < 500; ++i) {
    const auto fate = a.send(i * 16'667LL, 100);
    EXPECT_EQ(fate.arrives_us, b.send(i * 16'667LL, 100).arrives_us);
    if (fate.arrives_us == other.send(i * 16'667LL, 100).arrives_us) ++same;
  }
  EXPECT_LT(same, 50);
}

TEST(ALinkSimulator, KeepsDelayJitterAndLossOfItsProfile) {
  const Weather p2 = watch(find_link_profile("P2")->up, 1);
  EXPECT_NEAR(p2.lost / 20000.0, 0.01, 0.003);
  EXPECT_NEAR(p2.delay_ms_sum / (p2.sent - p2.lost), 50, 0.5);
  EXPECT_GE(p2.delay_ms_min, 40);
  EXPECT_LE(p2.delay_ms_max, 60);
}

TEST(ALinkSimulator, LosesInBurstsAndStallsOnBadWifi) {
  const Weather p5 = watch(find_link_profile("P5")->down, 1);
  EXPECT_NEAR(p5.lost / 20000.0, 0.02, 0.008);
  EXPECT_GT(p5.delay_ms_max, 120);
  EXPECT_LT(p5.delay_ms_max, 280);
}

TEST(ALinkSimulator, ReordersAndDoublesWhereTheProfileSaysSo) {
  const Weather p6 = watch(find_link_profile("P6")->down, 1);
  EXPECT_NEAR(p6.doubled / 20000.0, 0.01, 0.004);
  EXPECT_GT(p6.overtaken, 500);
}

TEST(LinkProfiles, NamesWhatItKnowsWhenAskedForSomethingElse) {
  const auto missing = find_link_profile("P99");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("P0, P1"), std::string::npos);
}

double ms_between(const LinkProfile& profile, Micros from_us, Micros to_us) {
  LinkSimulator link(profile, 1, 1, 0);
  const Micros length_us = profile.trace->length_us();
  const auto at = [&](Micros us) { return us + length_us - link.trace_phase_us(); };
  double worst_ms = 0;
  for (Micros us = from_us; us < to_us; us += 16'667) {
    const auto fate = link.send(at(us), 100);
    if (fate.arrives_us) {
      worst_ms = std::max(worst_ms, static_cast<double>(*fate.arrives_us - at(us)) / 1e3);
    }
  }
  return worst_ms;
}

TEST(ALinkSimulator, BloatsTheUplinkOfP8ForEightSecondsOfAMinute) {
  const LinkPair p8 = *find_link_profile("P8");
  EXPECT_NEAR(ms_between(p8.up, 0, 30'000'000), 25, 1.1);
  EXPECT_NEAR(ms_between(p8.up, 30'000'000, 38'000'000), 3'025, 1.1);
  EXPECT_NEAR(ms_between(p8.up, 38'000'000, 60'000'000), 25, 1.1);
  EXPECT_EQ(p8.down.trace, nullptr);
  LinkSimulator link(p8.up, 1, 1, 0);
  Micros newest_us = 0;
  for (Micros us = 0; us < 120'000'000; us += 16'667) {
    const auto fate = link.send(us, 100);
    if (!fate.arrives_us) continue;
    EXPECT_GT(*fate.arrives_us, newest_us - 7'000) << "in order, but for jitter and steps of 5 ms";
    newest_us = *fate.arrives_us;
  }
}

TEST(ALinkSimulator, StepsOnP10AndHasGapsOnP9AndP11) {
  const LinkPair p10 = *find_link_profile("P10");
  EXPECT_NEAR(ms_between(p10.up, 0, 30'000'000), 25, 1.1);
  EXPECT_NEAR(ms_between(p10.down, 30'000'000, 60'000'000), 351, 1.1);
  EXPECT_NEAR(watch(find_link_profile("P9")->up, 1).lost / 20'000.0, 0.03 + 0.005, 0.005);
  EXPECT_NEAR(watch(find_link_profile("P11")->up, 1).lost / 20'000.0, 0.075 + 0.001, 0.005);
}

TEST(ALinkSimulator, HasAQueueOfUpToASecondOnP12) {
  const Weather p12 = watch(find_link_profile("P12")->up, 1);
  EXPECT_GT(p12.delay_ms_max, 1'000);
  EXPECT_LT(p12.delay_ms_max, 1'024);
  EXPECT_LT(p12.delay_ms_min, 24);
}

TEST(ALinkSimulator, CarriesNoMoreThanItsRateAndDropsWhatWouldWaitTooLong) {
  LinkProfile narrow{.delay_ms = 25, .bytes_per_s = 8'000, .queue_ms_max = 500};
  LinkSimulator link(narrow, 1, 1, 0);
  int arrived = 0;
  Micros last_us = 0;
  for (Micros us = 0; us < 10'000'000; us += 10'000) {
    const auto fate = link.send(us, 100 - LinkSimulator::header_bytes);
    if (!fate.arrives_us) continue;
    EXPECT_LE(*fate.arrives_us - us, 25'000 + 500'000 + 12'500);
    EXPECT_GE(*fate.arrives_us - last_us, arrived == 0 ? 0 : 12'499) << "one after the other";
    last_us = *fate.arrives_us;
    ++arrived;
  }
  EXPECT_NEAR(arrived * 100 / 10.0, 8'000, 8'000 * 0.06);
  EXPECT_NEAR(static_cast<double>(*link.way_us(10'000'000)), 525'000, 12'501);
  EXPECT_EQ(link.way_us(20'000'000), 25'000) << "the queue has drained";
}

TEST(ALinkSimulator, ReadsARate) {
  const auto link = read_link("P1 kbit-s=64 queue-ms=300");
  ASSERT_TRUE(link) << link.error().message;
  EXPECT_EQ(link->down.bytes_per_s, 8'000);
  EXPECT_EQ(link->up.queue_ms_max, 300);
  EXPECT_EQ(link->up.delay_ms, 25);
}

}  // namespace
}  // namespace perigee
