// The whole client: connecting, playing, handling malformed bytes, reconnecting.
#include "a_client.hpp"

#include <array>
#include <limits>
#include <set>

namespace perigee::client {
namespace {

TEST_F(AClient, PlaysAndAgreesWithItsWorker) {
  walker.input.forward = 127;
  play(120);
  EXPECT_TRUE(client.playing());
  // It predicts ahead of the newest state, and the predicted states turn out to be exact.
  EXPECT_GT(ticks_between(worker.now(), client.prediction().next()), 0);
  const std::uint64_t corrections = client.telemetry().totals().corrections;
  play(120);
  EXPECT_EQ(client.telemetry().totals().corrections, corrections);
  EXPECT_EQ(client.prediction().last_error_m(), 0);
  EXPECT_GT(client.telemetry().full_loop_rtt_us(), 0);
  EXPECT_EQ(client.telemetry().malformed(), 0U);
  EXPECT_GE(reports.size(), 2U);  // one per second
}

// K23, S14: controls are sampled once per tick, right before that tick is predicted
TEST_F(AClient, SamplesEveryTickOnceAndInOrder) {
  play(200);
  ASSERT_GT(walker.ticks.size(), 100U);
  for (std::size_t i = 1; i < walker.ticks.size(); ++i) {
    ASSERT_EQ(walker.ticks[i], walker.ticks[i - 1] + 1);
  }
  EXPECT_EQ(walker.ticks.back() + 1, client.prediction().next());
}

// K8, V0: inputs not known to be applied are sent again
// K27: without pressed keys, every tick still has an input
TEST_F(AClient, RepeatsInputsThatWereNotApplied) {
  play(60);
  controls.clear();
  for (int i = 0; i < 10; ++i) frame();  // the worker is silent
  ASSERT_FALSE(controls.empty());
  EXPECT_GE(controls.back().inputs.size(), 8U);
  EXPECT_EQ(controls.back().inputs[0].tick + 1, client.prediction().next());
}

TEST_F(AClient, CountsEachInputOnceHoweverOftenItIsSent) {
  std::set<std::uint32_t> sent;
  for (int i = 0; i < 100; ++i) {
    play(i < 60 || i >= 70 ? 1 : 0);
    if (i >= 60 && i < 70) frame();  // the worker is silent
  }
  for (const ControlFrame& control : controls) {
    for (const PlayerInput& input : control.inputs) sent.insert(input.tick.count);
  }
  EXPECT_GT(sent.size(), 90U);
  EXPECT_EQ(client.inputs_sent(), sent.size());
}

// V6: every packet carries the state that the client believes in
TEST_F(AClient, ClaimsItsPredictedState) {
  walker.input.forward = 127;
  play(60);
  frame();
  const ControlFrame& last = controls.back();
  EXPECT_EQ(last.claimed_parent, client.prediction().parent());
  EXPECT_LT(distance(to_double(last.claimed_position), client.prediction().state().position), 1e-3);
}

// V7-V9: the client adopts the new epoch, and drops everything of the former one
// V8: inputs sampled in the old epoch are never sent again
TEST_F(AClient, ObeysAHardReset) {
  play(60);
  OwnSection own = worker.own(worker.now());
  own.reset_epoch = 1;
  const Tick from = worker.now();
  worker.tick({});
  const Tick tick = worker.now();
  send_frame(stream, block(tick, &own));
  EXPECT_EQ(client.prediction().hard_resets(), 1U);
  controls.clear();
  frame();
  frame();
  ASSERT_FALSE(controls.empty());
  for (const ControlFrame& control : controls) {
    EXPECT_EQ(control.reset_epoch, 1);
    for (const PlayerInput& input : control.inputs) EXPECT_FALSE(before(input.tick, from));
  }
}

// K30: after a hitch it catches up a bounded number of ticks at a time
TEST_F(AClient, CatchesUpAfterAHitch) {
  play(120);
  const std::int32_t lead = ticks_between(worker.now(), client.prediction().next());
  for (int i = 0; i < 50; ++i) worker.tick({});
  now_us += 50 * 16'667;
  const Tick before_hitch = client.prediction().next();
  frame();
  EXPECT_EQ(ticks_between(before_hitch, client.prediction().next()), 30);
  serve();
  play(10);
  EXPECT_NEAR(ticks_between(worker.now(), client.prediction().next()), lead, 2);
}

// K30: a client more than 1000 ms behind continues from the server's state
TEST_F(AClient, SkipsWhatItSleptThrough) {
  play(120);
  for (int i = 0; i < 200; ++i) worker.tick({});
  now_us += 200 * 16'667;
  const Tick asleep = client.prediction().next();
  frame();
  EXPECT_FALSE(client.prediction().running());
  EXPECT_EQ(client.prediction().next(), asleep);
  play(60);
  EXPECT_TRUE(client.playing());
  const std::size_t sampled = walker.ticks.size();
  EXPECT_LT(sampled, 120U + 60U + 30U);
  EXPECT_GE(ticks_between(worker.now(), client.prediction().next()), 0);
}

TEST_F(AClient, BeginsFromNothingWithEachToken) {
  play(120);
  ASSERT_TRUE(client.playing());
  for (const std::uint16_t other : std::array<std::uint16_t, 4>{2, 1, 2, 1}) {
    server->disconnect(now_us, 0);
    cluster_id = other;
    ++epoch;
    next_event = {};
    controls.clear();
    ASSERT_TRUE(client.begin(now_us, token(1)));
    EXPECT_FALSE(client.playing()) << "nothing of the new session has been received";
    EXPECT_TRUE(client.scene(now_us).empty());
    for (int i = 0; i < 60 && !client.connected(); ++i) frame();
    ASSERT_TRUE(client.connected());
    EXPECT_FALSE(client.playing());
    play(120);
    EXPECT_TRUE(client.playing()) << "incarnation " << other;
  }
}

// K30: after a suspension the client's clock has stood still, or it runs on while world time stands
// still
TEST_F(AClient, FindsItsLeadAgainWhenItsClockIsNotTheWorldsAnyMore) {
  play(120);
  const std::int32_t lead = ticks_between(worker.now(), client.prediction().next());
  for (int i = 0; i < 2000; ++i) worker.tick({});
  play(240);
  EXPECT_TRUE(client.playing());
  EXPECT_NEAR(ticks_between(worker.now(), client.prediction().next()), lead, 3);
  for (int i = 0; i < 2000; ++i) frame();
  play(240);
  EXPECT_TRUE(client.playing());
  EXPECT_NEAR(ticks_between(worker.now(), client.prediction().next()), lead, 85)
      << "a worker applies inputs so early";
}

// A server that sends an ancient state could otherwise make a frame last for ever.
TEST_F(AClient, PredictsNothingFromAStateThatIsLongPast) {
  for (const std::int32_t age_ticks : {200, 1'000'000, std::numeric_limits<std::int32_t>::max()}) {
    worker.tick({});
    OwnSection own = worker.own(worker.now());
    own.final_tick = worker.now() - age_ticks;
    send_frame(stream, block(worker.now(), &own,
                             next_event.value == 0 ? spawn_events() : std::vector<WorldEvent>{}));
    send_echo();
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_FALSE(client.playing());
    EXPECT_TRUE(walker.ticks.empty());
  }
  play(60);
  EXPECT_TRUE(client.playing()) << "from a state that it can still compare";
}

TEST_F(AClient, CountsPayloadsThatAreNoFrames) {
  const std::uint64_t seed = 9;
  SCOPED_TRACE(seed);
  Random dice(seed);
  play(30);
  const std::uint64_t before_bytes = client.telemetry().malformed();
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes(1 + dice.below(300));
    for (std::byte& b : bytes) b = static_cast<std::byte>(dice.next());
    send_payload(bytes);
  }
  EXPECT_GT(client.telemetry().malformed() - before_bytes, 1500U);
  EXPECT_TRUE(client.connected());
  play(10);
}

TEST_F(AClient, SurvivesBlocksWithFlippedBitsAndCutBlocks) {
  const std::uint64_t seed = 10;
  SCOPED_TRACE(seed);
  Random dice(seed);
  play(30);
  for (int i = 0; i < 3000; ++i) {
    const OwnSection own = worker.own(worker.now());
    Bytes bytes = block(worker.now(), &own, spawn_events(),
                        {test::straight(worker.avatar, worker.now(), {1, 2, 3}, {4, 0, 0})});
    if (dice.below(4) == 0) bytes.resize(dice.below(static_cast<std::uint32_t>(bytes.size())));
    for (std::uint32_t flips = dice.below(4); flips > 0 && !bytes.empty(); --flips) {
      bytes[dice.below(static_cast<std::uint32_t>(bytes.size()))] ^=
          static_cast<std::byte>(1U << dice.below(8));
    }
    send_frame(stream, bytes);
    if (i % 20 == 0) {
      frame();
      client.scene(now_us);
    }
  }
  EXPECT_GT(client.telemetry().malformed(), 300U);
}

TEST_F(AClient, CountsStreamsThatDoNotExist) {
  const OwnSection own = worker.own(worker.now());
  const Bytes bytes = block(worker.now(), &own);
  send_frame(0, bytes);
  send_frame(1 + workers_max, bytes);
  send_frame(10'000, bytes);
  EXPECT_EQ(client.telemetry().malformed(), 3U);
  EXPECT_FALSE(client.prediction().running());
}

TEST_F(AClient, CountsRecordsOfWhatItDoesNotKnow) {
  send_frame(stream,
             block(Tick{5000}, nullptr, {},
                   {test::straight(77, Tick{5000}, {}), test::straight(78, Tick{5000}, {})}));
  EXPECT_EQ(client.telemetry().unknown_records(), 2U);
}

// K5: latest wins; data older than the newest block is ignored
TEST_F(AClient, IgnoresTheOwnSectionOfAStaleBlock) {
  play(60);
  const std::uint64_t compared = client.prediction().compared();
  OwnSection old = worker.own(worker.now());
  old.reset_epoch = 9;
  send_frame(stream, block(worker.now() - 2, &old));
  send_frame(stream, block(worker.now(), &old));
  EXPECT_EQ(client.prediction().hard_resets(), 0U);
  EXPECT_EQ(client.prediction().compared(), compared);
}

TEST_F(AClient, AcknowledgesEventsAndAppliesEachOnce) {
  play(10);
  ASSERT_FALSE(acknowledgements.empty());
  EXPECT_EQ(acknowledgements.back().stream_epoch, epoch);
  EXPECT_EQ(acknowledgements.back().events.next, next_event);
  // a repeated despawn of a handle that has been spawned again meanwhile
  const Sequence first = next_event;
  send_frame(stream,
             block(worker.now() + 1, nullptr, {DespawnEvent{worker.door, 0}, worker.spawns()[1]}));
  next_event = first;
  send_frame(stream, block(worker.now() + 2, nullptr, {DespawnEvent{worker.door, 0}}));
  EXPECT_NE(client.entities().find(worker.door), nullptr);
}

// A directory that lost its store starts time at tick 0 again: no late packet may hold the client
// back.
TEST_F(AClient, StartsOverInAnotherIncarnationOfTheCluster) {
  play(120);
  ASSERT_TRUE(client.playing());
  cluster_id = 2;
  next_event = {};
  send_frame(stream, block(Tick{5}, nullptr, {worker.spawns()[0]}));
  EXPECT_EQ(client.entities().all().size(), 1U);
  EXPECT_FALSE(client.prediction().running());
  EXPECT_FALSE(client.lead().seeded());
  cluster_id = 1;  // a late packet of the former incarnation
  next_event = {};
  send_frame(stream, block(worker.now(), nullptr, {worker.spawns()[1]}));
  EXPECT_EQ(client.entities().all().size(), 1U);
  // and the client accepts packets of the new one
  cluster_id = 2;
  send_frame(stream, block(Tick{6}, nullptr, {worker.spawns()[1]}));
  frame();
  EXPECT_EQ(acknowledgements.back().newest_block, Tick{6});
}

TEST_F(AClient, StartsAnewAfterThreeSecondsWithoutAFinalState) {
  play(120);
  for (int i = 0; i < 180; ++i) frame();
  EXPECT_TRUE(client.prediction().running());
  for (int i = 0; i < 25; ++i) frame();
  EXPECT_FALSE(client.prediction().running());
  EXPECT_EQ(client.telemetry().totals().stalls, 1U);
  for (int i = 0; i < 205; ++i) worker.tick({});
  play(60);
  EXPECT_TRUE(client.playing());
  EXPECT_EQ(client.telemetry().totals().stalls, 1U);
}

// As with a client at 30 frames per second that receives a block before each frame.
TEST_F(AClient, StartsAnewWithAWordThatComesRightAfterThreeSecondsWithout) {
  play(120);
  for (int i = 0; i < 220 && client.prediction().running(); ++i) {
    worker.tick({});
    frame();
  }
  ASSERT_FALSE(client.prediction().running());
  serve();
  ASSERT_TRUE(client.prediction().running());
  play(60);
  EXPECT_TRUE(client.playing());
  EXPECT_EQ(client.telemetry().totals().stalls, 1U);
}

TEST_F(AClient, ForgetsEverythingWhenAStreamStartsAnew) {
  play(10);
  ASSERT_NE(client.entities().find(worker.deck), nullptr);
  epoch = static_cast<std::uint16_t>(epoch + 500);
  next_event = {};
  send_frame(stream, block(worker.now() + 500, nullptr, {worker.spawns()[0]}));
  EXPECT_EQ(client.entities().all().size(), 1U);
  frame();
  EXPECT_EQ(acknowledgements.back().stream_epoch, epoch);
  EXPECT_EQ(acknowledgements.back().events.next, Sequence{1});
  // a late packet of the former stream
  epoch = static_cast<std::uint16_t>(epoch - 500);
  next_event = {};
  send_frame(stream, block(worker.now(), nullptr, {worker.spawns()[1]}));
  EXPECT_EQ(client.entities().all().size(), 1U);
}

// Stream epochs are the low 16 bits of the start tick; the next one may well be 10 minutes later.
TEST_F(AClient, ReceivesAStreamAgainThatWasSilentForTenMinutes) {
  play(10);
  epoch = static_cast<std::uint16_t>(epoch + 36'000);
  next_event = {};
  send_frame(stream, block(worker.now() + 36'000, nullptr, {worker.spawns()[0]}));
  EXPECT_EQ(client.entities().all().size(), 1U);
  frame();
  EXPECT_EQ(acknowledgements.back().stream_epoch, epoch);
}

TEST_F(AClient, MeasuresTheNetworkByTheGatewaysEcho) {
  play(30);
  EXPECT_GE(client.telemetry().rtt_us(), 0);
  const std::size_t samples = client.telemetry().rtt_samples().size();
  std::array<std::byte, echo_frame_bytes> bytes{};
  ByteWriter writer(bytes);
  write_echo(writer, {static_cast<std::uint16_t>(newest_up), 4'000 / EchoFrame::hold_step_us});
  now_us = newest_up_at_us + 54'000;
  send_frame(stream_gateway, writer.written());
  EXPECT_EQ(client.telemetry().rtt_us(), 50'000);
  ByteWriter forged(bytes);
  write_echo(forged,
             {static_cast<std::uint16_t>(newest_up + 1000), 4'000 / EchoFrame::hold_step_us});
  send_frame(stream_gateway, forged.written());
  EXPECT_EQ(client.telemetry().rtt_samples().size(), samples + 1);
}

TEST_F(AClient, TellsVerdictsOnceUntilTheNextFrame) {
  play(10);
  send_frame(stream, block(worker.now() + 1, nullptr,
                           {EffectEvent{Tick{5003}, 2, Verdict::Cancelled, CancelReason::TooFar}}));
  ASSERT_EQ(client.verdicts().size(), 1U);
  EXPECT_EQ(client.verdicts()[0].index, 2);
  EXPECT_EQ(client.verdicts()[0].reason, CancelReason::TooFar);
  frame();
  EXPECT_TRUE(client.verdicts().empty());
}

// B4, E9: the own avatar is rendered in the present, and marked while a correction is blended out
TEST_F(AClient, DrawsItsOwnAvatarWhereItPredictsIt) {
  play(120);
  const auto own = [&] {
    for (const SceneEntity& entity : client.scene(now_us)) {
      if (entity.own) return entity;
    }
    return SceneEntity{};
  };
  EXPECT_EQ(own().handle, worker.avatar);
  EXPECT_FALSE(own().smoothing);
  EXPECT_LT(distance(own().local.position, client.prediction().state().position), 0.1);
  worker.state.position += Vec3{0.5, 0, 0};
  play(3);
  EXPECT_TRUE(own().smoothing);
  play(60);
  EXPECT_FALSE(own().smoothing);
}

/// A client with a resume token.
struct AClientThatMayComeBack : AClient {
  void hand_resume_token(std::uint32_t number, std::uint64_t client_id) {
    const transport::ConnectToken whole = token(client_id);
    std::size_t size = whole.size();
    while (whole[size - 1] == std::byte{0}) --size;
    for (std::uint8_t part = 0; part < resume_parts(size); ++part) {
      Bytes bytes(resume_frame_bytes_max);
      ByteWriter writer(bytes);
      ASSERT_TRUE(write_resume(writer, resume_part(number, part, std::span(whole).first(size))));
      send_frame(stream_gateway, writer.written());
    }
  }
  /// Frames in which no packet arrives from the server.
  void frames_alone(int count) {
    for (int i = 0; i < count; ++i) {
      now_us += 16'667;
      client.advance(now_us, walker);
      while (client.poll_send()) {
      }
    }
  }
};

TEST_F(AClientThatMayComeBack, AcknowledgesEachTokenAndItsRepetitions) {
  hand_resume_token(1, 1);
  frame();
  hand_resume_token(1, 1);
  frame();
  hand_resume_token(2, 1);
  frame();
  EXPECT_EQ(resumes_received, (std::vector<std::uint32_t>{1, 1, 2}));
  EXPECT_TRUE(client.transport().has_spare());
}

TEST_F(AClientThatMayComeBack, CountsATokenThatIsNone) {
  Bytes bytes(100, std::byte{7});
  bytes[0] = std::byte{2};
  send_frame(stream_gateway, bytes);
  frame();
  EXPECT_FALSE(client.transport().has_spare());
  EXPECT_TRUE(resumes_received.empty());
  EXPECT_EQ(client.telemetry().malformed(), 1U);
}

TEST_F(AClientThatMayComeBack, DialsAfterASecondOfSilence) {
  hand_resume_token(1, 1);
  frame();
  frames_alone(55);
  EXPECT_FALSE(client.reconnecting());
  frames_alone(10);
  EXPECT_TRUE(client.reconnecting());
}

TEST_F(AClientThatMayComeBack, DoesNotTakeItsOwnStallForSilence) {
  hand_resume_token(1, 1);
  frame();
  // a debugger or a sleeping laptop: packets that arrived meanwhile are still to be read
  now_us += 3'000'000;
  client.advance(now_us, walker);
  EXPECT_FALSE(client.reconnecting());
}

TEST_F(AClientThatMayComeBack, DialsAtOnceWhenItIsLetGoButNotAfterItQuit) {
  hand_resume_token(1, 1);
  frame();
  server->disconnect(now_us, 0);
  deliver();
  EXPECT_FALSE(client.connected());
  frames_alone(1);
  EXPECT_TRUE(client.reconnecting());
  client.disconnect(now_us);
  frames_alone(100);
  EXPECT_EQ(client.transport_state(), transport::ClientState::Disconnected);
}

}  // namespace
}  // namespace perigee::client
