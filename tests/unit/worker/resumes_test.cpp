// A client that comes back with another session gets its avatar.
#include "fixture.hpp"

namespace perigee::worker {
namespace {

TEST(AWorker, GivesAReturningClientItsAvatarBack) {
  Bench bench;
  bench.join();
  bench.stand(30);
  const Handle avatar = bench.player().avatar;
  const ActorState state = bench.player().state;
  const std::uint8_t epoch = bench.last_own().reset_epoch;
  bench.tick(60);  // its gateway is gone, without a notice
  bench.join_again();
  bench.tick(2);
  ASSERT_EQ(bench.joined.size(), 2U);
  EXPECT_EQ(bench.joined[1].session, Bench::later_session_of(0));
  EXPECT_EQ(bench.joined[1].avatar, avatar);
  EXPECT_EQ(bench.core->summary().players, 1U);
  EXPECT_NEAR(distance(bench.player().state.position, state.position), 0, 0.05)
      << "nobody pressed anything meanwhile";
  EXPECT_EQ(bench.blocks.back().session, Bench::later_session_of(0));
  EXPECT_EQ(bench.last_own().reset_epoch, static_cast<std::uint8_t>(epoch + 1))
      << "prediction starts anew";
  EXPECT_EQ(bench.count(metric.hard_resets), 0U) << "nobody did anything wrong";
  EXPECT_EQ(bench.count(metric.players_resumed), 1U);
}

TEST(AWorker, SendsAReturningClientEverythingAnew) {
  Bench bench;
  bench.join();
  bench.stand(30);
  const std::size_t known = bench.sent<SpawnEvent>().size();
  ASSERT_GT(known, 1U);
  const std::uint16_t epoch = bench.blocks.back().header.stream_epoch;
  bench.join_again();
  bench.tick(30);
  EXPECT_EQ(bench.sent<SpawnEvent>(Bench::later_session_of(0)).size(), known);
  EXPECT_NE(bench.blocks.back().header.stream_epoch, epoch);
  EXPECT_EQ(bench.core->summary().observers, 1U) << "nothing more for the former session";
}

TEST(AWorker, KeepsTheAvatarOfALostSessionForAWhile) {
  Bench bench;
  bench.join();
  bench.stand(10);
  const Handle avatar = bench.player().avatar;
  bench.gateway_says(LeaveRecord{session_of(0), true});
  bench.tick(2);
  EXPECT_EQ(bench.left.size(), 1U);
  const std::size_t blocks = bench.blocks.size();
  bench.tick(600);
  EXPECT_EQ(bench.blocks.size(), blocks) << "no client is there to receive them";
  EXPECT_NE(bench.core->world().find(avatar), nullptr);
  bench.join_again();
  bench.tick();
  EXPECT_EQ(bench.joined.back().avatar, avatar);

  bench.gateway_says(LeaveRecord{Bench::later_session_of(0), true});
  bench.tick(1'801);
  EXPECT_EQ(bench.core->summary().players, 0U) << "30 s after its last packet";
  EXPECT_EQ(bench.core->world().find(avatar), nullptr);
}

TEST(AWorker, IgnoresAJoinWithAnOlderTokenOfTheSameClient) {
  Bench bench;
  bench.join_again(0, 9);
  bench.tick();
  ASSERT_EQ(bench.joined.size(), 1U);
  bench.gateway_says(JoinRecord{session_of(0), 100, RegionId{0}, 8});
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 1U);
  EXPECT_TRUE(bench.refused.empty());
  EXPECT_EQ(bench.player().session, Bench::later_session_of(0));
  // The former gateway's leave names a session that no longer exists.
  bench.leave(0);
  bench.tick();
  EXPECT_EQ(bench.core->summary().players, 1U);
}

}  // namespace
}  // namespace perigee::worker
