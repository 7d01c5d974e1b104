// NPCs. Without a torch an NPC patrols, with a torch it chases the nearest runner, and it throws
// balls at runners nearby.
#include <array>
#include <cmath>
#include <limits>

#include "game.hpp"
#include "steering.hpp"

namespace hover_tag {

using namespace perigee;

namespace {

constexpr std::int32_t stay_ticks = 6 * 60;  ///< until the next place of a patrol
constexpr double throw_m = 18;
constexpr std::array<Vec3, 6> patrol{
    {{-45, 0, 20}, {-9, 0, 20}, {20, 0, 5}, {45, 0, -20}, {9, 0, -20}, {-20, 0, -5}}};

}  // namespace

void Game::grow_npc(world::ThinkContext& context, Handle seed) const {
  const Vec3 place = context.world().find(seed)->local.position;
  // Both in one tick, so both survive a worker's death, or neither: there is one NPC for each seed.
  world::NpcSpawn npc{.type = runner_row, .place = standing(context.world(), place)};
  for (const char c : npc_name) npc.name.push_back(c);
  // Without room, the seed grows in a later tick.
  if (context.journal().spawn_npc(npc)) context.journal().despawn(seed);
}

PlayerInput Game::drive_npc(const world::NpcView& view) const {
  const auto at = view.place();
  if (!at) return {};
  Vec3 prey;
  double prey_m = std::numeric_limits<double>::infinity();
  for (const Handle handle : view.world.in_order()) {
    if (handle == view.actor || view.world.find(handle)->type != runner_row) continue;
    const auto other = view.world.pose(handle, view.tick);
    if (!other || distance(other->position, *at) >= prey_m) continue;
    prey = other->position;
    prey_m = distance(prey, *at);
  }
  const auto leg =
      static_cast<std::size_t>((view.tick.count / stay_ticks + view.identity) % patrol.size());
  const bool chases = view.game.as<Runner>().torch != 0 && std::isfinite(prey_m);
  PlayerInput input{.forward = 127};
  input.yaw = yaw_towards((chases ? prey : patrol[leg]) - *at);
  if (prey_m < throw_m && view.game.as<Runner>().throw_wait == 0) {
    input.yaw = yaw_towards(prey - *at);
    input.held = button_fire;
  }
  // Jumps over obstacles.
  if ((view.state.flags & actor_blocked) != 0 || view.random().below(120) == 0) jump(input);
  if (view.state.velocity.y > 0) input.held |= button_jump;
  return input;
}

}  // namespace hover_tag
