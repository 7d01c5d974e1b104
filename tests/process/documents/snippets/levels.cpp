// The frame of docs/levels.md: a game with the names that its pieces use.
#include "perigee/level/level.hpp"
#include "perigee/level/static_entities.hpp"
#include "perigee/world/actor_context.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/heightfield.hpp"
#include "perigee/world/hull.hpp"
#include "perigee/world/mesh.hpp"
#include "perigee/world/world.hpp"

using namespace perigee;
using namespace perigee::world;

struct State {
  bool on_ice = false;
};

struct TheGame {
  Error with_a_level(std::span<const std::byte> bytes, World& world, const Bounds& region, std::uint32_t spawner, ActorContext& context,
                     State& state, std::uint8_t ice, std::vector<Pose>& starts) {
    //: docs/levels.md  #include "perigee/level/static_entities.hpp"
    return {};
  }
  level::Level level_;
  std::vector<EntityType> types_;
};

Error with_terrain(EntityType& hill) {
  //: docs/levels.md  world::HeightfieldSource source{.columns = 3, .rows = 2, .spacing_m = 2, .height_step_m = 0.01};
  return {};
}

Error with_a_mesh(EntityType& floor) {
  //: docs/levels.md  world::MeshSource source;
  return {};
}

Error with_a_hull(EntityType& type) {
  //: docs/levels.md  const std::vector<Vec3f> corners{{-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {-1, 0.9F, -1}, {-1, 0.9F, 1}};  // a ramp
  return {};
}

#include "arena_level.hpp"
void with_a_built_level() {
  //: docs/levels.md  #include "arena_level.hpp"                 // made by the build
}
