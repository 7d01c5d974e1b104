// The client's part of a flight recording, without a client.
#include "perigee/client/recorder.hpp"

#include "parts.hpp"

namespace perigee::client {
namespace {

struct ARecorder : testing::Test, Parts {
  ARecorder() { settings.recorder.emplace(); }
  Recorder make() {
    return Recorder(
        {.game = server.game, .settings = settings, .entities = store, .prediction = prediction});
  }
};

TEST_F(ARecorder, KeepsStepsFinalStatesAndChanges) {
  Recorder recorder = make();
  const OwnSection own = receive_own();
  EXPECT_FALSE(recorder.recording({}, "build")) << "no tick was played";
  recorder.note_final(own);
  recorder.note_change({.object = server.door, .effect = server.now() + 9, .goal = 1});
  const Tick tick = predict().tick;
  recorder.note_step(*prediction.record(tick));
  const auto recording = recorder.recording({.meters = 0.7, .at = tick}, "build");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->header.side, replay::Side::Client);
  EXPECT_EQ(recording->header.avatar, HandServer::identity.bits);
  EXPECT_EQ(recording->header.meters, 0.7);
  ASSERT_EQ(recording->ticks.size(), 1U);
  EXPECT_EQ(recording->ticks[0].tick, tick);
  EXPECT_EQ(recording->finals.size(), 1U);
  EXPECT_EQ(recording->changes.size(), 1U);
}

TEST_F(ARecorder, KeepsCorrections) {
  Recorder recorder = make();
  receive_own();
  const Tick tick = predict().tick;
  recorder.note_step(*prediction.record(tick));
  recorder.note_correction({.meters = 0.5, .cause = CorrectionCause::Residual, .at = tick + 1});
  const auto recording = recorder.recording({}, "build");
  ASSERT_TRUE(recording);
  ASSERT_EQ(recording->corrections.size(), 1U);
  EXPECT_EQ(recording->corrections[0].at, tick + 1);
  EXPECT_EQ(recording->corrections[0].meters, 0.5);
}

TEST_F(ARecorder, CanBeginAndEndAtAnyTime) {
  settings.recorder.reset();
  Recorder recorder = make();
  receive_own();
  recorder.use(replay::half_minute);
  recorder.note_step(*prediction.record(predict().tick));
  EXPECT_TRUE(recorder.recording({}, "build"));
  recorder.use(std::nullopt);
  EXPECT_FALSE(recorder.recording({}, "build"));
}

TEST_F(ARecorder, StartsAnewInAnotherWorld) {
  Recorder recorder = make();
  receive_own();
  recorder.note_step(*prediction.record(predict().tick));
  recorder.forget_world();
  EXPECT_FALSE(recorder.recording({}, "build"));
}

TEST_F(ARecorder, DoesNothingUnlessItIsAskedFor) {
  settings.recorder.reset();
  Recorder recorder = make();
  recorder.note_final(receive_own());
  recorder.note_step(*prediction.record(predict().tick));
  EXPECT_FALSE(recorder.recording({}, "build"));
}

}  // namespace
}  // namespace perigee::client
