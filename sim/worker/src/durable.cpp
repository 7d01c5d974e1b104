// Outcomes on their way into the journal, and what this worker has of a cut.
#include "durable.hpp"

#include <algorithm>
#include <utility>

#include "buddies.hpp"
#include "handoffs.hpp"
#include "observer_state.hpp"
#include "perigee/world/group.hpp"
#include "post.hpp"

namespace perigee::worker {

// ---- outcomes

auto Core::Durable::named(const world::JournalEntry& entry) const -> Waiting {
  Waiting out{.row = {.entry = entry}, .since = core_.next_};
  if (const Player* actor = core_.find_avatar(entry.actor)) out.actor = actor->session;
  if (const Player* target = core_.find_avatar(entry.target)) out.target = target->session;
  return out;
}

void Core::Durable::write(const world::JournalEntry& entry) {
  Waiting out = named(entry);
  std::uint32_t ordinal = 0;
  for (const OutcomeRow& other : of_tick_) {
    ordinal += other.about() == out.row.about() && other.entry.tick == entry.tick &&
               other.entry.kind == entry.kind;
  }
  if (ordinal > ordinal_max) {
    core_.counts_.add(Count::OutcomesToldUnstored);
    return tell(out);
  }
  out.row.ordinal = static_cast<std::uint8_t>(ordinal);
  of_tick_.push_back(out.row);
  add(out);
}

void Core::Durable::write_again(const OutcomeRow& row) {
  Waiting out = named(row.entry);
  out.row.ordinal = row.ordinal;
  add(out);
}

void Core::Durable::add(Waiting outcome) {
  outcome.row.number = ++written_;
  if (waiting_.size() == waiting_max) {
    core_.counts_.add(Count::OutcomesToldUnstored);
    outcome.told = true;
    tell(outcome);
  }
  waiting_.push_back(outcome);
  core_.buddies_->wrote(outcome.row);
  go_on();
}

// Buddy, journal, players: in this order. (R5)
void Core::Durable::go_on() {
  const std::uint64_t durable = core_.buddies_->durable_outcomes();
  for (Waiting& outcome : waiting_) {
    if (outcome.row.number > durable) break;
    if (std::exchange(outcome.sent, true)) continue;
    if (core_.to_store) {
      core_.to_store(outcome.row);
    } else if (!std::exchange(outcome.told, true)) {
      tell(outcome);
    }
  }
  if (core_.to_store) return;
  while (!waiting_.empty() && waiting_.front().sent) {
    core_.buddies_->stored(waiting_.front().row.number);
    waiting_.pop_front();
  }
}

void Core::Durable::for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const {
  for (const Waiting& outcome : waiting_) visit(outcome.row);
}

void Core::Durable::tell(const Waiting& outcome) {
  const world::JournalEntry& entry = outcome.row.entry;
  const OutcomeEvent event{entry.tick,  entry.index,  entry.kind,
                           entry.actor, entry.target, entry.amount};
  tell_player(entry.actor, outcome.actor, event);
  if (entry.target != entry.actor) tell_player(entry.target, outcome.target, event);
}

// Who has crossed a border meanwhile is still served from here as somebody near.
void Core::Durable::tell_player(Handle avatar, SessionId session, const OutcomeEvent& event) {
  if (const Player* player = core_.find_avatar(avatar)) {
    if (player->lost) return;
    session = player->session;
  }
  const auto seen = core_.observers_.find(session);
  if (seen == core_.observers_.end()) return;
  if (!seen->second->observer.events.push(event, true)) core_.counts_.add(Count::EventsDeferred);
}

void Core::Durable::on_stored(std::uint64_t number, bool stands) {
  const auto found = std::lower_bound(
      waiting_.begin(), waiting_.end(), number,
      [](const Waiting& waiting, std::uint64_t n) { return waiting.row.number < n; });
  if (found == waiting_.end() || found->row.number != number) return;
  const Waiting outcome = *found;
  waiting_.erase(found);
  core_.buddies_->stored(number);
  if (!stands) return core_.counts_.add(Count::OutcomesFenced);
  if (!outcome.told) tell(outcome);
}

// ---- cuts

void Core::Durable::on_map() {
  std::vector<WorkerEntry> living;
  for (const WorkerEntry& worker : core_.map_.workers) {
    if (worker.alive) living.push_back(worker);
  }
  if (living == workers_) return;
  workers_ = std::move(living);
  same_since_.reset();
}

void Core::Durable::after_tick() {
  const Tick now = core_.next_;
  of_tick_.clear();
  for (Waiting& outcome : waiting_) {
    if (ticks_between(outcome.since, now) < wait_ticks_max) break;
    if (outcome.told) continue;
    outcome.told = true;
    core_.counts_.add(Count::OutcomesToldUnstored);
    tell(outcome);
  }
  if (!core_.to_cut) return;
  if (may_cut(now)) cut();
  if (open_ && ticks_between(open_->tick(), now) >= late_ticks_max) hand_in();
}

// Each region is somebody's, and everybody is known to everybody.
bool Core::Durable::may_cut(Tick at) {
  if (!same_since_) same_since_ = at;
  const auto& regions = core_.map_.regions;
  return at.count % cut_every_ticks == 0 && ticks_between(*same_since_, at) >= same_workers_ticks &&
         std::all_of(regions.begin(), regions.end(),
                     [](const RegionEntry& region) { return region.owner.has_value(); });
}

void Core::Durable::idle(Tick now) {
  if (!core_.to_cut || core_.ready() || core_.own_region() != nullptr) return;
  const Tick at{now.count - now.count % cut_every_ticks};
  const bool news = idle_at_ && before(*idle_at_, at);
  idle_at_ = at;
  if (!same_since_) same_since_ = now;
  if (news && may_cut(at)) core_.to_cut({at, slots(), empty_part(at, core_.game_)});
}

std::vector<WorkerSlot> Core::Durable::slots() const {
  std::vector<WorkerSlot> out;
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
  for (const auto& [session, player] : core_.players_) {
    const auto parent = world.pose(player->parent, core_.next_);
    const Vec3& local = player->state.position;
    players.push_back(cut_player(*player, parent ? transform(*parent, local) : local, core_.next_));
  }
  open_->end(world.hinges(), cut_grounds(), players);
  if (core_.handoffs_) {
    core_.handoffs_->for_each_in_doubt([&](std::span<const std::byte> given) {
      if (const auto arrival = core_.read_arrival(given)) {
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
  core_.to_cut({open_->tick(), cut_slots_, open_->take()});
  open_.reset();
}

void Core::Durable::took(const world::GroupPast& past,
                         std::span<const std::unique_ptr<Player>> players) {
  if (open_ && not_after(past.now, open_->tick())) add(CutBlock::Here, past, players);
}

// As it was when it left.
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

// In a group a parent is a body, or not part of it: then it rests.
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
          .game = core_.game_without_pending(player, next),
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
