// Locating the worker with a client's avatar.
#include "perigee/gateway/core.hpp"

namespace perigee::gateway {

/// The worker is gone from the map, or is another process by now, which does not know the session.
bool Core::worker_lost(const Session& session) const {
  return !links_.reachable(session.worker) ||
         links_.incarnation(session.worker) != session.incarnation;
}

void Core::follow(Session& session, WorkerSlot worker) {
  session.has_worker = true;
  session.worker = worker;
  session.incarnation = links_.incarnation(worker);
  const WorkerEntry* entry = map_.worker(worker);
  session.handle_base = entry != nullptr ? entry->handle_base : HandleBase{};
  session.successor_answers_by_us.reset();
}

/// From now on the client's inputs go to the successor.
bool Core::follow_successor(Micros now_us, Session& session) {
  const FailoverRecord* failover_record = map_.failover_record(session.handle_base);
  if (session.phase != Phase::Playing || failover_record == nullptr ||
      !links_.reachable(failover_record->successor)) {
    return false;
  }
  follow(session, failover_record->successor);
  session.successor_answers_by_us = now_us + successor_limit_us;
  successors_asked_ = true;
  counts_.add(metric.sessions_inherited);
  return true;
}

void Core::give_up_successors(Micros now_us) {
  successors_asked_ = false;
  for (Session& session : sessions_) {
    if (session.phase != Phase::Playing || !session.successor_answers_by_us) continue;
    if (now_us < *session.successor_answers_by_us) {
      successors_asked_ = true;
      continue;
    }
    session.successor_answers_by_us.reset();
    session.has_worker = false;
    join_anew(now_us, session);
  }
}

/// The worker that has the avatar, or spawns a new one, answers.
void Core::join_anew(Micros now_us, Session& session) {
  --playing_;
  counts_.add(metric.joins_repeated_for_lost_owner);
  begin_join(now_us, session, rejoin_limit_us);
}

void Core::begin_join(Micros now_us, Session& session, Micros limit_us) {
  session.phase = Phase::Joining;
  session.join_by_us = now_us + limit_us;
  session.next_join_us = now_us;
}

void Core::advance_joins(Micros now_us) {
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    Session& session = sessions_[slot];
    if (session.phase != Phase::Joining) continue;
    if (now_us >= session.join_by_us) {
      counts_.add(metric.joins_unanswered);
      kick(now_us, slot);
    } else if (now_us >= session.next_join_us) {
      send_join(now_us, session);
    }
  }
}

void Core::send_join(Micros now_us, Session& session) {
  session.next_join_us = now_us + join_period_us;
  const RegionEntry* region = map_.region(session.region);
  if (region == nullptr && !map_.regions.empty()) {
    // The region has been merged into another one since the log-in: any region will do.
    region = &map_.regions[session.client_id % map_.regions.size()];
    session.region = region->region;
  }
  if (!region || !region->owner || !links_.reachable(*region->owner)) return;
  if (session.has_worker && session.worker != *region->owner) {
    // The client may have joined there, with the answer lost.
    send_leave(now_us, session.id, session.worker, false);
  }
  follow(session, *region->owner);
  forget_leave(session.id, session.worker);  // the region is owned by that worker again
  links_.add(session.worker,
             JoinRecord{session.id, session.client_id, session.region, session.issue});
}

/// Finds sessions without data of their own avatar. The worker that had it may have died before it
/// could announce the migration, and the client sends nothing, because it has nothing to predict
/// from. The worker that has the avatar answers, and nothing changes.
void Core::search_avatars(Micros now_us) {
  next_search_us_ = now_us + search_period_us;
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    const Session& session = sessions_[slot];
    const bool missed = session.phase == Phase::Playing && session.has_worker &&
                        !session.successor_answers_by_us &&
                        now_us - session.own_received_us >= own_silence_us;
    // A client that has reconnected at another gateway, and may have quit there, is silent here.
    const bool listens = now_us - server_.received_us(slot) < own_silence_us / 2;
    if (!missed || !listens || !links_.reachable(session.worker)) continue;
    counts_.add(metric.avatars_searched);
    links_.add(session.worker,
               JoinRecord{session.id, session.client_id, session.region, session.issue});
  }
}

}  // namespace perigee::gateway
