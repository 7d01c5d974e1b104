#include "durability/checkpoint_parts.hpp"

#include <algorithm>
#include <utility>

#include "migration/migrations.hpp"
#include "outcomes/mailbox.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

void CheckpointParts::after_tick() {
  if (!needs_.outputs.to_checkpoint) return;
  if (needs_.schedule.due(needs_.next)) begin();
  if (open_ && ticks_between(open_->tick(), needs_.next) >= late_ticks_max) hand_in();
}

void CheckpointParts::begin() {
  checkpoint_slots_ = needs_.schedule.slots();
  open_.emplace(needs_.next, settled(needs_.next), needs_.game,
                part_bytes_ + part_bytes_ / 4 + 4096);
  open_->begin(CheckpointBlock::Here);
  const world::World& world = needs_.world;
  world.for_each_own(
      [&](const world::Entity& entity, const Motion& motion, const world::TimelineLog& log) {
        if (needs_.mailbox.taken(entity.handle)) return;
        open_->add(entity, motion, log, world.state(entity.handle));
      });
  std::vector<CheckpointPlayer> players;
  players.reserve(needs_.players.size());
  for (const Player& player : needs_.players) {
    const auto parent = world.pose(player.parent, needs_.next);
    const Vec3& local = player.state.position;
    players.push_back(
        checkpoint_player(player, parent ? transform(*parent, local) : local, needs_.next));
  }
  open_->end(world.hinges(), checkpoint_grounds(), players);
  needs_.migrations.for_each_in_doubt([&](std::span<const std::byte> given) {
    if (const auto arrival = needs_.transfer.read(given)) {
      add(CheckpointBlock::InDoubt, arrival->past, arrival->players);
    }
  });
  std::vector<MailboxEntry> entries;
  needs_.mailbox.for_each_note([&](const MailboxEntry& note) { entries.push_back(note); });
  open_->add(entries);
  needs_.counts.add(metric.checkpoints);
}

void CheckpointParts::hand_in() {
  part_bytes_ = open_->size();
  needs_.counts.add(metric.checkpoint_bytes, part_bytes_);
  needs_.outputs.to_checkpoint({open_->tick(), checkpoint_slots_, open_->take()});
  open_.reset();
}

void CheckpointParts::on_group_received(const world::GroupPast& past,
                                        std::span<const std::unique_ptr<Player>> players) {
  if (open_ && not_after(past.now, open_->tick())) add(CheckpointBlock::Here, past, players);
}

// Adds a group in its state when it was sent.
void CheckpointParts::add(CheckpointBlock kind, const world::GroupPast& past,
                          std::span<const std::unique_ptr<Player>> players) {
  open_->begin(kind);
  std::vector<CheckpointPlayer> checkpoint;
  std::vector<CheckpointGround> grounds;
  for (const world::EntityPast& each : past.entities) {
    world::Entity entity = each.entity;
    if (!each.traces.empty()) {
      entity.parent = each.traces.back().second.parent;
      entity.local = {each.traces.back().second.position, {}};
    }
    const Motion motion = each.motions.empty() ? Motion{} : each.motions.back().second;
    open_->add(entity, motion, each.log, each.state ? &*each.state : nullptr);
    if (each.cells) add_ground(entity.handle, *each.cells, grounds);
    for (const auto& player : players) {
      if (player->avatar != entity.handle) continue;
      checkpoint.push_back(checkpoint_player(*player, place_in(past, *player), past.now));
    }
  }
  open_->end(past.hinges, grounds, checkpoint);
}

// The parent of a group's player is a body of the group, or an entity outside of it, which is at
// rest.
Vec3 CheckpointParts::place_in(const world::GroupPast& past, const Player& player) const {
  for (const world::EntityPast& each : past.entities) {
    if (each.entity.handle != player.parent || each.motions.empty()) continue;
    return transform(each.motions.back().second.pose, player.state.position);
  }
  const auto parent = needs_.world.pose(player.parent, needs_.next);
  return parent ? transform(*parent, player.state.position) : player.state.position;
}

/// Outcomes of this tick and of all earlier ones are committed.
Tick CheckpointParts::settled(Tick next) const {
  return next - 1 - std::max(needs_.settings.inputs.window_ticks, 1);
}

CheckpointPlayer CheckpointParts::checkpoint_player(const Player& player, const Vec3& place,
                                                    Tick next) const {
  CheckpointPlayer out{.client_id = player.client_id,
                       .issue = player.issue,
                       .identity = player.identity,
                       .avatar = player.avatar,
                       .parent = player.parent,
                       .ordinal = player.ordinal,
                       .respawns = player.respawns,
                       .place = place,
                       .state = player.state,
                       .game = needs_.outcomes.game_without_pending(player, next),
                       .thrust = player.vehicle.thrust,
                       .switch_version = player.switch_version,
                       .settled = settled(next),
                       .account = player.account};
  // A move that is about to be made counts as made.
  const auto frame = player.placed ? needs_.world.pose(player.placed->parent, next) : std::nullopt;
  if (!frame) return out;
  out.parent = player.placed->parent;
  out.state = {.position = player.placed->position, .velocity = player.placed->velocity};
  out.place = transform(*frame, player.placed->position);
  return out;
}

void CheckpointParts::add_ground(Handle handle, const world::VoxelPatch& patch,
                                 std::vector<CheckpointGround>& out) {
  CheckpointGround ground{.patch = handle};
  for (std::uint16_t chunk = 0; chunk < patch.plan().chunks(); ++chunk) {
    if (patch.version(chunk) == 0) continue;
    ground.chunks.push_back({chunk, patch.version(chunk), patch.settled_chunk(chunk)});
  }
  if (!ground.chunks.empty()) out.push_back(std::move(ground));
}

std::vector<CheckpointGround> CheckpointParts::checkpoint_grounds() const {
  std::vector<CheckpointGround> out;
  for (const Handle handle : needs_.world.patches()) {
    if (needs_.world.find(handle)->remote) continue;
    add_ground(handle, *std::as_const(needs_.world).voxels(handle), out);
  }
  return out;
}

}  // namespace perigee::worker
