// This worker's part of a checkpoint.
#include <algorithm>
#include <utility>

#include "durable.hpp"
#include "handoffs.hpp"
#include "perigee/world/group.hpp"
#include "post.hpp"

namespace perigee::worker {

void Core::Durable::on_map() {
  std::vector<WorkerEntry> living;
  for (const WorkerEntry& worker : core_.map_.workers) {
    if (worker.alive) living.push_back(worker);
  }
  if (living == workers_) return;
  workers_ = std::move(living);
  same_since_.reset();
}

// All regions have an owner, and the set of workers has been stable long enough for all to know it.
bool Core::Durable::may_cut(Tick at) {
  if (!same_since_) same_since_ = at;
  const auto& regions = core_.map_.regions;
  return at.count % cut_every_ticks == 0 && ticks_between(*same_since_, at) >= same_workers_ticks &&
         std::all_of(regions.begin(), regions.end(),
                     [](const RegionEntry& region) { return region.owner.has_value(); });
}

void Core::Durable::idle(Tick now) {
  if (!core_.outputs.to_cut || core_.ready() || core_.cluster_.own_region() != nullptr) return;
  const Tick at{now.count - now.count % cut_every_ticks};
  const bool news = idle_at_ && before(*idle_at_, at);
  idle_at_ = at;
  if (!same_since_) same_since_ = now;
  if (news && may_cut(at)) core_.outputs.to_cut({at, slots(), empty_part(at, core_.game_)});
}

std::vector<WorkerSlot> Core::Durable::slots() const {
  std::vector<WorkerSlot> out;
  out.reserve(workers_.size());
  for (const WorkerEntry& worker : workers_) out.push_back(worker.slot);
  return out;
}

void Core::Durable::cut() {
  cut_slots_ = slots();
  open_.emplace(core_.next_, core_.game_, part_bytes_ + part_bytes_ / 4 + 4096);
  open_->begin(CutBlock::Here);
  const world::World& world = *core_.world_;
  world.for_each_own(
      [&](const world::Entity& entity, const Motion& motion, const world::TimelineLog& log) {
        if (!core_.post_->taken(entity.handle)) open_->add(entity, motion, log);
      });
  std::vector<CutPlayer> players;
  players.reserve(core_.players_.size());
  for (const Player& player : core_.players_) {
    const auto parent = world.pose(player.parent, core_.next_);
    const Vec3& local = player.state.position;
    players.push_back(cut_player(player, parent ? transform(*parent, local) : local, core_.next_));
  }
  open_->end(world.hinges(), cut_grounds(), players);
  if (core_.handoffs_) {
    core_.handoffs_->for_each_in_doubt([&](std::span<const std::byte> given) {
      if (const auto arrival = core_.group_transfer_->read(given)) {
        add(CutBlock::InDoubt, arrival->past, arrival->players);
      }
    });
  }
  std::vector<PostNote> post;
  core_.post_->for_each_note([&](const PostNote& note) { post.push_back(note); });
  open_->add(post);
  core_.counts_.add(Count::Cuts);
}

void Core::Durable::hand_in() {
  part_bytes_ = open_->size();
  core_.counts_.add(Count::CutBytes, part_bytes_);
  core_.outputs.to_cut({open_->tick(), cut_slots_, open_->take()});
  open_.reset();
}

void Core::Durable::took(const world::GroupPast& past,
                         std::span<const std::unique_ptr<Player>> players) {
  if (open_ && not_after(past.now, open_->tick())) add(CutBlock::Here, past, players);
}

// Adds a group in its state when it was sent.
void Core::Durable::add(CutBlock kind, const world::GroupPast& past,
                        std::span<const std::unique_ptr<Player>> players) {
  open_->begin(kind);
  std::vector<CutPlayer> cut;
  std::vector<CutGround> grounds;
  for (const world::EntityPast& each : past.entities) {
    world::Entity entity = each.entity;
    if (!each.traces.empty()) {
      entity.parent = each.traces.back().second.parent;
      entity.local = {each.traces.back().second.position, {}};
    }
    const Motion motion = each.motions.empty() ? Motion{} : each.motions.back().second;
    open_->add(entity, motion, each.log);
    if (each.cells) add_ground(entity.handle, *each.cells, grounds);
    for (const auto& player : players) {
      if (player->avatar != entity.handle) continue;
      cut.push_back(cut_player(*player, place_in(past, *player), past.now));
    }
  }
  open_->end(past.hinges, grounds, cut);
}

// The parent of a group's player is a body of the group, or an entity outside of it, which is at
// rest.
Vec3 Core::Durable::place_in(const world::GroupPast& past, const Player& player) const {
  for (const world::EntityPast& each : past.entities) {
    if (each.entity.handle != player.parent || each.motions.empty()) continue;
    return transform(each.motions.back().second.pose, player.state.position);
  }
  const auto parent = core_.world_->pose(player.parent, core_.next_);
  return parent ? transform(*parent, player.state.position) : player.state.position;
}

CutPlayer Core::Durable::cut_player(const Player& player, const Vec3& place, Tick next) const {
  return {.client_id = player.client_id,
          .issue = player.issue,
          .identity = player.identity,
          .avatar = player.avatar,
          .parent = player.parent,
          .ordinal = player.ordinal,
          .respawns = player.respawns,
          .place = place,
          .state = player.state,
          .game = core_.outcomes_->game_without_pending(player, next),
          .thrust = player.helm.thrust,
          .switch_version = player.switch_version,
          .settled = next - 1 - std::max(core_.settings_.inputs.window_ticks, 1)};
}

void Core::Durable::add_ground(Handle handle, const world::VoxelPatch& patch,
                               std::vector<CutGround>& out) {
  CutGround ground{.patch = handle};
  for (std::uint16_t chunk = 0; chunk < patch.plan().chunks(); ++chunk) {
    if (patch.version(chunk) == 0) continue;
    ground.chunks.push_back({chunk, patch.version(chunk), patch.settled_chunk(chunk)});
  }
  if (!ground.chunks.empty()) out.push_back(std::move(ground));
}

std::vector<CutGround> Core::Durable::cut_grounds() const {
  std::vector<CutGround> out;
  for (const Handle handle : core_.world_->patches()) {
    if (core_.world_->find(handle)->remote) continue;
    add_ground(handle, *std::as_const(*core_.world_).voxels(handle), out);
  }
  return out;
}

}  // namespace perigee::worker
