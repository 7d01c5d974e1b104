// The entities that observers know: spawned, adopted and despawned.
#include <algorithm>

#include "perigee/replication/publisher.hpp"

namespace perigee::replication {
namespace {

constexpr int parents_depth_max = 4;
/// Further despawns wait for the next sweep, so that they do not push out spawns.
constexpr std::size_t leaving_per_sweep_max = 64;
/// Events are delivered in order, so announced changes wait for all earlier events. With a larger
/// limit, a region that changes its owner is replicated again sooner, but announcements to its
/// players are late.
constexpr std::size_t under_way_while_sent_again = 16;

}  // namespace

void Publisher::make_room(Observer& observer) {
  if (observer.known.sized()) return;
  observer.known = KnownSet(slots_.capacity());
  observer.sent = SentTracks(slots_.capacity());
  observer.column = tracks_.holders().enter();
}

void Publisher::note_sent(Observer& observer, std::uint32_t slot, const TrackVersion& track) {
  observer.sent.note(slot, track, now_);
  tracks_.holders().forget(slot, observer.column);
}

void Publisher::note_heading_sent(Observer& observer, std::uint32_t slot, std::uint8_t heading) {
  observer.sent.note_heading(slot, heading, now_);
  tracks_.holders().forget(slot, observer.column);
}

void Publisher::note_adopted(Observer& observer, std::uint32_t slot, const TrackVersion& has) {
  observer.sent.adopt(slot, has);
  tracks_.holders().forget(slot, observer.column);
}

void Publisher::forget_tracks(Observer& observer, std::uint32_t slot) {
  observer.sent.forget(slot);
  tracks_.holders().forget(slot, observer.column);
}

bool Publisher::in_reach(const Observer& observer, const Published& entity, double factor) const {
  const double reach_m = std::min<double>(entity.visible_m, observer.radius_m) * factor;
  return distance_to(entity.bounds, observer.position) <= reach_m;
}

bool Publisher::make_known(Observer& observer, std::uint32_t slot, int depth) {
  if (observer.known.contains(slot)) return true;
  if (observer.known.size() >= known_entities_max) {
    ++counters_.known_full;
    return false;
  }
  const Published& entity = shown_[slot];
  const std::uint32_t parent =
      depth < parents_depth_max ? slots_.find(entity.parent) : EntitySlots::none;
  if (parent != EntitySlots::none && !make_known(observer, parent, depth + 1)) return false;
  if (!send_event(observer, entity, EventSender<WorldEvent>::window)) {
    ++observer.events_deferred;  // tried again in a later slot
    ++counters_.events_deferred;
    return false;
  }
  observer.known.add(slot);
  slots_.add_subscriber(slot);
  return true;
}

// All or nothing: a door without its whole log would stay wrong.
bool Publisher::send_event(Observer& observer, const Published& entity, std::size_t under_way_max) {
  SpawnEvent spawn{entity.handle, entity.identity, entity.type, entity.respawns, low_half(now_)};
  spawn.parent = entity.parent;
  spawn.goal = entity.goal;
  spawn.pose = entity.local;
  std::size_t wanted = 1;
  if (news_of) news_of(entity.handle, [&](const WorldEvent&) { ++wanted; });
  const std::size_t room = std::max(under_way_max, wanted);  // with none pending, any number may go
  if (observer.events.unacknowledged() + wanted > room) return false;
  observer.events.push(spawn, false);
  if (news_of) {
    news_of(entity.handle, [&](const WorldEvent& event) { observer.events.push(event, true); });
  }
  return true;
}

// The newest entities first. Those that have migrated again or are out of sight are skipped:
// another worker replicates them.
void Publisher::send_again(Observer& observer) {
  auto& waiting = observer.whole_due;
  for (; !waiting.empty(); waiting.pop_back()) {
    const std::uint32_t slot = slots_.find(waiting.back());
    if (slot == EntitySlots::none || !observer.known.contains(slot)) continue;
    if (!send_event(observer, shown_[slot], under_way_while_sent_again)) return;
  }
}

// A known entity that is not on a full list has room, once the unknown ones are off it. Only an
// observer that has adopted more than known_entities_max can lack it.
bool Publisher::note_whole_due(Observer& observer, std::uint32_t slot) {
  auto& waiting = observer.whole_due;
  const Handle handle = slots_.handle(slot);
  if (std::find(waiting.begin(), waiting.end(), handle) != waiting.end()) return true;
  if (waiting.size() >= known_entities_max) {
    std::erase_if(waiting, [&](Handle other) { return !knows(observer, other); });
  }
  if (waiting.size() >= known_entities_max) return false;
  waiting.push_back(handle);
  return true;
}

void Publisher::owe_whole(Observer& observer, Handle handle) {
  if (knows(observer, handle)) note_whole_due(observer, slots_.find(handle));
}

void Publisher::send_losses(Observer& observer) {
  while (!observer.lost.empty() && observer.events.unacknowledged() < under_way_while_sent_again &&
         observer.events.push(LostEvent{observer.lost.back()}, false)) {
    observer.lost.pop_back();
  }
}

bool Publisher::take_back(Observer& observer, std::uint32_t slot) {
  if (!observer.events.push(DespawnEvent{slots_.handle(slot), low_half(now_)}, false)) return false;
  observer.known.remove(slot);
  forget_tracks(observer, slot);
  slots_.remove_subscriber(slot);
  return true;
}

// A new observer does not wait until every class is due. Near entities come first.
void Publisher::make_all_known(Observer& observer) {
  const auto everything = index_.all(view_of(observer));
  const std::uint32_t deferred = observer.events_deferred;
  for (const bool near : {true, false}) {
    for (const Hit hit : everything) {
      if ((ring_of(hit) <= 1) != near) continue;
      const std::uint32_t slot = slot_of(hit);
      if (!slots_.alive(slot) || !in_reach(observer, shown_[slot], 1)) continue;
      make_known(observer, slot, 0);
      if (observer.events_deferred != deferred) return;
    }
  }
  observer.sent_all = true;
}

void Publisher::update_known(Observer& observer) {
  if (observer.avatar != no_entity) {
    const std::uint32_t avatar = slots_.find(observer.avatar);
    if (avatar != EntitySlots::none) make_known(observer, avatar, 0);
  }
  for (const std::uint32_t slot : slots_.dying()) {
    if (observer.known.contains(slot) && !take_back(observer, slot)) break;
  }
  if (!observer.sent_all) make_all_known(observer);
  send_again(observer);
  send_losses(observer);
  if (!observer.turn(now_, InterestRings::period_ticks.back())) return;
  take_back_those_out_of_reach(observer);
}

void Publisher::take_back_those_out_of_reach(Observer& observer) {
  const std::uint32_t avatar = slots_.find(observer.avatar);
  const GridPosition from = to_grid(observer.position);
  const double leave_m = observer.radius_m * settings_.leave_factor;
  std::size_t left = 0;
  const auto may_leave = [&](std::uint32_t first, std::uint64_t slots) {
    return index_.not_within(first, slots, from, leave_m);
  };
  observer.known.for_each_chosen(may_leave, [&](std::uint32_t slot) {
    if (left == leaving_per_sweep_max) return;
    if (!slots_.alive(slot) || slot == avatar) return;
    if (in_reach(observer, shown_[slot], settings_.leave_factor)) return;
    if (take_back(observer, slot)) ++left;
  });
}

std::uint32_t Publisher::broadcast(std::span<Observer* const> observers, Handle object,
                                   const WorldEvent& event, bool urgent) {
  const std::uint32_t slot = slots_.find(object);
  if (slot == EntitySlots::none) return 0;
  std::uint32_t full = 0;
  for (Observer* observer : observers) {
    if (!observer->known.sized() || !observer->known.contains(slot)) continue;
    if (observer->events.push(event, urgent)) continue;
    // The client may have the entity. It stays known, so that its despawn will be sent.
    note_whole_due(*observer, slot);
    ++full;
  }
  return full;
}

bool Publisher::knows(const Observer& observer, Handle handle) const {
  const std::uint32_t slot = slots_.find(handle);
  return slot != EntitySlots::none && observer.known.sized() && observer.known.contains(slot);
}

void Publisher::cue(Observer& observer, const CueEvent& cue, const Vec3& at, double reach_m) {
  const double away_m = distance(observer.position, at);
  if (!(reach_m > 0) || !(away_m <= reach_m) || !observer.known.sized()) return;
  if (!cue.place && !knows(observer, cue.entity)) return;
  observer.cues.add(cue, static_cast<float>(away_m / reach_m), now_, counters_.cues);
}

void Publisher::let_go(Observer& observer, Handle handle) {
  const std::uint32_t slot = slots_.find(handle);
  if (slot == EntitySlots::none || !observer.known.sized() || !observer.known.remove(slot)) return;
  forget_tracks(observer, slot);
  slots_.remove_subscriber(slot);
}

// A client never refuses its own avatar, because there are no records of it.
void Publisher::adopt(Observer& observer, Handle handle, const TrackVersion& has) {
  if (handle == observer.avatar) return adopt_fixture(observer, handle);
  const std::uint32_t slot = slots_.find(handle);
  if (slot == EntitySlots::none) return;
  take_for_known(observer, slot);
  note_adopted(observer, slot, has);
}

void Publisher::take_for_known(Observer& observer, std::uint32_t slot) {
  make_room(observer);
  if (observer.known.add(slot)) slots_.add_subscriber(slot);
}

TrackVersion Publisher::held_by(const Observer& observer, Handle handle) const {
  const std::uint32_t slot = slots_.find(handle);
  return slot != EntitySlots::none && observer.known.sized() ? observer.sent.held(slot, now_)
                                                             : TrackVersion{};
}

std::vector<SharedTrack> Publisher::tracks_of(Handle handle) const {
  std::vector<SharedTrack> out;
  const std::uint32_t slot = slots_.find(handle);
  if (slot == EntitySlots::none) return out;
  for (std::size_t i = 0; i < precisions; ++i) {
    const SharedTrack& track = tracks_.shared(slot, static_cast<Precision>(i));
    if (track.version != 0) out.push_back(track);
  }
  return out;
}

void Publisher::adopt_tracks(Handle handle, std::span<const SharedTrack> tracks) {
  const std::uint32_t slot = slots_.find(handle);
  if (slot == EntitySlots::none) return;
  for (const SharedTrack& track : tracks) tracks_.adopt(slot, track, shown_[slot]);
}

void Publisher::adopt_fixture(Observer& observer, Handle handle) {
  const std::uint32_t slot = slots_.find(handle);
  if (slot == EntitySlots::none) return;
  take_for_known(observer, slot);
  note_whole_due(observer, slot);
}

// With the first block of a new stream a client forgets what it had of that worker before. That may
// include an entity that was elsewhere meanwhile, if the client never learned so. The client
// refuses records of an entity that it does not know, and does not acknowledge their blocks.
void Publisher::spawn_again(Observer& observer, std::uint32_t slot) {
  const bool comes = send_event(observer, shown_[slot], under_way_while_sent_again) ||
                     note_whole_due(observer, slot);
  if (comes) observer.sent.note_spawned_again(slot);
}

void Publisher::lose(Observer& observer, Handle handle) {
  if (observer.lost.size() < known_entities_max) observer.lost.push_back(handle);
}

void Publisher::send_all_again(Observer& observer) {
  observer.sent.forget_all();
  observer.known.for_each([&](std::uint32_t slot) { note_adopted(observer, slot, {}); });
}

void Publisher::forget(Observer& observer) {
  observer.known.for_each([&](std::uint32_t slot) {
    slots_.remove_subscriber(slot);
    tracks_.holders().forget(slot, observer.column);
  });
  if (observer.known.sized()) tracks_.holders().leave(observer.column);
  observer.known = KnownSet();
  observer.sent = SentTracks();
  observer.whole_due.clear();
  observer.lost.clear();
  observer.cues = CueQueue();
}

}  // namespace perigee::replication
