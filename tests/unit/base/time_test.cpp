#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "perigee/base/hash.hpp"
#include "perigee/base/lead_control.hpp"
#include "perigee/base/time_map.hpp"

namespace perigee {
namespace {

TEST(ATick, IsFoundByItsLowHalf) {
  for (const std::uint32_t count : {0U, 1U, 0xffffU, 0x10000U, 0x12345U, 0xffffffffU}) {
    const Tick tick{count};
    for (const std::int32_t off : {-32'000, -1, 0, 1, 32'000}) {
      EXPECT_EQ(tick_with(low_half(tick), tick + off), tick) << count << ' ' << off;
    }
  }
}

/// A worker and a client on one time axis (ticks), with a jittery path between them.
struct LeadLoop {
  LeadControl lead;
  Random random{5};
  double up = 3;  ///< one way, in ticks
  double down = 3;
  double jitter = 0.3;  ///< ±
  double drift = 1;     ///< rate of the client's clock
  struct Report {
    double arrives;
    Tick input;
    double margin;
  };
  std::deque<Report> reports;
  double now = 0;
  Tick next;
  int late = 0;
  int refused = 0;
  int sent = 0;

  void run(double ticks) {
    for (const double end = now + ticks; now < end; now += 0.25) {
      const double local = now * drift + 500;  // clocks start anywhere
      lead.advance(0.25 * drift);
      while (!reports.empty() && reports.front().arrives <= now) {
        lead.on_margin(reports.front().input, reports.front().margin, now - local - down - 1);
        reports.pop_front();
      }
      while (ticks_between(next, Tick{static_cast<std::uint32_t>(lead.predicted_even(local))}) >
             0) {
        lead.sampled(next, lead.predicted_even(local) - next.count - 1);
        const double arrival = now + up + jitter * (2 * random.unit() - 1);
        const double margin = next.count - arrival;
        ++sent;
        if (margin < 0) ++late;
        if (margin < -120 || margin > 90) ++refused;
        const double reported = std::max(arrival, static_cast<double>(next.count)) + 1 + down;
        reports.push_back({reported, next, margin});
        ++next;
      }
    }
  }
  /// Share of the inputs of the next ticks that the worker refuses.
  double refused_share(double ticks) {
    refused = sent = 0;
    run(ticks);
    return static_cast<double>(refused) / sent;
  }
  void start() {
    lead.seed(500, now + up + down + 2);
    next = Tick{static_cast<std::uint32_t>(now + up + down + 2)};
  }
};

// K29, K30, S3: the client runs ahead just enough.
TEST(ALeadControl, SettlesWhereNearlyAllInputsAreInTime) {
  LeadLoop loop;
  loop.start();
  loop.run(1200);
  loop.late = loop.sent = 0;
  loop.run(1200);
  EXPECT_GT(loop.sent, 1100);
  EXPECT_LE(loop.late, loop.sent * 4 / 100);
  // And no more than necessary: the path costs up + jitter, one tick is for the step itself.
  const double lead = loop.lead.predicted_even(loop.now + 500) - loop.now;
  EXPECT_LT(lead, loop.up + loop.jitter + 1.5);
}

TEST(ALeadControl, FollowsAPathThatGetsLonger) {
  LeadLoop loop;
  loop.start();
  loop.run(600);
  loop.up = 6;
  loop.run(600);
  loop.late = loop.sent = 0;
  loop.run(600);
  EXPECT_LE(loop.late, loop.sent * 4 / 100);
}

TEST(ALeadControl, GivesBackAtMostTwoMillisecondsASecond) {
  LeadLoop loop;
  loop.start();
  loop.run(600);
  loop.up = 1;
  loop.run(600);  // 10 s
  const double before = loop.lead.offset_ticks();
  loop.run(60);
  EXPECT_GE(loop.lead.offset_ticks(), before - 0.13);
}

// S5: without an assumption on which clock is ahead
TEST(ALeadControl, CancelsClockDrift) {
  LeadLoop loop;
  loop.drift = 1.0001;  // 100 ppm
  loop.start();
  loop.run(6000);
  loop.late = loop.sent = 0;
  loop.run(3000);
  EXPECT_LE(loop.late, loop.sent * 4 / 100);
}

// K30: more than 1000 ms off: jump, counted.
TEST(ALeadControl, JumpsWhenItIsASecondOff) {
  LeadLoop loop;
  loop.start();
  loop.run(300);
  EXPECT_EQ(loop.lead.jumps(), 0U);
  loop.up = 90;
  loop.run(600);
  EXPECT_GE(loop.lead.jumps(), 1U);
}

// A refused input is lost for ever, so a smooth change has no advantage. What the worker applies
// late leads to no jump, and nothing has to be given back by a jump.
TEST(ALeadControl, JumpsOnlyWhereTheWorkerRefusesInputs) {
  for (const double up : {23.0, 40.0, 70.0, 180.0}) {
    LeadLoop loop;
    loop.start();
    loop.run(300);
    loop.up = up;
    loop.run(up + loop.down + 20);
    EXPECT_EQ(loop.refused_share(600), 0) << up;
    EXPECT_EQ(loop.lead.jumps(), up > 100 ? 1U : 0U) << up;
    const std::uint32_t jumps = loop.lead.jumps();
    loop.up = 3;
    loop.run(up + 60);  // until it receives the reports; it samples no tick twice
    EXPECT_EQ(loop.refused_share(600), 0) << up;
    EXPECT_EQ(loop.lead.jumps(), jumps) << up;
  }
}

// A tick that is sampled twice, before and after a jump back, is reported twice.
TEST(ALeadControl, IgnoresWhatWouldHaveArrivedBeforeItWasSampled) {
  LeadControl lead;
  lead.seed(0, 100);
  for (std::uint32_t tick = 100; tick < 200; ++tick) lead.sampled(Tick{tick}, 0);
  const double earliest = 90;
  for (std::uint32_t tick = 100; tick < 120; ++tick) lead.on_margin(Tick{tick}, 80, earliest);
  lead.advance(10);
  EXPECT_EQ(lead.offset_ticks(), 100);
  for (std::uint32_t tick = 120; tick < 140; ++tick) lead.on_margin(Tick{tick}, 9, earliest);
  lead.advance(10);
  EXPECT_LT(lead.offset_ticks(), 100);
}

TEST(ALeadControl, GoesNoFartherThanItsLimit) {
  LeadLoop loop;
  loop.start();
  loop.run(300);
  loop.up = 120;
  const double limit = loop.lead.offset_ticks() + 50;
  for (int i = 0; i < 40; ++i) {
    loop.lead.limit(limit);
    loop.run(10);
    EXPECT_LE(loop.lead.offset_ticks(), limit);
  }
  EXPECT_EQ(loop.lead.offset_ticks(), limit);
  EXPECT_LE(loop.lead.jumps(), 2U) << "what is at its limit does not jump";
}

// B1, K6: one view tick, behind by at least 60 ms, never backwards, never jerky.
TEST(ATimeMap, MovesTheViewTickSmoothlyThroughJitter) {
  TimeMap map;
  Random random(3);
  std::deque<std::pair<double, Tick>> arrivals;
  for (std::uint32_t t = 100; t < 1300; t += 2) {
    arrivals.emplace_back(t + 3 + random.unit(), Tick{t});
  }
  std::sort(arrivals.begin(), arrivals.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  double previous = 0;
  bool started = false;
  for (double now = 100; now < 1300; now += 0.5) {
    while (!arrivals.empty() && arrivals.front().first <= now) {
      map.on_block(arrivals.front().first, arrivals.front().second);
      arrivals.pop_front();
    }
    if (!map.ready()) continue;
    map.advance(now);
    if (started) {
      const double step = map.view_ticks() - previous;
      EXPECT_GE(step, 0.5 * 0.8 - 1e-9);
      EXPECT_LE(step, 0.5 * 1.25 + 1e-9);
    }
    previous = map.view_ticks();
    started = true;
  }
  const double behind = map.observed_ticks(1300) - previous;
  EXPECT_GE(behind, 3.6);
  EXPECT_LT(behind, 6);
  EXPECT_GT(map.jitter_ticks(), 0.5);
  EXPECT_EQ(map.jumps(), 0U);
}

// The last fast sample leaves 128 blocks after the rise.
TEST(ATimeMap, KeepsTheViewBehindTheBlocksAfterALastingRiseOfLatency) {
  for (const double rise_ticks : {6.0, 12.0, 18.0, 24.0}) {
    TimeMap map;
    for (double now = 100; now < 3'000; ++now) {
      const double delay_ticks = now < 1'000 ? 3 : 3 + rise_ticks;
      const auto newest = static_cast<std::uint32_t>(now - delay_ticks);
      if (newest % 2 == 0) map.on_block(now, Tick{newest});
      if (!map.ready()) continue;
      map.advance(now);
      const double behind_ticks = map.ticks_since_origin(Tick{newest}) - map.view_ticks();
      if (now >= 1'000 && now < 1'150) continue;  // the view has to wait for its blocks first
      ASSERT_GE(behind_ticks, 1.5) << "at " << now << " after a rise of " << rise_ticks;
      if (now > 2'900) {
        EXPECT_LE(behind_ticks, 4);
      }
    }
    EXPECT_EQ(map.jumps(), 0U);
  }
}

TEST(ATimeMap, JumpsWhenTheServersTimeDoes) {
  TimeMap map;
  for (std::uint32_t t = 0; t < 50; ++t) map.on_block(t + 3.0, Tick{t});
  map.advance(53);
  map.on_block(54, Tick{500});
  map.advance(54);
  EXPECT_EQ(map.jumps(), 1U);
  EXPECT_NEAR(map.observed_ticks(54), 500, 1);
}

}  // namespace
}  // namespace perigee
