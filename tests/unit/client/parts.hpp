/// Components that most others need, around a worker made by hand.
#pragma once

#include "hand_server.hpp"
#include "perigee/client/own_state.hpp"

namespace perigee::client {

struct Parts {
  static constexpr Micros rtt_us = 100'000;
  static constexpr Micros tick_us = 16'667;
  HandServer server;
  Settings settings;
  Techniques techniques;
  TelemetryLog telemetry;
  LatencyLog latency;
  EntityStore store{server.game.types()};
  Prediction prediction{store, server.game};
  Projectiles projectiles{store, server.game};
  Clocks clocks{{.settings = settings, .techniques = techniques, .telemetry = telemetry}};
  Display display{{.entities = store,
                   .prediction = prediction,
                   .clocks = clocks,
                   .telemetry = telemetry,
                   .latency = latency}};
  InputSender inputs{{.techniques = techniques,
                      .clocks = clocks,
                      .latency = latency,
                      .telemetry = telemetry,
                      .own = server.game.input_layout()}};
  Micros now_us = 1'000'000;

  explicit Parts(const test::YardOptions& options = {}) : server(options) {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
    clocks.begin(now_us);
  }
  /// Time passes on this side alone.
  void pass(Micros us) {
    now_us += us;
    clocks.set_now(now_us);
    clocks.advance(static_cast<double>(us) * ticks_per_us);
  }
  /// An own section of the server's present arrives.
  OwnSection receive_own() {
    OwnSection own = server.own(server.now());
    for (const ParentMotion& motion : own.parents) {
      store.parent_motions().store(motion, own.final_tick);
    }
    clocks.on_own(server.now(), own);
    prediction.on_own(own, display.view(now_us));
    return own;
  }
  /// The prediction has started, and the lead is known.
  void start() {
    telemetry.on_rtt(rtt_us);
    receive_own();
    inputs.restart(prediction.next(), OwnSection{});
    clocks.advance(0);
    ASSERT_TRUE(clocks.find_lead());
  }
  PlayerInput predict() {
    PlayerInput input;
    input.tick = prediction.next();
    EXPECT_TRUE(prediction.step(input, display.view(now_us)));
    return input;
  }
};

/// The same with an OwnState.
struct OwnStateParts : Parts {
  std::optional<Techniques> suggested;
  int searches_again = 0;
  Recorder recorder{
      {.game = server.game, .settings = settings, .entities = store, .prediction = prediction}};
  TickRunner ticks{{.game = server.game,
                    .settings = settings,
                    .clocks = clocks,
                    .prediction = prediction,
                    .projectiles = projectiles,
                    .display = display,
                    .inputs = inputs,
                    .recorder = recorder,
                    .latency = latency,
                    .telemetry = telemetry,
                    .search_hits = [] {}}};
  CorrectionLog corrections{{.clocks = clocks,
                             .entities = store,
                             .prediction = prediction,
                             .display = display,
                             .telemetry = telemetry},
                            {}};
  OwnState own_state{
      {.clocks = clocks,
       .entities = store,
       .prediction = prediction,
       .projectiles = projectiles,
       .display = display,
       .inputs = inputs,
       .ticks = ticks,
       .recorder = recorder,
       .corrections = corrections,
       .suggest_techniques = [this](const Techniques& choice) { suggested = choice; },
       .search_hits_again = [this] { ++searches_again; }}};

  explicit OwnStateParts(const test::YardOptions& options = {}) : Parts(options) {}
};

}  // namespace perigee::client
