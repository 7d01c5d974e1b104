// Observations of a worker's world.
#include "perigee/worker/observation.hpp"

#include <map>

#include "pair.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::worker {
namespace {

struct Observed {
  Handle handle = no_entity, parent = no_entity;
  std::uint16_t type = 0, flags = 0;
  Vec3 position;
  Quat rotation;
};

std::map<Handle, Observed> read(std::span<const std::byte> bytes) {
  std::map<Handle, Observed> out;
  EXPECT_EQ(bytes.size() % ObservationWriter::record_bytes, 0U);
  ByteReader reader(bytes);
  const auto part = [&](auto raw) {
    EXPECT_TRUE(reader.number(raw));
    return static_cast<double>(raw);
  };
  while (!reader.at_end()) {
    Observed entity;
    EXPECT_TRUE(reader.number(entity.handle) && reader.number(entity.parent) &&
                reader.number(entity.type) && reader.number(entity.flags));
    entity.position = {part(0.0F), part(0.0F), part(0.0F)};
    const std::int16_t sixteen_bits = 0;
    entity.rotation = {part(sixteen_bits) / 32767, part(sixteen_bits) / 32767,
                       part(sixteen_bits) / 32767, part(sixteen_bits) / 32767};
    EXPECT_TRUE(out.emplace(entity.handle, entity).second) << "written twice";
  }
  return out;
}

TEST(AnObservation, HasEveryEntityWithinItsTurnsAndMovingOnesAlways) {
  Bench bench({.barge = true}, two_worker_map());
  bench.join();
  bench.stand(3);
  ObservationWriter writer;
  const world::World& world = bench.core->world();
  std::map<Handle, Observed> all;
  for (std::uint32_t turn = 0; turn < ObservationWriter::rest_turns; ++turn) {
    const auto seen = read(writer.write(world));
    world.for_each_lively([&](const world::Entity& entity) {
      ASSERT_TRUE(seen.contains(entity.handle)) << "it moves";
      EXPECT_FALSE(seen.at(entity.handle).flags & ObservationWriter::rests);
    });
    for (const auto& [handle, entity] : seen) all[handle] = entity;
  }
  ASSERT_EQ(all.size(), world.size());
  for (const auto& [handle, entity] : all) {
    const auto pose = world.pose(handle, world.now());
    ASSERT_TRUE(pose);
    EXPECT_LT(distance(entity.position, pose->position), 1e-3);
    EXPECT_NEAR(entity.rotation.w, pose->rotation.w, 1e-4);
    EXPECT_EQ(entity.type, world.find(handle)->type);
    EXPECT_EQ(entity.parent, world.find(handle)->parent);
  }
  const Observed& avatar = all.at(bench.core->player_of(100)->avatar);
  EXPECT_EQ(avatar.flags, ObservationWriter::actor);
  EXPECT_EQ(writer.left_out(), 0U);
}

TEST(AnObservation, MarksGhosts) {
  Border both(yard_at_the_border({15, person_m, 0}), yard_at_the_border({25, person_m, 0}));
  both.here.join(0);
  both.step(60);
  both.there.join(1, 1);
  both.step(60);
  ObservationWriter writer;
  std::uint32_t ghosts = 0;
  for (std::uint32_t turn = 0; turn < ObservationWriter::rest_turns; ++turn) {
    for (const auto& [handle, entity] : read(writer.write(both.here.core->world()))) {
      EXPECT_EQ((entity.flags & ObservationWriter::ghost) != 0,
                both.here.core->world().find(handle)->remote);
      if (entity.flags & ObservationWriter::ghost) ++ghosts;
    }
  }
  EXPECT_GT(ghosts, 0U);
}

}  // namespace
}  // namespace perigee::worker
