// Voxel ground on a client: ahead of the worker for its own digging, behind it for that of other
// players, and the same in the end. (V11, K42)
#include "hand_server.hpp"

namespace perigee::client {
namespace {

constexpr std::int16_t down = -16384;
constexpr Handle somebody = 4711;

test::YardOptions on_ground() {
  return {.spawn = {30.5, test::ground_depth + 0.91, -50.5}, .ground = true};
}
PlayerInput digging() { return {.yaw = 0, .pitch = down, .held = button_dig}; }

struct Digging : testing::Test {
  Flight flight{on_ground()};
  std::size_t sent = 0;

  Handle ground() const { return test::Yard::handle_of(flight.server.world, test::ground_row); }
  const world::VoxelPatch& truth() { return *flight.server.world.voxels(ground()); }
  std::uint32_t below(std::int32_t depth) {
    return truth().plan().index_of({10, test::ground_depth - depth, 9});
  }
  /// One tick on both sides; then the client receives the newest state and, if `sends`, all edits.
  void tick(const PlayerInput& input = {}, bool sends = true) {
    flight.predict(input);
    flight.serve();
    const OwnSection own = flight.server.own(flight.server.now());
    flight.receive(own);
    bool changed = false;
    for (; sends && sent < flight.server.edits.size(); changed = true) {
      flight.store.voxel(flight.server.edits[sent++], 0);
    }
    const auto correction = flight.prediction.receive_surroundings(own, changed, flight.view);
    if (correction) flight.corrections.push_back(*correction);
  }
  void run(int ticks, const PlayerInput& input = {}, bool sends = true) {
    for (int i = 0; i < ticks; ++i) tick(input, sends);
  }
};

TEST_F(Digging, IsPredictedAndAgreesWithTheServerBitForBit) {
  run(20);
  run(60, digging());
  EXPECT_LT(flight.prediction.state().position.y, test::ground_depth - 1) << "deep in its own hole";
  flight.expect_agreement();
  EXPECT_EQ(flight.largest_error_m, 0);
  run(20);
  EXPECT_TRUE(flight.prediction.own_edits().empty());
  EXPECT_EQ(flight.store.voxels(ground())->chunk(1), truth().chunk(1));
}

TEST_F(Digging, IsThereAtOnceAndOnlyOnce) {
  run(20);
  flight.predict(digging());
  flight.predict({});
  EXPECT_EQ(flight.prediction.own_edits().of(ground()).size(), 1U);
  EXPECT_EQ(flight.prediction.own_edits().of(ground())[0].cell, below(1));
  run(3);
  EXPECT_EQ(flight.prediction.own_edits().of(ground()).size(), 1U) << "replays dig the same cell";
}

// The client must not hold edits that the server lacks.
TEST_F(Digging, ThatTheServerRefusesIsUndoneAndTheAvatarReplayed) {
  run(20);
  flight.server.refuses_edits = true;
  tick(digging());
  run(9);
  EXPECT_LT(flight.prediction.state().position.y, test::ground_depth + 0.9) << "it falls already";
  run(12);
  EXPECT_TRUE(flight.prediction.own_edits().empty());
  EXPECT_NEAR(flight.prediction.state().position.y, test::ground_depth + 0.91, 0.02);
  ASSERT_EQ(flight.corrections.size(), 1U);
  EXPECT_EQ(flight.corrections[0].cause, CorrectionCause::StaleObject);
  EXPECT_TRUE(flight.prediction.smoothing()) << "seen as a blend, not as a jump";
  flight.expect_agreement();
}

TEST_F(Digging, IsKeptWhileTheServersWordOnItIsUnderWay) {
  run(20);
  tick(digging(), false);
  run(12, {}, false);  // its tick is final, but the chunk's version says that an edit is missing
  OwnSection own = flight.server.own(flight.server.now());
  own.chunks.push_back({ground(), truth().plan().chunk_of(truth().plan().cell_of(below(1))), 1});
  EXPECT_TRUE(flight.store.report_on(own.chunks[0])->lacks);
  flight.predict(digging());
  const std::size_t open = flight.prediction.own_edits().of(ground()).size();
  flight.prediction.receive_surroundings(own, false, flight.view);
  EXPECT_EQ(flight.prediction.own_edits().of(ground()).size(), open);
}

TEST_F(Digging, ByOthersIsReceivedLateAndReplayedAtItsTick) {
  run(20);
  flight.server.dig(ground(), {flight.server.now() - 1, somebody, 8, below(1), false});
  run(6, {}, false);  // not received yet
  EXPECT_NEAR(flight.prediction.state().position.y, test::ground_depth + 0.91, 0.02);
  run(30);
  flight.expect_agreement();
  EXPECT_NEAR(flight.prediction.state().position.y, test::ground_depth - 0.09, 0.02);
}

TEST_F(Digging, WithAGapOfVersionsIsAskedForAsAWhole) {
  flight.server.dig(ground(), {HandServer::start, somebody, 8, below(1), false});
  flight.server.dig(ground(), {HandServer::start, somebody, 9, below(2), false});
  // the first one was lost with a former incarnation
  flight.store.voxel(flight.server.edits[1], 0);
  const std::uint16_t chunk = truth().plan().chunk_of(truth().plan().cell_of(below(1)));
  const ChunkVersion newest{ground(), chunk, 2};
  ASSERT_TRUE(flight.store.report_on(newest));
  EXPECT_TRUE(flight.store.report_on(newest)->lacks);
  EXPECT_EQ(flight.store.report_on(newest)->has.version, 0);
  flight.store.chunk({newest, truth().chunk(chunk)});
  EXPECT_FALSE(flight.store.report_on(newest)->lacks);
  EXPECT_EQ(flight.store.voxels(ground())->chunk(chunk), truth().chunk(chunk));
  EXPECT_FALSE(flight.store.report_on({ground() + 1, 0, 1})) << "no patch";
}

TEST_F(Digging, WithdrawnIsAsIfItHadNotBeen) {
  flight.server.dig(ground(), {HandServer::start, somebody, 8, below(1), false});
  flight.store.voxel(flight.server.edits[0], 0);
  VoxelEvent back = flight.server.edits[0];
  back.version = 2;
  back.withdrawn = true;
  flight.store.voxel(back, 0);
  const world::VoxelPatch& seen = *flight.store.voxels(ground());
  EXPECT_TRUE(seen.solid(seen.plan().cell_of(below(1)), HandServer::start + 100));
  flight.store.voxel(back, 0);
  EXPECT_EQ(seen.version(seen.plan().chunk_of(seen.plan().cell_of(below(1)))), 2);
}

TEST_F(Digging, OfAPatchThatIsGoneIsForgotten) {
  run(20);
  flight.store.despawn(ground());
  EXPECT_EQ(flight.store.voxels(ground()), nullptr);
  EXPECT_TRUE(flight.predict(digging()));
  EXPECT_TRUE(flight.prediction.own_edits().empty());
}

}  // namespace
}  // namespace perigee::client
