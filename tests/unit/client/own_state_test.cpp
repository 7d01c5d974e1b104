// Own sections, without a client.
#include "perigee/client/own_state.hpp"

#include "parts.hpp"
#include "perigee/base/wire_voxels.hpp"

namespace perigee::client {
namespace {

class NoBlocks final : public BlockHandler {
 public:
  void on_new_cluster_id() override {}
  void on_stream_restart(StreamId) override {}
  void on_own(const BlockSource&, const OwnSection&) override {}
  void on_late_own(const BlockSource&, const OwnSection&) override {}
  void on_event(const BlockSource&, const WorldEvent&) override {}
  void on_cue(const CueEvent&) override {}
  bool on_record(const BlockSource&, const GroupFrame&, const TrackRecord&) override {
    return true;
  }
  void on_block_end(const BlockSource&, bool) override {}
};

struct AnOwnState : testing::Test, OwnStateParts {
  explicit AnOwnState(const test::YardOptions& options = {}) : OwnStateParts(options) {}
  OwnSection own() const { return server.own(server.now()); }
  void receive(const OwnSection& section) { own_state.on_own({1, server.now()}, section); }
};

TEST_F(AnOwnState, StartsThePredictionAndItsInputs) {
  receive(own());
  EXPECT_TRUE(prediction.running());
  EXPECT_EQ(inputs.first_tick(), prediction.next());
  EXPECT_EQ(own_state.final_tick(), server.now());
  EXPECT_EQ(own_state.snapshots(), 1U);
  EXPECT_TRUE(suggested) << "the avatar's type has a choice of techniques";
  EXPECT_TRUE(clocks.time().ready());
}

// The worker counts the block as arrived, and announces the motion no more.
TEST_F(AnOwnState, TakesAnAnnouncedMotionFromASectionThatWasOvertaken) {
  OwnSection late = own();
  const Tick overtaken = server.now();
  const Handle ship = 77;
  ASSERT_TRUE(late.parents.push_back({ship, overtaken, {}}));
  for (int i = 0; i < 2; ++i) server.tick({});
  receive(own());
  const Tick final_tick = *own_state.final_tick();
  own_state.store_announced_motions({1, overtaken}, late);
  EXPECT_EQ(store.parent_motions().tick_of(ship), overtaken);
  EXPECT_EQ(own_state.final_tick(), final_tick);
}

TEST_F(AnOwnState, NamesTheFinalTickAsTheInputsDo) {
  OwnSection section = own();
  section.delay_ticks = 3;
  receive(section);
  EXPECT_EQ(own_state.final_tick(), server.now() - 3);
  EXPECT_EQ(prediction.next(), server.now() - 3);
}

// K28
TEST_F(AnOwnState, MeasuresTheLoopOfAnInputOnce) {
  receive(own());
  const PlayerInput input = predict();
  latency.on_sampled(input.tick, now_us);
  inputs.add(input);
  pass(80'000);
  OwnSection section = own();
  section.has_echo = true;
  section.echo = input.tick;
  section.echo_age_ticks = 3;
  receive(section);
  EXPECT_NEAR(static_cast<double>(telemetry.full_loop_rtt_us()), 80'000 - 50'000, 10);
  pass(80'000);
  receive(section);
  EXPECT_NEAR(static_cast<double>(telemetry.full_loop_rtt_us()), 80'000 - 50'000, 10);
}

TEST_F(AnOwnState, NotesACorrectionAndSearchesHitsAgain) {
  receive(own());
  for (int i = 0; i < 5; ++i) predict();
  server.tick({.tick = server.now()});
  receive(own());
  EXPECT_EQ(searches_again, 0) << "it was predicted";
  server.tick({.tick = server.now()});
  OwnSection section = own();
  section.final_state.position.x += 0.5;
  receive(section);
  EXPECT_EQ(searches_again, 1);
  EXPECT_EQ(corrections.shown(), 1U);
  EXPECT_NEAR(corrections.last_shown().meters, 0.5, 0.01);
}

TEST_F(AnOwnState, AfterAHardResetTakesInputsOfTheNewEpochOnly) {
  receive(own());
  for (int i = 0; i < 5; ++i) predict();
  server.tick({.tick = server.now()});
  OwnSection section = own();
  section.reset_epoch = 1;
  receive(section);
  EXPECT_EQ(inputs.first_tick(), server.now());
  EXPECT_EQ(prediction.next(), server.now());
}

struct AnOwnStateOnGround : AnOwnState {
  AnOwnStateOnGround()
      : AnOwnState({.spawn = {30.5, test::ground_depth + 0.91, -50.5}, .ground = true}) {}
};

TEST_F(AnOwnStateOnGround, ReportsListedChunksOnce) {
  NoBlocks none;
  const StreamReceiver streams({.handler = none, .telemetry = telemetry});
  const auto reports = [&] {
    std::array<std::byte, 200> payload;
    FrameWriter writer(payload);
    own_state.write_chunk_report(writer, streams);
    FrameReader reader(writer.payload());
    ChunkFrame chunks;
    const auto frame = reader.next();
    EXPECT_TRUE(!frame || read_chunks(frame->bytes, chunks));
    return chunks.reports;
  };
  OwnSection section = own();
  const Handle ground = test::Yard::handle_of(server.world, test::ground_row);
  section.chunks.push_back({ground, 0, 3});
  receive(section);
  EXPECT_TRUE(reports().empty()) << "the block is not complete";
  own_state.request_chunks(1);
  const auto first = reports();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(first[0].lacks);
  EXPECT_TRUE(reports().empty());
  own_state.request_chunks(1);
  own_state.forget_session();
  EXPECT_TRUE(reports().empty());
}

}  // namespace
}  // namespace perigee::client
