// Bots that kill each other: tests of outcomes play with them.
#include <gtest/gtest.h>

#include "flight.hpp"

namespace perigee {
namespace {

std::uint64_t deaths_in_half_a_minute(bots::Temper temper, std::uint64_t seed) {
  const skiff::Skiff game;
  lab::ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.players = 12;
  options.seed = seed;
  lab::VirtualCluster cluster(options, game, [&](const client::Client& client, std::uint64_t own) {
    return std::make_unique<bots::Brain>(client, own, 0, temper);
  });
  cluster.run_for(30'000'000);
  std::uint64_t deaths = 0;
  for (std::size_t w = 0; w < options.workers; ++w) deaths += cluster.worker(w).journal().total();
  return deaths;
}

TEST(FierceBots, DieByTheDozenAndOthersHardlyEver) {
  std::uint64_t deaths = 0;
  for (const std::uint64_t seed : {4U, 5U, 6U}) {
    deaths += deaths_in_half_a_minute(bots::Temper::Fierce, seed);
  }
  EXPECT_GE(deaths, 3 * 24U);
  EXPECT_LE(deaths_in_half_a_minute(bots::Temper::Mild, 5), 1U);
}

}  // namespace
}  // namespace perigee
