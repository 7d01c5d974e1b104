/// A successor loses its own standby before that has everything: the successor acts alone again.
#include <gtest/gtest.h>

#include "pair.hpp"
#include "perigee/worker/migration/migration_destinations.hpp"

namespace perigee::worker {
namespace {

/// The first worker dies, the second one takes over. Then the first one is back, as another
/// incarnation: it owns what is beyond the border, and is to be the standby of its successor.
struct ASuccessorWithANewStandby : Pair {
  int answers = 0;  ///< of the standby that arrive from now on; the rest is lost

  ASuccessorWithANewStandby() : Pair(yard_at_the_border({60, person_m, 0})) {
    here.join();
    pass(60);
    EXPECT_TRUE(in_sync(0));
    kill();
    pass(4);
    record_failover();
    EXPECT_NE(there.core->player_of(100), nullptr);
    walk(150);
    EXPECT_GT(there.core->world().pose(there.player().avatar, there.core->next_tick())->position.x,
              border_x + MigrationDestinations::beyond_border_m);
    fate = [this](const Word& word) -> std::optional<int> {
      const bool answer = word.to == WorkerSlot{1} && word.bytes.front() == replica_answer;
      return answer && answers-- <= 0 ? std::nullopt : std::optional(0);
    };
    come_back();
  }
  void come_back() {
    change([](ClusterMap& map) {
      WorkerEntry& back = map.workers[0];
      back.alive = true;
      back.handle_base = HandleBase{300'000};
      ++back.incarnation.number;
      back.standby_word = 0;
      map.workers[1].standby = back.slot;
      // It has a region far away, and so a world.
      RegionEntry far = map.regions[1];
      far.region = RegionId{2};
      far.owner = back.slot;
      far.low.x = map.regions[1].high.x = 5000;
      map.regions.push_back(far);
    });
    here.core = std::make_unique<Core>(here.settings, here.game, here.slot,
                                       [](const Address&, std::span<const std::byte>) {});
    connect(here, WorkerSlot{1});
    here.core->on_map(here.map, there.core->next_tick());
    here_lives = true;
  }
  /// The first worker gets the region in which the player is.
  void give_away_the_region() {
    change([](ClusterMap& map) {
      map.regions[1].owner = WorkerSlot{0};
      ++map.regions[1].epoch;
    });
  }
  void walk(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (there.core->player_of(100) != nullptr) {
        PlayerInput input = walking(to_plus_x);
        input.tick = there.core->next_tick() + 2;
        there.send(input);
      }
      pass();
    }
  }
  int unacknowledged() const {
    return ticks_between(there.last_own().echo, there.core->next_tick());
  }
};

TEST(ASuccessor, ActsAloneIfItsStandbyIsLostWhileItIsFilled) {
  for (const bool by_map : {false, true}) {
    SCOPED_TRACE(by_map ? "the map takes the standby away" : "the standby does not answer");
    ASuccessorWithANewStandby game;
    Bench& successor = game.there;
    const std::uint64_t lost = successor.count(metric.replicas_lost);  // with the first worker
    game.answers = 1;
    game.walk(30);
    ASSERT_LE(game.answers, 0);
    ASSERT_GT(game.unacknowledged(), 20) << "everything waits for the standby";
    game.give_away_the_region();
    game.walk(20);
    ASSERT_EQ(successor.core->groups_in_doubt(), 1U) << "the player is to go, but its OUT waits";
    ASSERT_EQ(game.here.core->player_of(100), nullptr);
    const std::uint32_t word = successor.core->report(std::nullopt).standby_word;
    ASSERT_EQ(successor.count(metric.replicas_lost), lost);

    if (by_map) {
      game.change([](ClusterMap& map) { map.workers[1].standby.reset(); });
      game.walk(1);
    } else {
      game.walk(40);
    }
    EXPECT_EQ(successor.count(metric.replicas_lost), lost + 1);
    EXPECT_EQ(successor.core->report(std::nullopt).standby_word, word)
        << "there is nothing to record: it was never in sync";
    game.walk(120);
    EXPECT_EQ(successor.core->groups_in_doubt(), 0U);
    EXPECT_NE(game.here.core->player_of(100), nullptr);

    game.fate = nullptr;
    game.change([](ClusterMap& map) { map.workers[1].standby = WorkerSlot{0}; });
    game.walk(80);
    EXPECT_TRUE(game.in_sync(1)) << "another attempt";
  }
}

}  // namespace
}  // namespace perigee::worker
