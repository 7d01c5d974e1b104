#include "perigee/gateway/joins.hpp"

#include <algorithm>

namespace perigee::gateway {

void Joins::start(Micros now_us, std::uint32_t slot, RegionId region) {
  places_[slot] = Place{.region = placeless(region) ? region_after(region) : region};
  begin(now_us, slot, join_limit_us);
  send(now_us, slot);
}

void Joins::end(Micros now_us, std::uint32_t slot, bool lost) {
  const Place& place = places_[slot];
  if (place.has_worker) {
    needs_.leaves.send(now_us, needs_.sessions[slot].id, place.worker, lost);
  }
}

void Joins::on_map(Micros now_us, bool other_cluster) {
  placeless_.clear();
  for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
    Place& place = places_[slot];
    if (needs_.sessions.is_free(slot) || ends_with_region(now_us, slot)) continue;
    if (!place.has_worker) continue;
    if (!other_cluster && !worker_lost(place)) continue;
    if (!other_cluster && follow_successor(now_us, slot)) continue;
    place.has_worker = false;
    if (needs_.sessions.is_playing(slot)) join_anew(now_us, slot);
  }
}

void Joins::on_joined(Micros now_us, std::uint32_t slot, WorkerSlot worker) {
  if (needs_.sessions.is_joining(slot)) {
    needs_.counts.add(metric.sessions_joined);
    needs_.sessions.set_phase(slot, Session::Phase::Playing);
    places_[slot].own_received_us = now_us;
    needs_.outputs.joined(needs_.sessions[slot].client.client_id);
  }
  // While playing, `Joined` from another worker means that the avatar was migrated to it.
  follow(places_[slot], worker);
}

void Joins::on_refused(Micros now_us, std::uint32_t slot, WorkerSlot worker, RefuseReason reason) {
  Place& place = places_[slot];
  if (place.worker != worker) return;
  if (needs_.sessions.is_playing(slot)) {
    // The worker does not have the player. A successor gets time to learn that it is one.
    if (reason == RefuseReason::NotReady || place.successor_answers_by_us) return;
    place.has_worker = false;
    return join_anew(now_us, slot);
  }
  needs_.counts.add(metric.joins_refused);
  if (reason == RefuseReason::NoPlace && needs_.stay) return;  // a place may come
  if (reason == RefuseReason::NoPlace) return try_another_region(now_us, slot);
  // The other reasons are temporary: the map changes, or the worker becomes ready, within the join
  // limit.
  if (reason != RefuseReason::Full) return;
  place.has_worker = false;
  needs_.disconnector.kick(now_us, slot);
}

/// The worker is gone from the map, or is another process by now, which does not know the session.
bool Joins::worker_lost(const Place& place) const {
  return !needs_.links.reachable(place.worker) ||
         needs_.links.incarnation(place.worker) != place.incarnation;
}

void Joins::follow(Place& place, WorkerSlot worker) {
  place.has_worker = true;
  place.worker = worker;
  place.incarnation = needs_.links.incarnation(worker);
  const WorkerEntry* entry = needs_.map.worker(worker);
  place.handle_base = entry != nullptr ? entry->handle_base : HandleBase{};
  place.successor_answers_by_us.reset();
}

/// From now on the client's inputs go to the successor.
bool Joins::follow_successor(Micros now_us, std::uint32_t slot) {
  Place& place = places_[slot];
  const FailoverRecord* failover_record = needs_.map.failover_record(place.handle_base);
  if (!needs_.sessions.is_playing(slot) || failover_record == nullptr ||
      !needs_.links.reachable(failover_record->successor)) {
    return false;
  }
  follow(place, failover_record->successor);
  place.successor_answers_by_us = now_us + successor_limit_us;
  successors_asked_ = true;
  needs_.counts.add(metric.sessions_taken_over);
  return true;
}

void Joins::give_up_successors(Micros now_us) {
  if (!successors_asked_) return;
  successors_asked_ = false;
  for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
    Place& place = places_[slot];
    if (!needs_.sessions.is_playing(slot) || !place.successor_answers_by_us) continue;
    if (now_us < *place.successor_answers_by_us) {
      successors_asked_ = true;
      continue;
    }
    place.successor_answers_by_us.reset();
    place.has_worker = false;
    join_anew(now_us, slot);
  }
}

/// The worker that has the avatar, or spawns a new one, answers.
void Joins::join_anew(Micros now_us, std::uint32_t slot) {
  needs_.counts.add(metric.joins_repeated_for_lost_owner);
  needs_.sessions.set_phase(slot, Session::Phase::Joining);
  begin(now_us, slot, rejoin_limit_us);
}

void Joins::begin(Micros now_us, std::uint32_t slot, Micros limit_us) {
  places_[slot].join_by_us = now_us + limit_us;
  places_[slot].next_join_us = now_us;
}

void Joins::advance(Micros now_us) {
  for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
    if (!needs_.sessions.is_joining(slot)) continue;
    if (now_us >= places_[slot].join_by_us) {
      needs_.counts.add(metric.joins_unanswered);
      needs_.disconnector.kick(now_us, slot);
    } else if (now_us >= places_[slot].next_join_us) {
      send(now_us, slot);
    }
  }
}

JoinRecord Joins::record(std::uint32_t slot) const {
  const Session& session = needs_.sessions[slot];
  return {session.id,           session.client.client_id, places_[slot].region,
          session.client.issue, session.client.account,   session.client.alone};
}

/// The session was for that region alone, and the region is gone.
bool Joins::ends_with_region(Micros now_us, std::uint32_t slot) {
  if (!needs_.stay || needs_.map.region(places_[slot].region) != nullptr) return false;
  needs_.counts.add(metric.sessions_without_room);
  needs_.disconnector.kick(now_us, slot);
  return true;
}

void Joins::send(Micros now_us, std::uint32_t slot) {
  if (ends_with_region(now_us, slot)) return;
  const Session& session = needs_.sessions[slot];
  Place& place = places_[slot];
  place.next_join_us = now_us + join_period_us;
  const RegionEntry* region = needs_.map.region(place.region);
  if (region == nullptr && !needs_.map.regions.empty()) {
    // The region has been merged into another one since the log-in: any region will do.
    region = &needs_.map.regions[session.client.client_id % needs_.map.regions.size()];
    place.region = region->region;
  }
  if (!region || !region->owner || !needs_.links.reachable(*region->owner)) return;
  if (place.has_worker && place.worker != *region->owner) {
    // The client may have joined there, with the answer lost.
    needs_.leaves.send(now_us, session.id, place.worker, false);
  }
  follow(place, *region->owner);
  needs_.leaves.forget(session.id, place.worker);  // the region is owned by that worker again
  needs_.links.add(place.worker, record(slot));
}

bool Joins::placeless(RegionId region) const {
  return std::find(placeless_.begin(), placeless_.end(), region) != placeless_.end();
}

/// The next region of the map in which players may begin; the same one, if none is left.
RegionId Joins::region_after(RegionId region) const {
  const auto& regions = needs_.map.regions;
  auto next = std::find_if(regions.begin(), regions.end(),
                           [&](const RegionEntry& entry) { return entry.region == region; });
  for (std::size_t left = regions.size(); left > 0 && next != regions.end(); --left) {
    if (++next == regions.end()) next = regions.begin();
    if (!placeless(next->region)) return next->region;
  }
  return region;
}

/// No player may begin in the region of that session.
void Joins::try_another_region(Micros now_us, std::uint32_t slot) {
  Place& place = places_[slot];
  if (!placeless(place.region)) placeless_.push_back(place.region);
  const RegionId next = region_after(place.region);
  // A body on which players begin may have moved. The join is repeated within its limit.
  if (next == place.region) return placeless_.clear();
  place.region = next;
  send(now_us, slot);
}

void Joins::search_avatars(Micros now_us) {
  if (now_us < next_search_us_) return;
  next_search_us_ = now_us + search_period_us;
  for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
    const Place& place = places_[slot];
    const bool missed = needs_.sessions.is_playing(slot) && place.has_worker &&
                        !place.successor_answers_by_us &&
                        now_us - place.own_received_us >= own_silence_us;
    // A client that has reconnected at another gateway, and may have quit there, is silent here.
    const bool listens = now_us - needs_.server.received_us(slot) < own_silence_us / 2;
    if (!missed || !listens || !needs_.links.reachable(place.worker)) continue;
    needs_.counts.add(metric.avatars_searched);
    needs_.links.add(place.worker, record(slot));
  }
}

}  // namespace perigee::gateway
