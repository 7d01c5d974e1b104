// A client detects a silent gateway at any frame rate: it reconnects after about a second, and
// gives up in the end. Its own slow frames never count as silence. (K30)
#include <gtest/gtest.h>

#include "flight.hpp"
#include "sanitized.hpp"
#include "second.hpp"

namespace perigee {
namespace {

class AtAnyFrameRate : public testing::TestWithParam<double> {
 protected:
  const Micros frame_us = static_cast<Micros>(1e6 / GetParam());
  Flight flight{"P1", 1, 3};
  lab::VirtualPlayer& player = flight.cluster->players().front();

  AtAnyFrameRate() { player.frame_us = frame_us; }
  void run(Micros us) { flight.run(static_cast<double>(us) / 1e6); }
  transport::ClientState state() const { return player.client->transport_state(); }
  /// Time until the client leaves this state, at most `us_max`.
  Micros leaves(transport::ClientState from, Micros us_max) {
    const Micros start_us = flight.cluster->now_us();
    while (state() == from && flight.cluster->now_us() - start_us < us_max) run(10'000);
    return flight.cluster->now_us() - start_us;
  }
};

TEST_P(AtAnyFrameRate, AClientStaysWhileItsGatewaySpeaks) {
  run(10 * second_us + 4 * frame_us);
  ASSERT_EQ(state(), transport::ClientState::Connected);
  EXPECT_EQ(leaves(transport::ClientState::Connected, 20 * second_us), 20 * second_us);
}

TEST_P(AtAnyFrameRate, AClientDialsAgainAndGivesUpInTheEnd) {
  run(10 * second_us + 4 * frame_us);
  ASSERT_EQ(state(), transport::ClientState::Connected);
  player.dark_until_us = flight.cluster->now_us() + 3600 * second_us;
  const Micros dials_us = leaves(transport::ClientState::Connected, 60 * second_us);
  EXPECT_GE(dials_us, 900'000);
  EXPECT_LE(dials_us, 1'200'000 + 2 * frame_us);
  run(30 * second_us);
  EXPECT_LT(state(), transport::ClientState::Disconnected)
      << "it is notified that it has timed out";
}

TEST_P(AtAnyFrameRate, AClientComesBackWhenItsPathDoes) {
  run(10 * second_us + 4 * frame_us);
  player.dark_until_us = flight.cluster->now_us() + 3 * second_us;
  run(4 * second_us + 8 * frame_us);
  EXPECT_EQ(state(), transport::ClientState::Connected);
}

INSTANTIATE_TEST_SUITE_P(FramesPerSecond, AtAnyFrameRate,
                         testing::ValuesIn(extremes_of<double>({0.5, 1, 2, 4, 5, 10, 60, 240})));

}  // namespace
}  // namespace perigee
