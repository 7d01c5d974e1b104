// Departed entities disappear from clients if their new worker dies without a successor.
#include "perigee/worker/migration/departed_entities.hpp"

#include <gmock/gmock.h>

#include <array>

#include "border.hpp"

namespace perigee::worker {
namespace {

ClusterMap two_workers() {
  ClusterMap map;
  map.workers = {{.slot = WorkerSlot{0}, .handle_base = HandleBase{100}, .alive = true},
                 {.slot = WorkerSlot{1}, .handle_base = HandleBase{200}, .alive = true}};
  return map;
}

constexpr std::array<Handle, 2> ship_and_crew{11, 12};

TEST(ALogOfDepartedEntities, GivesBackThoseOfAnEndedClusterIdOnce) {
  ClusterMap map = two_workers();
  DepartedEntities departed(10);
  departed.add(ship_and_crew, map.workers[1], Tick{5});
  EXPECT_THAT(departed.take_lost(map), testing::IsEmpty());
  map.workers[1].alive = false;
  EXPECT_THAT(departed.take_lost(map), testing::ElementsAre(11, 12));
  EXPECT_THAT(departed.take_lost(map), testing::IsEmpty());
}

TEST(ALogOfDepartedEntities, FollowsThemToASuccessor) {
  ClusterMap map = two_workers();
  DepartedEntities departed(10);
  departed.add(ship_and_crew, map.workers[1], Tick{5});
  map.workers[1].alive = false;
  map.failover_records.push_back({HandleBase{200}, WorkerSlot{0}, HandleBase{100}, Epoch{2}});
  EXPECT_THAT(departed.take_lost(map), testing::IsEmpty());
  map.workers[0].alive = false;
  EXPECT_THAT(departed.take_lost(map), testing::ElementsAre(11, 12));
}

TEST(ALogOfDepartedEntities, ForgetsTheOldestAndTheOld) {
  ClusterMap map = two_workers();
  DepartedEntities departed(1);
  departed.add(ship_and_crew, map.workers[1], Tick{5});
  map.workers.pop_back();
  departed.forget_old(Tick{5} + DepartedEntities::kept_ticks);
  EXPECT_THAT(departed.take_lost(map), testing::ElementsAre(12)) << "it has room for one";
  departed.add(ship_and_crew, two_workers().workers[1], Tick{5});
  departed.forget_old(Tick{5} + DepartedEntities::kept_ticks + 1);
  EXPECT_THAT(departed.take_lost(map), testing::IsEmpty());
}

/// Player 1 observes while player 0 walks to the other worker.
struct AWalkOver : Border {
  Handle gone = no_entity;
  AWalkOver() : Border(lanes_at_the_border()) {
    here.join();
    here.join(1);
    step(60);
    gone = here.player().avatar;
    for (int i = 0; i < 600 && owner(0) == &here; ++i) {
      play(0, walking(to_plus_x));
      step();
    }
    EXPECT_EQ(owner(0), &there);
    step(30);
    EXPECT_EQ(here.core->groups_in_doubt(), 0U);
    here.core->outputs.to_peer = [](WorkerSlot, std::span<const std::byte>) {};
    here.events.clear();
  }
  /// The other worker dies; its regions go to this worker, which was not its standby.
  void the_other_dies() {
    here.map.workers[1].alive = false;
    here.map.regions[0].owner = here.map.regions[1].owner = WorkerSlot{0};
    received_map();
  }
  void received_map() {
    ++here.map.version;
    here.core->on_map(here.map, Bench::start);
    here.tick(30);
  }
  std::vector<Handle> lost() const {
    std::vector<Handle> out;
    for (const LostEvent& event : here.sent<LostEvent>(session_of(1))) out.push_back(event.handle);
    return out;
  }
};

TEST(DepartedEntities, AreTakenBackFromClientsIfTheirWorkerDiesWithoutASuccessor) {
  AWalkOver both;
  both.here.tick(30);
  EXPECT_THAT(both.lost(), testing::IsEmpty()) << "its worker lives";
  both.the_other_dies();
  EXPECT_THAT(both.lost(), testing::ElementsAre(both.gone));
}

TEST(DepartedEntities, BelongToTheSuccessor) {
  AWalkOver both;
  ClusterMap& map = both.here.map;
  map.workers.push_back({WorkerSlot{2}, neighbour_address, HandleBase{300'000}, 100'000, true});
  map.failover_records.push_back(
      {map.workers[1].handle_base, WorkerSlot{2}, HandleBase{300'000}, Epoch{2}});
  map.workers[1].alive = false;
  map.regions[1].owner = WorkerSlot{2};
  both.received_map();
  EXPECT_THAT(both.lost(), testing::IsEmpty());
  map.workers[2].alive = false;
  map.regions[1].owner = WorkerSlot{0};
  both.received_map();
  EXPECT_THAT(both.lost(), testing::ElementsAre(both.gone));
}

TEST(DepartedEntities, AreNotLostWithAWorkerThatKeepsItsRegions) {
  AWalkOver both;
  both.here.map.workers[1].alive = false;
  both.received_map();
  EXPECT_THAT(both.lost(), testing::IsEmpty()) << "it may be back";
}

TEST(DepartedEntities, OfLongAgoAreKnownFromTheirOwner) {
  AWalkOver both;
  both.here.stand(1900, 1);
  both.the_other_dies();
  EXPECT_THAT(both.lost(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::worker
