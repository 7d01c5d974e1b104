// Paths that carry less than a crowd's news: the worker gives way before a queue stands, and the
// players play on.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "flight.hpp"
#include "second.hpp"

namespace perigee {
namespace {

/// Waiting times before the narrow part of all players' paths, once every 100 ms, in order.
struct Queues {
  std::vector<double> up_ms, down_ms;

  Queues(Flight& flight, const LinkPair& link, int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      flight.run(0.1);
      const auto wait_ms = [&](const LinkSimulator& way, const LinkProfile& profile) {
        const Micros way_us = way.way_us(flight.cluster->now_us()).value_or(0);
        return static_cast<double>(way_us) / 1e3 - profile.delay_ms;
      };
      for (const lab::VirtualPlayer& player : flight.cluster->players()) {
        up_ms.push_back(wait_ms(*player.up, link.up));
        down_ms.push_back(wait_ms(*player.down, link.down));
      }
    }
    std::ranges::sort(up_ms);
    std::ranges::sort(down_ms);
  }
};

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

TEST(ANarrowPath, HasNoStandingQueueOfOurs) {
  constexpr std::uint32_t players = 24;
  const LinkPair link = *find_link_profile("P13");
  Flight flight("P13", players, 3);
  flight.run(40);
  flight.cluster->restart_figures();
  const Queues queues(flight, link, 40);
  EXPECT_LT(at(queues.down_ms, 0.5), 50);
  EXPECT_LT(at(queues.down_ms, 0.95), 250);
  EXPECT_LT(at(queues.up_ms, 0.95), 100);
  EXPECT_EQ(flight.cluster->playing(), players);
  EXPECT_EQ(flight.figures().resets, 0U);
}

TEST(AWidePath, IsNotHeldBack) {
  Flight flight("P1", 24, 3);
  flight.run(30);
  std::uint64_t slowed = 0;
  for (std::size_t w = 0; w < flight.cluster->workers(); ++w)
    slowed += flight.cluster->worker(w).counts()[worker::metric.seconds_slowed];
  EXPECT_EQ(slowed, 0U);
}

}  // namespace
}  // namespace perigee
