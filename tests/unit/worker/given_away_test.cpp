// Departed entities disappear from clients if their new worker dies without a successor.
#include <gmock/gmock.h>

#include "border.hpp"

namespace perigee::worker {
namespace {

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
    here.core->to_peer = [](WorkerSlot, std::span<const std::byte>) {};
    here.events.clear();
  }
  /// The other worker dies; its regions go to this worker, which was not its standby.
  void the_other_dies() {
    here.map.workers[1].alive = false;
    here.map.regions[0].owner = here.map.regions[1].owner = WorkerSlot{0};
    heard_map();
  }
  void heard_map() {
    ++here.map.version;
    here.core->on_map(here.map, Bench::start);
    here.tick(30);
  }
  std::vector<Handle> lost() const {
    std::vector<Handle> out;
    for (const LostEvent& event : here.told<LostEvent>(session_of(1))) out.push_back(event.handle);
    return out;
  }
};

TEST(WhatWasGivenAway, IsTakenBackFromClientsIfItsWorkerDiesWithoutAnHeir) {
  AWalkOver both;
  both.here.tick(30);
  EXPECT_THAT(both.lost(), testing::IsEmpty()) << "its worker lives";
  both.the_other_dies();
  EXPECT_THAT(both.lost(), testing::ElementsAre(both.gone));
}

TEST(WhatWasGivenAway, IsTheHeirs) {
  AWalkOver both;
  ClusterMap& map = both.here.map;
  map.workers.push_back({2, neighbour_address, 300'000, 100'000, true});
  map.bequests.push_back({map.workers[1].handle_base, 2, 300'000, 2});
  map.workers[1].alive = false;
  map.regions[1].owner = WorkerSlot{2};
  both.heard_map();
  EXPECT_THAT(both.lost(), testing::IsEmpty());
  map.workers[2].alive = false;
  map.regions[1].owner = WorkerSlot{0};
  both.heard_map();
  EXPECT_THAT(both.lost(), testing::ElementsAre(both.gone));
}

TEST(WhatWasGivenAway, IsNotLostWithAWorkerThatKeepsItsRegions) {
  AWalkOver both;
  both.here.map.workers[1].alive = false;
  both.heard_map();
  EXPECT_THAT(both.lost(), testing::IsEmpty()) << "it may be back";
}

TEST(WhatWasGivenAway, LongAgoIsKnownByTheOthersWord) {
  AWalkOver both;
  both.here.stand(1900, 1);
  both.the_other_dies();
  EXPECT_THAT(both.lost(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::worker
