// A client with a wrong lead plays again within a second and two round trips after its path becomes
// usable, for every cause of a wrong lead. (K29, K30)
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "flight.hpp"
#include "second.hpp"

namespace perigee {
namespace {

/// Observes the workers: when a player's inputs were applied last, and how many never were.
class AppliedInputs {
 public:
  explicit AppliedInputs(Flight& flight) : flight_(flight) {
    flight.cluster->before_tick = [this](worker::Core& core) { look(core); };
  }
  /// The longest time without a newly applied input since restart(), including a gap that is not
  /// over yet.
  Micros longest_gap_us() const {
    Micros longest = 0;
    for (const auto& [client_id, seen] : seen_) {
      longest = std::max({longest, seen.longest_us, flight_.cluster->now_us() - seen.at_us});
    }
    return longest;
  }
  /// The first moment since restart() after which all players' inputs are applied without a gap of
  /// 200 ms.
  Micros applied_again_after_us() const {
    Micros after = 0;
    for (const auto& [client_id, seen] : seen_)
      after = std::max(after, seen.flows_from_us - from_us_);
    return after;
  }
  std::uint64_t missed() const { return flight_.figures().play.missed; }
  void restart() {
    from_us_ = flight_.cluster->now_us();
    for (auto& [client_id, seen] : seen_) seen = {seen.newest, from_us_, from_us_, 0};
    flight_.cluster->restart_figures();
  }

 private:
  struct Seen {
    std::optional<Tick> newest;
    Micros at_us = 0;
    Micros flows_from_us = 0;
    Micros longest_us = 0;
  };
  void look(worker::Core& core) {
    const Micros now_us = flight_.cluster->now_us();
    for (const auto& player : flight_.cluster->players()) {
      const worker::Player* known = core.player_of(player.client_id);
      if (known == nullptr) continue;
      Seen& seen = seen_[player.client_id];
      if (known->inputs.last_applied() == seen.newest) continue;
      const Micros gap_us = now_us - seen.at_us;
      seen.longest_us = std::max(seen.longest_us, gap_us);
      if (gap_us > 200'000) seen.flows_from_us = now_us;
      seen.newest = known->inputs.last_applied();
      seen.at_us = now_us;
    }
  }

  Flight& flight_;
  Micros from_us_ = 0;
  std::map<std::uint64_t, Seen> seen_;
};

struct Trial {
  Flight flight;
  AppliedInputs inputs;
  explicit Trial(std::string_view profile = "P1", lab::ClusterOptions options = {})
      : flight(profile, 3, 11, std::move(options)), inputs(flight) {}
  void each(const std::function<void(lab::VirtualPlayer&)>& change) {
    for (auto& player : flight.cluster->players()) change(player);
  }
  void path(double up_extra_s, double down_extra_s) {
    each([&](lab::VirtualPlayer& player) {
      player.up_extra_us = static_cast<Micros>(up_extra_s * second_us);
      player.down_extra_us = static_cast<Micros>(down_extra_s * second_us);
    });
  }
  /// The path is usable from now on.
  void expect_applied(Micros round_trip_us, std::string_view what) {
    inputs.restart();
    flight.run(12);
    EXPECT_LE(inputs.applied_again_after_us(), second_us + 2 * round_trip_us) << what;
    inputs.restart();
    flight.run(20);
    EXPECT_LE(inputs.longest_gap_us(), 400'000) << what;
    EXPECT_LE(inputs.missed(), 10U) << what << ", of " << 3 * 20 * 60;
  }
};

TEST(AWrongLead, IsMendedAfterEightSecondsOfThreeSecondsPing) {
  Trial trial;
  trial.flight.run(10);
  trial.path(1.475, 1.475);
  trial.flight.run(8);
  trial.path(0, 0);
  trial.expect_applied(50'000, "3 s of ping");
}

TEST(AWrongLead, IsMendedAfterTheUplinkAloneWasSlow) {
  Trial trial;
  trial.flight.run(10);
  trial.path(1.4, 0);
  trial.flight.run(3);
  trial.path(0, 0);
  trial.expect_applied(50'000, "an uplink of 1.4 s");
}

TEST(AWrongLead, IsMendedAfterTheDownlinkAloneWasSlow) {
  Trial trial;
  trial.flight.run(10);
  trial.path(0, 1.4);
  trial.flight.run(3);
  trial.path(0, 0);
  trial.expect_applied(50'000, "a downlink of 1.4 s");
}

TEST(APlayer, WhoJoinsAtAPingOfSecondsPlays) {
  Trial trial;
  trial.path(1.275, 1.275);
  trial.flight.run(15);
  trial.inputs.restart();
  trial.flight.run(30);
  EXPECT_LE(trial.inputs.missed(), 10U) << "claims of seconds ago cause no hard resets";
  EXPECT_NEAR(static_cast<double>(trial.flight.client(0).telemetry().lead_us()), 2.6e6, 1e5);
  trial.path(0, 0);
  trial.expect_applied(50'000, "and it goes away");
}

// The uplink's queue is longer than a second for 6.7 s. When it is full, the lead jumps, and the
// inputs of the last second arrive in time. Claims from before the jump are no reason for a hard
// reset, which would make these inputs void. One reset at the end discards the inputs sent ahead.
TEST(AnUplinkQueue, OfThreeSecondsCostsNoMoreThanTheTimeInIt) {
  Trial trial("P8");
  trial.flight.run(10);
  trial.inputs.restart();
  trial.flight.run(60);
  EXPECT_LE(trial.inputs.missed(), 3U * 402) << "it takes more than a second for 6.7 s";
  EXPECT_LE(trial.flight.figures().resets, 3U) << "one for each player";
}

// A step up costs the inputs sent until the worker's reports have come back.
TEST(AStepOf650Ms, CostsLessThanASecondOfInputs) {
  Trial trial;
  trial.flight.run(10);
  trial.inputs.restart();
  trial.path(0.325, 0.325);
  trial.flight.run(10);
  EXPECT_LE(trial.inputs.missed(), 3U * 60U);
  trial.inputs.restart();
  trial.path(0, 0);
  trial.flight.run(10);
  EXPECT_LE(trial.inputs.missed(), 3U * 60U);
}

// All processes of a host stop, and its clock with them: clients are ahead by that.
TEST(AHostThatStops, ForSecondsIsPlayedOnAfterwards) {
  for (const Micros stops_us : {2 * second_us, 5 * second_us, 9 * second_us}) {
    Trial trial;
    trial.flight.run(10);
    trial.each([&](lab::VirtualPlayer& player) { player.clock_offset_us += stops_us; });
    trial.expect_applied(50'000, "a stop of " + std::to_string(stops_us / second_us) + " s");
  }
}

// A suspended machine's monotonic clock stands still.
TEST(AClientThatIsSuspended, PlaysOnAfterwards) {
  for (const Micros sleeps_us : {2'500'000, 4'000'000, 5'000'000}) {
    Trial trial;
    trial.flight.run(10);
    trial.each([&](lab::VirtualPlayer& player) {
      player.stands_still_us = sleeps_us;
      player.dark_until_us = trial.flight.cluster->now_us() + sleeps_us;
    });
    trial.flight.run(static_cast<double>(sleeps_us) / 1e6);
    trial.each([&](lab::VirtualPlayer& player) { player.clock_offset_us -= sleeps_us; });
    // A gateway ends a session that is silent for 5 s: the handshake takes two more round trips.
    trial.expect_applied(sleeps_us < 5 * second_us ? 50'000 : 150'000,
                         "a sleep of " + std::to_string(sleeps_us) + " us");
  }
}

}  // namespace
}  // namespace perigee
