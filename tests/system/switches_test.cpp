// Every technique in the whole cluster: players play with it, and switch it on and off in play.
#include <gtest/gtest.h>

#include "flight.hpp"
#include "perigee/lab/presets.hpp"

namespace perigee {
namespace {

void use_in_all(Flight& flight, std::string_view settings) {
  for (lab::VirtualPlayer& player : flight.cluster->players()) {
    player.client->use(*with(player.client->techniques(), settings));
  }
}
std::uint64_t corrections(const Flight& flight) { return flight.figures().corrections; }

// K9, S3, S12, V0, V1, B2, K33: no choice of techniques prevents playing
TEST(AnyPreset, LetsEverybodyPlay) {
  for (const lab::Preset& preset : lab::presets()) {
    SCOPED_TRACE(preset.name);
    lab::ClusterOptions options;
    options.client.techniques = preset.techniques;
    Flight flight("P6", 4, 3, options);
    flight.run(12);
    EXPECT_EQ(flight.cluster->playing(), 4U);
    const bots::Deeds deeds = flight.deeds();
    EXPECT_GT(deeds.moving_ticks, deeds.ticks * 6 / 10);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(flight.client(i).worker_techniques(), preset.techniques.shared());
    }
  }
}

// K9, M0: three ticks later, and yet bit for bit what was predicted
TEST(APlayoutBuffer, IsPredictedExactly) {
  lab::ClusterOptions options;
  options.client.techniques = Techniques{.timeline = Timeline::Playout, .rollback = false};
  Flight flight("P1", 6, 4, options);
  flight.run(40);
  const lab::PlayerFigures figures = flight.figures();
  EXPECT_EQ(lab::quantile(figures.errors_m, 0.9), 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_GE(flight.client(i).delay_ticks(), 1);
    EXPECT_LE(flight.client(i).delay_ticks(), 5);
  }
}

// K17: off on a path without trouble, on if packets overtake each other
TEST(APlayoutBufferInTrouble, IsOnWhereThereIsTrouble) {
  lab::ClusterOptions options;
  options.hitch_us = 0;
  options.client.techniques = Techniques{.timeline = Timeline::PlayoutInTrouble, .rollback = false};
  const auto pushes = [&](std::string_view profile) {
    Flight flight(profile, 4, 4, options);
    flight.run(25);
    std::vector<int> of_each;
    for (const lab::VirtualPlayer& player : flight.cluster->players()) {
      for (std::size_t w = 0; w < 2; ++w) {
        const worker::Player* there = flight.cluster->worker(w).player_of(player.client_id);
        if (there != nullptr) of_each.push_back(there->inputs.pushes_now());
      }
    }
    return of_each;
  };
  EXPECT_EQ(pushes("P0"), std::vector<int>(4, 1));
  EXPECT_EQ(pushes("P6"), std::vector<int>(4, 3));
}

// S3: X = 30 ms while the resulting delay fits into P; otherwise the lead, and the client reports
// it
TEST(ASuggestedTick, IsTakenAsLongAsThePathIsShortEnough) {
  lab::ClusterOptions options;
  options.client.techniques = Techniques{.timeline = Timeline::Suggested};
  const auto ahead_ms = [](const client::Client& client, Micros rtt_us) {
    return static_cast<double>(client.telemetry().lead_us() - rtt_us / 2) / 1000;
  };
  Flight near("P3", 4, 5, options);  // 150 ms to the server, P is 250
  near.run(40);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(near.client(i).timeline_in_use(), Timeline::Suggested);
    EXPECT_EQ(near.client(i).timeline_fallbacks(), 0U);
    EXPECT_NEAR(ahead_ms(near.client(i), 300'000), 30, 15);
  }
  Flight far("P4", 4, 5, options);  // 350 ms to the server
  far.run(40);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(far.client(i).timeline_in_use(), Timeline::Lead);
    EXPECT_GE(far.client(i).timeline_fallbacks(), 1U);
    EXPECT_EQ(far.client(i).worker_techniques()->timeline, Timeline::Lead);
    EXPECT_GT(ahead_ms(far.client(i), 700'000), 300);
  }
}

// On each switch no player is lost or reset, and makes at most one step; it is announced both ways
TEST(ASwitchInPlay, CostsAtMostOneStep) {
  lab::ClusterOptions options;
  options.hitch_us = 0;
  for (const char* settings :
       {"timeline=playout", "timeline=playout-in-trouble", "timeline=on-arrival",
        "timeline=suggested", "rollback=off", "redundancy=none", "send-every-ms=20",
        "send-every-ms=25", "view=shared-clock", "relative-prediction=off"}) {
    SCOPED_TRACE(settings);
    Flight flight("P1", 4, 9, options);
    flight.run(10);
    const std::string before_switch = to_text(*with({}, ""), " ");
    for (const std::string& turn : {std::string(settings), before_switch}) {
      flight.cluster->restart_figures();
      use_in_all(flight, turn);
      flight.run(4);
      EXPECT_LE(corrections(flight), 4U) << "one for each of four players: " << turn;
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(flight.client(i).prediction().hard_resets(), 0U);
        EXPECT_EQ(flight.client(i).worker_techniques(), flight.client(i).techniques().shared());
      }
    }
    EXPECT_EQ(flight.cluster->playing(), 4U);
  }
}

}  // namespace
}  // namespace perigee
