// Bots that kill each other: tests of outcomes play with them.
#include <gtest/gtest.h>

#include "flight.hpp"

namespace perigee {
namespace {

std::uint64_t deaths_in_half_a_minute(bots::Temper temper) {
  const skiff::Skiff game;
  lab::ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.players = 12;
  options.seed = 5;
  lab::VirtualCluster cluster(options, game, [&](const client::Client& client, std::uint64_t seed) {
    return std::make_unique<bots::Brain>(client, seed, 0, temper);
  });
  cluster.run_for(30'000'000);
  std::uint64_t deaths = 0;
  for (std::size_t w = 0; w < options.workers; ++w) deaths += cluster.worker(w).journal().total();
  return deaths;
}

TEST(FierceBots, DieByTheDozenAndOthersHardlyEver) {
  EXPECT_GE(deaths_in_half_a_minute(bots::Temper::Fierce), 24U);
  EXPECT_LE(deaths_in_half_a_minute(bots::Temper::Mild), 1U);
}

}  // namespace
}  // namespace perigee
