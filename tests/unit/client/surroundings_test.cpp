// Surroundings of one tick, without a prediction.
#include "perigee/client/surroundings.hpp"

#include "hand_server.hpp"

namespace perigee::client {
namespace {

struct ASurrounding : testing::Test {
  ASurrounding() {
    spawn_all();
    avatar = {server.avatar, HandServer::identity.bits, &server.params(), 0};
    switches.settle(server.deck, HandServer::start);
  }
  void spawn_all() {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
  }
  world::StepRecord at(const Vec3& position) {
    world::StepRecord record{.tick = HandServer::start};
    local.position = position;
    EXPECT_TRUE(surroundings.set_parent(record, server.deck));
    return record;
  }
  static bool contains(const world::StepRecord& record, Handle handle) {
    return std::any_of(record.neighbours.begin(), record.neighbours.end(),
                       [&](const world::Neighbour& other) { return other.id == handle; });
  }
  Vec3 door_place() const { return store.find(server.door)->spawn_local.position; }

  HandServer server{{.barge = true}};
  EntityStore store{server.game.types()};
  OwnEdits own_edits{store};
  SwitchSchedule switches;
  PredictedAvatar avatar;
  Techniques techniques;
  ActorState local;
  ViewPoint view{HandServer::start, 0};
  Surroundings surroundings{{.entities = store,
                             .avatar = avatar,
                             .switches = switches,
                             .own_edits = own_edits,
                             .techniques = techniques}};
};

TEST_F(ASurrounding, ContainsTheParentAndWhatIsInReach) {
  world::StepRecord record = at({0, 0.91, 0});
  surroundings.gather(record, local, view);
  EXPECT_TRUE(contains(record, server.deck));
  EXPECT_FALSE(contains(record, server.door));
  EXPECT_FALSE(contains(record, server.avatar)) << "no obstacle to itself";
  record = at(door_place());
  surroundings.gather(record, local, view);
  EXPECT_TRUE(contains(record, server.door));
}

TEST_F(ASurrounding, NeedsTheMotionOfBothParentsOfASwitch) {
  ParentSwitchEvent event;
  event.handle = server.avatar;
  event.parent = server.barge;
  event.effect = HandServer::start;
  switches.add(event);
  world::StepRecord record{.tick = HandServer::start};
  EXPECT_FALSE(surroundings.set_parent(record, server.deck)) << "the barge's motion is not known";
  store.parent_motions().store(
      {server.barge, HandServer::start, *server.world.motion(server.barge, HandServer::start)},
      HandServer::start);
  ASSERT_TRUE(surroundings.set_parent(record, server.deck));
  EXPECT_EQ(record.parent, server.barge);
  EXPECT_TRUE(record.switched_from);
  ASSERT_TRUE(surroundings.set_parent(record, server.barge));
  EXPECT_FALSE(record.switched_from);
}

TEST_F(ASurrounding, AddsAnObstacleThatArrivedLate) {
  const Vec3 place = door_place();
  SpawnEvent late;
  for (const SpawnEvent& spawn : server.spawns()) {
    if (spawn.handle == server.door) late = spawn;
  }
  store.despawn(server.door);
  world::StepRecord record = at(place);
  surroundings.gather(record, local, view);
  EXPECT_FALSE(surroundings.add_missing(record, local));
  store.spawn(late, 1);
  EXPECT_TRUE(surroundings.add_missing(record, local));
  EXPECT_TRUE(contains(record, server.door));
  EXPECT_FALSE(surroundings.add_missing(record, local)) << "once";
}

TEST_F(ASurrounding, MovesADoorThatWasAnnouncedLate) {
  world::StepRecord record = at(door_place());
  record.tick = HandServer::start + 60;
  surroundings.gather(record, local, view);
  EXPECT_FALSE(surroundings.refresh_doors(record));
  store.timeline({server.door, HandServer::start, 1, 1});
  EXPECT_TRUE(surroundings.refresh_doors(record));
  EXPECT_FALSE(surroundings.refresh_doors(record));
}

// E.g. on a rotor's edge beside a lift of the hall.
TEST_F(ASurrounding, MovesADoorOfAnotherFrameThatWasAnnouncedLate) {
  const Tick tick = HandServer::start + 60;
  store.parent_motions().store(
      {server.barge, HandServer::start, *server.world.motion(server.barge, HandServer::start)},
      HandServer::start);
  switches.settle(server.barge, HandServer::start);
  world::StepRecord record{.tick = tick};
  ASSERT_TRUE(surroundings.set_parent(record, server.barge));
  const auto door = store.motion_at(server.door, tick);
  local.position = inverse_transform(record.parent_motion.pose, door->pose.position);
  surroundings.gather(record, local, view);
  ASSERT_TRUE(contains(record, server.door));
  EXPECT_FALSE(surroundings.refresh_doors(record));
  store.timeline({server.door, HandServer::start, 1, 1});
  EXPECT_TRUE(surroundings.refresh_doors(record));
  world::StepRecord anew = record;
  surroundings.gather(anew, local, view);
  const auto at = [&](const world::StepRecord& of) {
    const auto found = std::find_if(of.neighbours.begin(), of.neighbours.end(),
                                    [&](const auto& one) { return one.id == server.door; });
    return found == of.neighbours.end() ? Pose{} : found->pose;
  };
  EXPECT_EQ(at(record), at(anew)) << "the same bits as if it had been known in time";
}

}  // namespace
}  // namespace perigee::client
