// An operator changes techniques of players in play: session service, gateway, client and worker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flight.hpp"

namespace perigee {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;

struct Operator {
  Flight& flight;
  std::uint64_t order(const session::SessionName& name, std::string_view settings) const {
    const auto opened = flight.cluster->order(name, settings);
    const auto* refused = std::get_if<session::OrderRefused>(&opened);
    EXPECT_EQ(refused, nullptr) << refused->sentence;
    return std::get<std::uint64_t>(opened);
  }
  session::OrderRefused refused(const session::SessionName& name, std::string_view settings) const {
    return std::get<session::OrderRefused>(flight.cluster->order(name, settings));
  }
};

// On lossy and slow links: an order is sent until it is answered, and the worker carries it out.
TEST(AnOrder, ReachesTheClientAndByItTheWorker) {
  for (const char* profile : {"P0", "P4", "P5", "P6"}) {
    SCOPED_TRACE(profile);
    Flight flight(profile, 4, 3);
    flight.run(10);
    const Operator the{flight};
    const std::uint64_t order =
        the.order({.player_name = "player-2"}, "rollback=off smoothing=none");
    flight.run(5);
    EXPECT_TRUE(flight.cluster->orders().complete(order));
    const auto players = flight.cluster->orders().close(order);
    ASSERT_EQ(players.size(), 1U);
    EXPECT_THAT(players[0].techniques, HasSubstr("rollback=off"));
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(flight.client(i).techniques().rollback, i != 2);
      EXPECT_EQ(flight.client(i).techniques().smoothing,
                i == 2 ? Smoothing::None : Smoothing::Quintic);
      EXPECT_EQ(flight.client(i).worker_techniques(), flight.client(i).techniques().shared());
      EXPECT_EQ(flight.client(i).telemetry().malformed(), 0U);
    }
    EXPECT_EQ(flight.cluster->playing(), 4U);
  }
}

TEST(AnOrder, IsForEverybodyIfItSaysSo) {
  Flight flight("P2", 4, 3);
  flight.run(8);
  const Operator the{flight};
  const std::uint64_t order = the.order({.everybody = true}, "timeline=playout rollback=off");
  flight.run(3);
  EXPECT_TRUE(flight.cluster->orders().complete(order));
  EXPECT_THAT(flight.cluster->orders().close(order),
              Each(Field(&session::TechniquesInUse::techniques, HasSubstr("timeline=playout "))));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(flight.client(i).worker_techniques()->timeline, Timeline::Playout);
  }
}

// A correction is marked, with its size, as long as the displayed position differs from the
// predicted one. (E9)
TEST(AnOrder, OfADesyncShowsWhatACorrectionLooksLike) {
  Flight flight("P1", 2, 3);
  flight.run(10);
  const Operator the{flight};
  const client::Client& player = flight.client(1);
  the.order({.player_name = "player-1"}, "desync-m=2");
  double largest_m = 0;
  std::int32_t marked = 0;
  for (std::int32_t frame = 0; frame < 120; ++frame) {
    flight.run(1.0 / 60);
    const auto own = player.own(flight.now_us(1));
    ASSERT_TRUE(own);
    marked += own->smoothing;
    largest_m = std::max(largest_m, length(own->smoothing_offset));
    EXPECT_TRUE(own->smoothing || own->smoothing_offset == Vec3{});
  }
  EXPECT_NEAR(largest_m, 2, 0.2);
  EXPECT_GE(marked, 20) << "0.5 s of blending";
  EXPECT_LE(marked, 90);
}

// A technique that the client has applied is kept across a restart of the gateway; an order that it
// never received is not answered.
TEST(AnOrder, OutlivesTheGatewayOnceItIsObeyed) {
  Flight flight("P1", 2, 3);
  flight.run(8);
  const Operator the{flight};
  the.order({.player_name = "player-0"}, "view=shared-clock");
  flight.run(1);
  flight.cluster->restart_gateway(2'000'000);
  const std::uint64_t unheard = the.order({.player_name = "player-0"}, "rollback=off");
  flight.run(7);
  EXPECT_EQ(flight.cluster->playing(), 2U);
  EXPECT_FALSE(flight.cluster->orders().complete(unheard));
  EXPECT_EQ(flight.client(0).techniques(), *with({}, "view=shared-clock"));
  const std::uint64_t again = the.order({.player_name = "player-0"}, "rollback=off");
  flight.run(1);
  EXPECT_TRUE(flight.cluster->orders().complete(again)) << "its numbers begin anew with a session";
  EXPECT_EQ(flight.client(0).techniques(), *with({}, "view=shared-clock rollback=off"));
}

TEST(AnOrder, ForNobodyOrOfNonsenseIsRefusedInASentence) {
  Flight flight("P1", 2, 3);
  flight.run(8);
  const Operator the{flight};
  EXPECT_EQ(the.refused({.player_name = "Eve"}, "rollback=off").reason,
            session::OrderRefusal::NoSession);
  EXPECT_EQ(the.refused({.player_name = "player-0"}, "rollback=maybe").sentence,
            "rollback: 'maybe' is not off|on");
  flight.cluster->quit(0);
  flight.run(1);
  EXPECT_EQ(the.refused({.player_name = "player-0"}, "rollback=off").reason,
            session::OrderRefusal::NoSession);
}

}  // namespace
}  // namespace perigee
