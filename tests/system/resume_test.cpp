// A gateway is killed and started again, in virtual time: its clients reconnect by themselves, and
// keep their avatars.
#include <gtest/gtest.h>

#include "flight.hpp"
#include "sanitized.hpp"

namespace perigee {
namespace {

std::vector<Handle> avatars(Flight& flight) {
  std::vector<Handle> all;
  for (std::size_t i = 0; i < flight.cluster->players().size(); ++i) {
    all.push_back(flight.client(i).prediction().avatar());
  }
  return all;
}

class AfterItsGatewayWasKilled : public ::testing::TestWithParam<const char*> {};

TEST_P(AfterItsGatewayWasKilled, EverybodyPlaysOnWithTheSameAvatar) {
  Flight flight(GetParam(), 6, 1);
  flight.run(8);
  ASSERT_EQ(flight.cluster->playing(), 6U);
  const std::vector<Handle> before = avatars(flight);
  for (int restart = 1; restart <= 3; ++restart) {
    SCOPED_TRACE(restart);
    flight.cluster->restart_gateway(2'000'000);
    flight.run(2);
    EXPECT_EQ(flight.cluster->playing(), 0U);
    flight.run(5);
    EXPECT_EQ(flight.cluster->playing(), 6U);
    EXPECT_EQ(avatars(flight), before);
    std::size_t served = 0;
    for (std::size_t w = 0; w < 2; ++w) served += flight.cluster->worker(w).summary().players;
    EXPECT_EQ(served, 6U) << "no second avatar of anybody";
  }
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(flight.client(i).transport().sessions(), 4U);
    EXPECT_EQ(flight.client(i).telemetry().malformed(), 0U);
    EXPECT_LT(flight.client(i).prediction().last_error_m(), 1);
  }
}
INSTANTIATE_TEST_SUITE_P(Profiles, AfterItsGatewayWasKilled,
                         ::testing::ValuesIn(extremes_of<const char*>({"P0", "P2", "P3", "P5"})));

// The gateway may be away for as long as the avatar lingers and the client retries.
TEST(AClientWhoseGatewayIsAwayForLong, IsBackWhenItIsBack) {
  Flight flight("P1", 3, 2);
  flight.run(6);
  const std::vector<Handle> before = avatars(flight);
  flight.cluster->restart_gateway(12'000'000);
  flight.run(12 + 5);
  EXPECT_EQ(flight.cluster->playing(), 3U);
  EXPECT_EQ(avatars(flight), before);
}

// All entities are sent again, and none is left that no longer exists.
TEST(AfterAResume, ScenesHoldWhatTheWorldHolds) {
  Flight flight("P1", 4, 3);
  flight.run(6);
  const Handle gone = flight.client(3).prediction().avatar();
  flight.cluster->restart_gateway(1'500'000);
  flight.cluster->quit(3);  // without a goodbye
  flight.run(1.5 + 5);
  EXPECT_EQ(flight.cluster->playing(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(flight.client(i).entities().find(flight.client(i).prediction().avatar()) == nullptr,
              false);
  }
  flight.run(32);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(flight.client(i).entities().find(gone), nullptr);
}

}  // namespace
}  // namespace perigee
