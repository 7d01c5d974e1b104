/// A worker's standby has all of its state, tick by tick, and takes over from it.
#include <gmock/gmock.h>

#include <deque>

#include "pair.hpp"

namespace perigee::worker {
namespace {

std::vector<Handle> own_of(const Bench& bench) {
  std::vector<Handle> out;
  for (const Handle handle : bench.core->world().in_order()) {
    if (!bench.core->world().find(handle)->remote) out.push_back(handle);
  }
  return out;
}

test::YardOptions full_yard() {
  return {.spawn = {16.25, person_m, 0},  // between two rows of pillars
          .pillars = true,
          .barge = true,
          .barge_at = {500, 20, 0},
          .barge_velocity = {3, 0, 0},
          .second_barge = true,
          .center_x_m = 500,
          .weapons = true,
          .ground = true};
}

TEST(AStandby, HasEverythingWithinASecond) {
  Pair both(full_yard(), full_yard());
  both.here.join();
  both.pass(60);
  EXPECT_TRUE(both.in_sync(0));
  EXPECT_TRUE(both.in_sync(1)) << "who has next to nothing has a copy, too";
  for (const Handle handle : own_of(both.here)) {
    const world::Entity* entity = both.there.core->world().find(handle);
    ASSERT_NE(entity, nullptr) << handle;
    EXPECT_TRUE(entity->remote);
  }
}

TEST(AStandby, GoesOnWithAllThatTheDeadHad) {
  Pair both(full_yard(), full_yard());
  both.here.join();
  both.pass(60);
  for (int i = 0; i < 30; ++i) {
    both.send_here(walking(0));
    both.pass();
  }
  const std::vector<Handle> all = own_of(both.here);
  const Player before = [&] {
    Player copy;
    const Player& player = both.here.player();
    copy.avatar = player.avatar;
    copy.state = player.state;
    copy.reset_epoch = player.reset_epoch;
    copy.session = player.session;
    return copy;
  }();
  const auto tick = both.here.core->next_tick();
  const Vec3 barge = both.here.core->world().pose(both.here.find(test::barge_row), tick)->position;
  both.kill();
  both.pass(6);
  both.record_failover();
  EXPECT_THAT(own_of(both.there), testing::IsSupersetOf(all));
  ASSERT_NE(both.there.core->player_of(100), nullptr);
  const Player& after = both.there.player();
  EXPECT_EQ(after.avatar, before.avatar);
  EXPECT_EQ(after.session, before.session);
  EXPECT_EQ(after.reset_epoch, before.reset_epoch) << "nobody begins anew";
  EXPECT_GT(after.state.position.z, before.state.position.z) << "it went on walking";
  EXPECT_LT(distance(after.state.position, before.state.position), 1.5);
  const Vec3 now = both.there.core->world()
                       .pose(both.there.find(test::barge_row), both.there.core->next_tick())
                       ->position;
  EXPECT_NEAR(now.x - barge.x, 3 * 6 / 60.0, 0.06) << "the barge went on, too";
  EXPECT_EQ(both.there.core->world().hinges().size(), 1U);
  both.pass(20);
  EXPECT_FALSE(both.there.joined.empty()) << "its gateway is notified";
  EXPECT_EQ(both.there.joined.back().session, before.session);
  EXPECT_EQ(both.there.last_own().avatar, before.avatar);
}

// The directory was away when the worker died.
TEST(AStandby, KeepsWhatItHasUntilTheMapNamesTheSuccessor) {
  Pair both(full_yard(), full_yard());
  both.here.join();
  both.pass(60);
  const std::vector<Handle> all = own_of(both.here);
  both.kill();
  both.pass(10 * 60);
  both.record_failover();
  EXPECT_THAT(own_of(both.there), testing::IsSupersetOf(all));
  EXPECT_NE(both.there.core->player_of(100), nullptr);
}

// The owner's FINAL was not sent, or not received: no worker has the group, and the standby
// restores it in its sent state.
TEST(AStandby, GoesOnWithWhomItsOwnerHadJustLetGo) {
  for (const int received : {0, 1, 2, 3}) {
    SCOPED_TRACE(received);
    Pair both(yard_at_the_border({60, person_m, 0}));
    both.pass(60);
    both.here.join();
    both.pass(30);
    const Handle avatar = both.here.player().avatar;
    both.fate = [&](const Border::Word& word) -> std::optional<int> {
      const bool migration = word.bytes.front() == std::byte{0};
      if (migration && word.to == WorkerSlot{1} && both.here.count(metric.groups_out) > 0)
        return std::nullopt;
      return 0;
    };
    for (int i = 0; i < 600 && both.here.count(metric.groups_out) == 0; ++i) {
      both.send_here(walking(to_plus_x));
      both.pass();
    }
    ASSERT_EQ(both.here.count(metric.groups_out), 1U);
    both.pass(received);
    both.kill();
    both.pass(4);
    both.record_failover();
    both.pass(30);
    const Core& there = *both.there.core;
    ASSERT_NE(there.player_of(100), nullptr);
    EXPECT_EQ(there.player_of(100)->avatar, avatar);
    ASSERT_NE(there.world().find(avatar), nullptr);
    EXPECT_FALSE(there.world().find(avatar)->remote);
    EXPECT_EQ(both.there.count(metric.groups_without_room), 0U);
  }
}

// The standby has no room for the group. It has received the message that the group came back, but
// no ghosts since then.
TEST(AStandby, HasOnceWhatItsOwnerGotBackUnheard) {
  constexpr std::byte ghosts{1};
  Settings settings = small_settings();
  settings.players_max = 1;
  Pair both(yard_at_the_border({60, person_m, 0}), yard_at_the_border({25, person_m, 0}), settings);
  both.here.join();
  both.pass(60);
  ASSERT_TRUE(both.in_sync(0));
  both.fate = [&](const Border::Word& word) -> std::optional<int> {
    const bool unheard = both.here.count(metric.groups_out) > 0 && word.to == WorkerSlot{1};
    return unheard && word.bytes.front() == ghosts ? std::nullopt : std::optional(0);
  };
  for (int i = 0; i < 600 && both.here.count(metric.groups_back) == 0; ++i) {
    const bool promised = both.here.core->groups_in_doubt() > 0;
    if (promised && both.there.core->player_of(101) == nullptr) both.there.join(1, 1);
    both.send_here(walking(to_plus_x));
    both.pass();
  }
  ASSERT_EQ(both.here.count(metric.groups_back), 1U);
  both.pass(3);
  both.kill();
  both.pass(4);
  both.record_failover();
  both.pass(30);
  EXPECT_NE(both.there.core->player_of(100), nullptr);
  EXPECT_EQ(both.there.core->groups_in_doubt(), 0U)
      << "or it comes a second time, once this one has left";
  EXPECT_EQ(both.there.count(metric.groups_without_room), 0U);
}

TEST(AStandby, IsNotCountedOnBeforeTheMapSaysSo) {
  Pair both;
  both.records = false;
  both.here.join();
  both.pass(60);
  EXPECT_TRUE(both.here.core->report(std::nullopt).in_sync_with);
  EXPECT_FALSE(both.in_sync(0));
  both.records = true;
  both.pass(2);
  EXPECT_TRUE(both.in_sync(0));
}

TEST(AStandby, ThatDoesNotAnswerIsGivenUpAndFilledAnew) {
  Pair both;
  both.here.join();
  both.pass(60);
  ASSERT_TRUE(both.in_sync(0));
  both.fate = lost_on_the_way_there;
  both.pass(63);
  EXPECT_FALSE(both.in_sync(0)) << "it acts alone, and says so";
  both.fate = nullptr;
  both.pass(80);
  EXPECT_TRUE(both.in_sync(0));
}

// While the map says that the standby is in sync, it keeps its former replica until the new one is
// complete.
TEST(AStandby, KeepsWhatItReceivedUntilAllOfItHasBeenSentAnew) {
  Pair both;
  both.here.join();
  both.pass(60);
  ASSERT_TRUE(both.in_sync(0));
  both.records = false;
  const auto is_replica = [](const Border::Word& word) {
    return word.to == WorkerSlot{1} && word.bytes.front() == replica;
  };
  both.fate = [&](const Border::Word& word) -> std::optional<int> {
    return is_replica(word) ? std::nullopt : std::optional(0);
  };
  // the standby is dropped, and replication starts over; only its first part arrives
  both.pass(63);
  both.fate = [&](const Border::Word& word) -> std::optional<int> {
    if (is_replica(word)) {
      Bytes part = word.bytes;
      part.front() = replica_part;
      both.there.core->on_peer(WorkerSlot{0}, part);
      return std::nullopt;
    }
    return 0;
  };
  both.pass(80);
  both.kill();
  ASSERT_TRUE(both.in_sync(0));
  both.record_failover();
  EXPECT_NE(both.there.core->player_of(100), nullptr);
}

TEST(AStandby, SuspectsWhoFallsSilent) {
  Pair both;
  both.pass(60);
  EXPECT_TRUE(both.there.core->report(std::nullopt).suspects.empty());
  both.kill();
  both.pass(15);
  both.pass(10);
  const auto suspects = both.there.core->report(std::nullopt).suspects;
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_EQ(suspects[0].slot, WorkerSlot{0});
}

}  // namespace
}  // namespace perigee::worker
