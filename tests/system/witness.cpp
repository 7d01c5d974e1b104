#include "witness.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }
std::string at(std::size_t worker) { return " at worker " + number(worker); }

}  // namespace

void Witness::begin() {
  std::vector<std::string> none;
  find_things(none);
  for (const VirtualPlayer& player : cluster_.players()) {
    avatars_[player.client_id] = player.client->prediction().avatar();
  }
  for (const auto& [handle, owned] : owned_) at_first_[handle] = owned.id;
  for (const auto& [client, avatar] : avatars_) at_first_.erase(avatar);
  known_ = cluster_.directory().map();
  losses_ = failovers_ = 0;
}

/// The worker is ready, and has not learned that its incarnation has ended.
bool Witness::counts(std::size_t worker) const {
  return cluster_.runs(worker) && cluster_.worker(worker).ready() && !cluster_.held(worker);
}

void Witness::note(const worker::Core& core) {
  if (cluster_.directory().map().version != known_.version) note_map();
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (!counts(w) || &cluster_.worker(w) != &core) continue;
    if (cluster_.lives_by_the_map(w)) played_ticks_.note(core);
  }
}

void Witness::wrong(const std::string& what) {
  const bool known = std::any_of(broken_.begin(), broken_.end(),
                                 [&](const std::string& each) { return each.ends_with(what); });
  if (!known)
    broken_.push_back(number(static_cast<std::uint64_t>(cluster_.now_us())) + " us: " + what);
}

void Witness::look() {
  std::map<Handle, std::size_t> things;
  std::map<std::uint64_t, std::size_t> clients;
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (!counts(w) || !cluster_.lives_by_the_map(w)) continue;
    const world::World& world = cluster_.worker(w).world();
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->remote) continue;
      const auto [there, first] = things.try_emplace(handle, w);
      if (!first) {
        wrong(std::string(world.type_of(*world.find(handle)).name) + " " + number(handle) +
              " was owned twice:" + at(w) + " and" + at(there->second));
      }
    }
    cluster_.worker(w).for_each_player([&](const worker::Player& player) {
      const auto [there, first] = clients.try_emplace(player.client_id, w);
      if (!first) {
        wrong("client " + number(player.client_id) + " was played twice:" + at(w) + " and" +
              at(there->second));
      }
    });
  }
}

void Witness::note_map() {
  const ClusterMap& map = cluster_.directory().map();
  if (known_.version == 0) known_ = map;
  if (map.cluster_id != known_.cluster_id) wrong("the map's incarnation has changed");
  if (map.version < known_.version) wrong("the map's version has shrunk");
  for (const RegionEntry& was : known_.regions) {
    const RegionEntry* is = map.region(was.region);
    if (is == nullptr) continue;
    if (is->epoch < was.epoch)
      wrong("the epoch of region " + number(was.region.number) + " has shrunk");
    if (is->owner != was.owner && is->epoch == was.epoch) {
      wrong("region " + number(was.region.number) + " has another owner of the same epoch");
    }
    losses_ += is->created_epoch != was.created_epoch;
  }
  for (const WorkerEntry& was : known_.workers) {
    const WorkerEntry& is = map.workers.at(was.slot.index());
    if (is.incarnation < was.incarnation)
      wrong("the incarnation of worker " + number(was.slot.number) + " has decreased");
    const bool over = was.alive && (!is.alive || is.handle_base != was.handle_base);
    if (!over || cluster_.left(was.slot.index())) continue;
    ++(map.failover_record(was.handle_base) != nullptr ? failovers_ : losses_);
  }
  known_ = map;
}

std::vector<std::string> Witness::amiss() {
  std::vector<std::string> out;
  find_regions(out);
  find_things(out);
  find_ghosts(out);
  find_copies(out);
  find_players(out);
  find_pictures(out);
  return out;
}

void Witness::find_things(std::vector<std::string>& out) {
  owned_.clear();
  std::map<std::uint64_t, Handle> by_id;
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (!counts(w)) continue;
    const world::World& world = cluster_.worker(w).world();
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.remote) continue;
      const std::string name(world.type_of(entity).name);
      const auto [there, first] = owned_.try_emplace(handle, Owned{entity.id.bits, w});
      if (!first) {
        out.push_back(name + " " + number(handle) + " is owned twice:" + at(w) + " and" +
                      at(there->second.worker));
      }
      const auto [same, alone] = by_id.try_emplace(entity.id.bits, handle);
      if (!alone && same->second != handle) {
        out.push_back(name + "s " + number(handle) + " and " + number(same->second) +
                      " have one id");
      }
    }
  }
}

void Witness::find_ghosts(std::vector<std::string>& out) const {
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (!counts(w)) continue;
    const world::World& world = cluster_.worker(w).world();
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (!entity.remote) continue;
      const auto owned = owned_.find(handle);
      if (owned != owned_.end() && owned->second.id == entity.id.bits) continue;
      out.push_back("a ghost of nobody's " + std::string(world.type_of(entity).name) + " " +
                    number(handle) + at(w));
    }
  }
}

/// Checks that each worker's standby is in sync and has all of its entities.
void Witness::find_copies(std::vector<std::string>& out) const {
  const ClusterMap& map = cluster_.directory().map();
  for (const WorkerEntry& entry : map.workers) {
    if (!entry.alive || !counts(entry.slot.index())) continue;
    if (!entry.standby_in_sync || !cluster_.worker(entry.slot.index()).in_sync()) {
      out.push_back("worker " + number(entry.slot.number) + " is not in sync with its standby");
      continue;
    }
    const std::size_t standby = entry.standby->index();
    for (const auto& [handle, owned] : owned_) {
      if (owned.worker != entry.slot.index()) continue;
      const world::Entity* copy =
          counts(standby) ? cluster_.worker(standby).world().find(handle) : nullptr;
      if (copy != nullptr && copy->id.bits == owned.id) continue;
      out.push_back(number(handle) + at(owned.worker) + " has no copy" + at(standby));
    }
  }
}

void Witness::find_players(std::vector<std::string>& out) {
  std::map<std::uint64_t, std::size_t> known;
  std::map<SessionId, std::size_t> sessions;
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (!counts(w)) continue;
    cluster_.worker(w).for_each_player([&](const worker::Player& player) {
      if (!known.try_emplace(player.client_id, w).second) {
        out.push_back("client " + number(player.client_id) + " is played twice");
      }
      if (!sessions.try_emplace(player.session, w).second) {
        out.push_back("session " + number(player.session) + " is there twice");
      }
      const auto avatar = owned_.find(player.avatar);
      if (avatar == owned_.end() || avatar->second.worker != w) {
        out.push_back("client " + number(player.client_id) + " is played" + at(w) +
                      ", but its avatar is not there");
      }
    });
  }
  for (const VirtualPlayer& player : cluster_.players()) {
    const std::string who = "client " + number(player.client_id);
    const auto at_worker = known.find(player.client_id);
    if (!player.client->connected() || !player.client->playing()) {
      out.push_back(who + " does not play: connected " + number(player.client->connected()) +
                    ", at a worker " + number(at_worker != known.end()));
      continue;
    }
    if (at_worker == known.end()) {
      out.push_back(who + " is nowhere played");
      continue;
    }
    const worker::Player* here = cluster_.worker(at_worker->second).player_of(player.client_id);
    if (here->avatar != player.client->prediction().avatar()) {
      out.push_back(who + " takes " + number(player.client->prediction().avatar()) +
                    " for its avatar, which is " + number(here->avatar));
    }
    if (here->lost) out.push_back(who + " plays, and is taken for lost" + at(at_worker->second));
    constexpr std::int32_t silent_ticks_max = 120;
    const Tick now = cluster_.worker(at_worker->second).next_tick();
    if (ticks_between(here->received, now) > silent_ticks_max) {
      out.push_back(who + " has sent no input for 2 s" + at(at_worker->second));
    }
  }
}

void Witness::find_regions(std::vector<std::string>& out) const {
  const ClusterMap& map = cluster_.directory().map();
  for (const RegionEntry& region : map.regions) {
    const WorkerEntry* owner = region.owner ? map.worker(*region.owner) : nullptr;
    if (owner == nullptr || !owner->alive || !counts(owner->slot.index())) {
      out.push_back("region " + number(region.region.number) + " has no living owner");
    }
  }
  for (std::size_t w = 0; w < cluster_.workers(); ++w) {
    if (cluster_.runs(w) && cluster_.held(w)) out.push_back("held back" + at(w));
    if (!counts(w)) continue;
    const std::size_t in_doubt = cluster_.worker(w).groups_in_doubt();
    if (in_doubt > 0) out.push_back(number(in_doubt) + " groups are in doubt" + at(w));
    for (const worker::GroupInDoubt& group : cluster_.worker(w).doubts()) {
      out.push_back("  group " + number(group.group) + " from " + number(group.from.number) +
                    " to " + number(group.to.number) + " for " + std::to_string(group.for_ticks) +
                    " ticks, reason " + std::to_string(static_cast<int>(group.reason)));
    }
  }
}

/// Checks that clients have no entity that no worker owns.
void Witness::find_pictures(std::vector<std::string>& out) {
  for (const VirtualPlayer& player : cluster_.players()) {
    if (!player.client->connected() || !player.client->playing()) continue;
    for (const auto& seen : player.client->entities().all()) {
      const auto owned = owned_.find(seen->handle);
      if (owned != owned_.end() && owned->second.id == seen->identity) continue;
      out.push_back("client " + number(player.client_id) + " sees " + number(seen->handle) +
                    ", which is nobody's");
    }
  }
}

std::vector<std::string> Witness::missing() {
  std::vector<std::string> none, out;
  find_things(none);
  for (const auto& [handle, id] : at_first_) {
    const auto owned = owned_.find(handle);
    if (owned != owned_.end() && owned->second.id == id) continue;
    out.push_back(number(handle) + " is lost");
  }
  std::set<Handle> avatars;
  for (const VirtualPlayer& player : cluster_.players()) {
    const Handle avatar = player.client->prediction().avatar();
    avatars.insert(avatar);
    const auto before = avatars_.find(player.client_id);
    if (before != avatars_.end() && before->second != avatar) {
      out.push_back("client " + number(player.client_id) +
                    " began anew: " + number(before->second) + " is " + number(avatar) + " now");
    }
  }
  for (const auto& [handle, owned] : owned_) {
    if (at_first_.contains(handle) || avatars.contains(handle)) continue;
    const auto own = std::find_if(avatars_.begin(), avatars_.end(),
                                  [&](const auto& each) { return each.second == handle; });
    if (own == avatars_.end()) out.push_back(number(handle) + " is new");
  }
  return out;
}

}  // namespace perigee::lab
