#include "handoffs.hpp"

#include <algorithm>

#include "ghosts.hpp"
#include "handoff_wire.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using handoff::MessageKind;

void Core::Handoffs::on_map() {
  for (const RegionEntry& region : core_.map_.regions) {
    const auto known = regions_.find(region.region);
    const bool ours = region.owner == core_.slot_;
    if (known != regions_.end() && (!ours || known->second.epoch() != region.epoch)) {
      regions_.erase(known);
    }
    if (ours) regions_.try_emplace(region.region, region.region, region.epoch);
  }
  forget_gone_with_their_worker();
}

void Core::Handoffs::after_tick() {
  let_go_at_border();
  take_what_has_come();
  const Tick now = core_.next_;
  if (now.count % look_ticks == 0 && core_.ghosts_->tells_anybody()) look_at_borders();
  if (now.count % say_again_ticks == 0) {
    for (auto& [id, region] : regions_) region.poll(*this);
  }
  greet_newcomers();
  look_after_the_gone();
  std::erase_if(moved_,
                [&](const auto& moved) { return ticks_between(moved.second, now) > rest_ticks; });
}

/// Somebody else's region that the root is well inside of.
const RegionEntry* Core::Handoffs::foreign_region_of(Handle root) const {
  const auto pose = core_.world_->pose(root, core_.next_);
  const RegionEntry* at = pose ? core_.map_.region_at(pose->position) : nullptr;
  if (at == nullptr || !at->owner || at->owner == core_.slot_) return nullptr;
  for (const RegionEntry& region : core_.map_.regions) {
    if (region.owner != core_.slot_) continue;
    const world::Bounds box{region.low, region.high};
    if (world::inflated(box, beyond_border_m).contains(pose->position)) return nullptr;
  }
  return at;
}

const RegionEntry* Core::Handoffs::nearest_region(WorkerSlot of, Handle root) const {
  const auto pose = core_.world_->pose(root, core_.next_);
  const RegionEntry* nearest = nullptr;
  double nearest_m = 0;
  for (const RegionEntry& region : core_.map_.regions) {
    if (region.owner != of || !pose) continue;
    const double away_m = replication::distance_to({region.low, region.high}, pose->position);
    if (nearest != nullptr && away_m >= nearest_m) continue;
    nearest = &region;
    nearest_m = away_m;
  }
  return nearest;
}

// Where its root is; but what stands on, hangs on or lies against something heavier of one other
// worker follows that, wherever the border is: one worker has to solve both.
const RegionEntry* Core::Handoffs::destination(const world::Group& group) const {
  const world::World& world = *core_.world_;
  const RegionEntry* by_place = foreign_region_of(group.root);
  if (group.foreign.empty()) return by_place;
  const auto weight = [&](Handle handle) {
    const world::Entity& entity = *world.find(handle);
    const world::EntityType& type = world.type_of(entity);
    return std::pair(type.kind == world::EntityKind::Body ? type.mass_kg : 0, entity.id);
  };
  const auto owner = core_.ghosts_->owner_of(group.foreign.front());
  bool follows = false;
  for (const Handle foreign : group.foreign) {
    if (!owner || core_.ghosts_->owner_of(foreign) != owner) return nullptr;
    const world::EntityKind kind = world.type_of(*world.find(foreign)).kind;
    follows |= kind == world::EntityKind::Timeline || weight(foreign) > weight(group.root);
  }
  if (by_place != nullptr && by_place->owner == owner) return by_place;
  return follows ? nearest_region(*owner, group.root) : nullptr;
}

/// Roots beyond the border, and whatever may be bound to another worker's.
std::vector<Handle> Core::Handoffs::who_may_go() const {
  const world::World& world = *core_.world_;
  std::vector<Handle> out = world.touching_remote();
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    const world::EntityKind kind = world.type_of(entity).kind;
    const bool may = kind == world::EntityKind::Body || kind == world::EntityKind::Actor;
    if (!may || entity.remote) continue;
    const world::Entity* parent = world.find(entity.parent);
    const bool follows = kind == world::EntityKind::Actor && parent != nullptr && parent->remote;
    if (follows || foreign_region_of(handle) != nullptr) out.push_back(handle);
  }
  return out;
}

void Core::Handoffs::look_at_borders() {
  std::vector<Handle> offered;
  for (const Handle handle : who_may_go()) {
    const world::Group group = core_.world_->group_of(handle);
    if (std::find(offered.begin(), offered.end(), group.root) != offered.end()) continue;
    const RegionEntry* to = destination(group);
    if (to == nullptr || !core_.ghosts_->tells_all_to(*to->owner)) continue;
    if (core_.world_->near_cells(group.members, cells_m)) continue;
    offered.push_back(group.root);
    offer(group.root, *to);
  }
}

void Core::Handoffs::offer(Handle root, const RegionEntry& to) {
  if (moved_.contains(root)) return;  // not so soon after the last time
  const auto home = std::find_if(regions_.begin(), regions_.end(),
                                 [&](const auto& region) { return region.second.owns(root); });
  Region& region = home != regions_.end() ? home->second : regions_.begin()->second;
  if (home == regions_.end()) region.admit(root, nullptr, *this);
  if (region.moving(root)) region.give_up(root);  // nobody was ready in time
  region.move(root, to.region, core_.next_ + ahead_ticks, *this);
}

void Core::Handoffs::let_go_at_border() {
  for (auto& [id, region] : regions_) {
    std::vector<handoff::GroupId> due;
    for (const auto& [root, group] : region.ledger().groups) {
      if (region.leaving(root) && not_after(group.effect, core_.next_)) due.push_back(root);
    }
    for (const handoff::GroupId root : due) {
      const auto& group = region.ledger().groups.at(root);
      const RegionEntry* to = core_.map_.region(group.peer);
      const bool there = to != nullptr && to->owner && *to->owner != core_.slot_;
      if (!there || !core_.can_give(root, to->owner) || group.effect != core_.next_) {
        region.stay(root, *this);
        continue;
      }
      Core::Given given = core_.give_to(*to->owner, root);
      if (given.bytes.size() > core_.settings_.group_bytes_max) {
        core_.counts_.add(Count::GroupsTooLarge);
        take_back(root, given.bytes);
        region.stay(root, *this);
        continue;
      }
      for (const SessionId session : given.crew) {
        gone_[session] = {.to = *to->owner,
                          .life = core_.map_.worker(*to->owner)->life,
                          .with = root,
                          .at = core_.next_};
      }
      auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(given.bytes));
      core_.counts_.add(Count::GroupsOut);
      region.arrived_at_border(root, std::move(bytes), *this);
    }
  }
}

void Core::Handoffs::send(const Message& message) {
  const RegionEntry* to = core_.map_.region(message.to);
  if (to == nullptr || !to->owner || *to->owner == core_.slot_) return;
  std::vector<std::byte> bytes{static_cast<std::byte>(PeerKind::Handoff)};
  const std::vector<std::byte> said = to_bytes(message);
  bytes.insert(bytes.end(), said.begin(), said.end());
  core_.to_peer(*to->owner, bytes);
}

void Core::Handoffs::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto message = message_from_bytes(bytes);
  if (!message) return core_.drop(Count::DropMalformed);
  const RegionEntry* speaker = core_.map_.region(message->from);
  if (speaker == nullptr || speaker->owner != from || speaker->epoch != message->epoch) {
    return core_.drop(Count::DropUnknownSender);
  }
  if (message->kind != MessageKind::Final) return deliver(*message);
  waiting_.push_back(*message);
  take_what_has_come();
}

// What comes for a tick that is still to run waits for it; what is too late is refused.
void Core::Handoffs::take_what_has_come() {
  std::vector<Message> due;
  std::erase_if(waiting_, [&](const Message& message) {
    if (before(core_.next_, message.effect)) return false;
    due.push_back(message);
    return true;
  });
  for (const Message& message : due) deliver(message);
}

void Core::Handoffs::deliver(const Message& message) {
  const auto found = regions_.find(message.to);
  if (found == regions_.end()) return;
  Region& region = found->second;
  bool wanted = true;
  if (message.kind == MessageKind::Prepare) {
    // Whoever comes finds here what was around them there.
    const RegionEntry* from = core_.map_.region(message.from);
    wanted = from != nullptr && from->owner && core_.ghosts_->knows_all_of(*from->owner);
  }
  if (message.kind == MessageKind::Ready && not_after(message.effect, core_.next_)) {
    return region.give_up(message.group);  // it came too late: another tick will be offered
  }
  if (message.kind == MessageKind::Final && !region.answered(message)) {
    const bool in_time = ticks_between(message.effect, core_.next_) <= world::World::catch_up_ticks;
    wanted = in_time && take(message.group, *message.state);
    if (wanted) core_.counts_.add(Count::GroupsIn);
  }
  const State* given = region.final_of(message.group);
  const State state = given != nullptr ? *given : nullptr;
  region.on_message(message, wanted, *this);
  if (state == nullptr || !region.owns(message.group)) return;
  take_back(message.group, *state);
  core_.counts_.add(Count::GroupsBack);
}

void Core::Handoffs::take_back(handoff::GroupId root, std::span<const std::byte> bytes) {
  const bool back = take(root, bytes);
  PERIGEE_ASSERT(back, "what left from here can come back");
}

bool Core::Handoffs::take(handoff::GroupId root, std::span<const std::byte> bytes) {
  const auto crew = core_.take(bytes);
  if (!crew) return false;
  moved_[root] = core_.next_;
  for (const SessionId session : *crew) {
    newcomers_.push_back({session, core_.players_.at(session)->avatar, core_.next_});
    const auto back = gone_.extract(session);
    if (back && back.mapped().leaves) core_.on_leave(*back.mapped().leaves);
  }
  greet_newcomers();
  return true;
}

// Their gateways send their inputs here from now on; told several times, for datagrams get lost.
void Core::Handoffs::greet_newcomers() {
  std::erase_if(newcomers_, [&](const Newcomer& newcomer) {
    const std::int32_t since = ticks_between(newcomer.at, core_.next_);
    if (!core_.players_.contains(newcomer.session)) return true;
    const GatewayEntry* gateway = core_.map_.gateway(session_gateway(newcomer.session));
    if (gateway != nullptr && since % told_again_ticks == 0) {
      core_.fabric_.add(gateway->fabric, JoinedRecord{newcomer.session, newcomer.avatar});
    }
    return since >= told_times * told_again_ticks;
  });
}

}  // namespace perigee::worker
