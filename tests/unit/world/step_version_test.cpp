/// Builds that compute different bits have different step versions.
#include <gtest/gtest.h>

#include "perigee/world/schema.hpp"
#include "scene.hpp"

namespace perigee::world {
namespace {

/// 20 s of a random walk through a hut, with jumps, climbs and flights, and without any call of the
/// machine's libraries.
std::uint64_t walked() {
  std::vector<Box> boxes = hut({0, 0, 0}, degrees(20));
  boxes.push_back(floor_box());
  Scene scene(std::move(boxes));
  Random random(7);
  StateHash hash;
  for (int tick = 0; tick < 1'200; ++tick) {
    wander(scene.input, random);
    scene.input.up = tick % 200 > 150 ? 127 : 0;
    if (tick % 200 > 150) scene.input.held |= button_jetpack;
    scene.step();
    const ActorState& state = scene.state;
    hash.add(state.position.x).add(state.position.y).add(state.position.z);
    hash.add(state.velocity.x).add(state.velocity.y).add(state.velocity.z);
    hash.add(state.ground).add(state.flags).add(state.coyote_ticks).add(state.jump_ticks);
  }
  return hash.value();
}

TEST(StepVersion, IsRaisedWhenTheSameInputsLeadElsewhere) {
  EXPECT_EQ(step_version, 2U);
  EXPECT_EQ(walked(), 17151761206761692650ULL)
      << "a tick leads elsewhere than before: raise step_version (schema.hpp), so that builds of "
         "before and after are kept apart, and write both numbers down here";
}

}  // namespace
}  // namespace perigee::world
