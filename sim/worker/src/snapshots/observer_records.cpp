#include "perigee/worker/snapshots/observer_records.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "perigee/base/interest.hpp"

namespace perigee::worker {
namespace {

constexpr std::int32_t record_period_ticks = 12;     // 5 Hz
constexpr std::int32_t record_delay_ticks = 6;       // all workers have it by then
constexpr std::int32_t record_life_ticks = 60;       // 1 s
constexpr std::int32_t observer_memory_ticks = 300;  // later, its event stream starts over
// The distance that observer and entity can cover until the next record takes effect.
constexpr double pad_m = 200;
/// From the tally to the choice of stretch and near lane: all tallies have arrived by then.
constexpr std::int32_t choice_delay_ticks = record_period_ticks;
static_assert(replication::choice_ticks % record_period_ticks == 0);
constexpr std::size_t remote_observers_max = 4096;
/// The records of a narrow path get this much, even if all else fills it.
constexpr double records_least_bytes_per_s = 500;

world::Bounds box_of(const RegionEntry& region) { return {region.low, region.high}; }

/// A worker with entities in the box has to know an observer at the position.
bool is_near(const world::Bounds& box, const Vec3& position) {
  return replication::distance_to(box, position) <= interest_radius_m + pad_m;
}

}  // namespace

void ObserverRecords::on_record(const ObserverRecord& record, WorkerSlot from) {
  if (needs_.cluster.gateway_of(record.session) == nullptr) return;
  const bool known = needs_.observers.find(record.session) != nullptr;
  if (!known && needs_.observers.size() >= remote_observers_max)
    return needs_.counts.add(metric.drop_unknown_session);
  ObserverState& state = needs_.observers.get(record.session);
  state.coming = record;
  state.spoken = from;
}

// A worker that has migrated the avatar forwards late tallies. A tally that arrives before the
// avatar is ignored: the previous choice stays in force.
void ObserverRecords::on_tally(const TallyRecord& record) {
  if (std::abs(ticks_between(record.counted, needs_.next)) > replication::choice_ticks) return;
  ObserverState* found = needs_.observers.find(record.session);
  if (needs_.players.find(record.session) != nullptr && found != nullptr) {
    add_tally(*found, record);
  } else {
    needs_.forward(record);
  }
}

void ObserverRecords::add_tally(ObserverState& state, const TallyRecord& record) {
  if (before(record.counted, state.tallied)) return;
  if (record.counted != state.tallied) state.tally = {};
  state.tallied = record.counted;
  state.tally.bytes += record.bytes;
  for (std::size_t i = 0; i < record.within.size(); ++i) state.tally.within[i] += record.within[i];
}

void ObserverRecords::tally(ObserverState& state, Tick now) {
  const TallyRecord record =
      to_record(state.observer.session, now, needs_.publisher.take_tally(state.observer));
  state.other_bytes = std::exchange(state.observer.other_bytes_in_period, 0);
  if (needs_.players.find(record.session) != nullptr) return add_tally(state, record);
  const WorkerEntry* owner = state.spoken ? needs_.cluster.map().worker(*state.spoken) : nullptr;
  const bool anything = record.bytes > 0 || record.within.back() > 0;
  if (anything && owner != nullptr && owner->alive) needs_.fabric.add(owner->fabric, record);
}

// Depends only on the record in force everywhere and the sum of all tallies, so the choice is the
// same however entities are distributed over workers.
replication::Choice ObserverRecords::choice_for(ObserverState& own, Tick now) const {
  if (!own.in_force) {
    return {own.observer.stretch, static_cast<float>(needs_.near_m)};
  }
  const replication::Choice before{own.observer.stretch, own.observer.near_radius_m};
  if (own.tallied != now - choice_delay_ticks) return before;
  own.rate.update(now, sent_in_last_second(own));
  const auto limit = own.rate.limit();
  own.observer.narrow_path = limit.has_value();
  replication::ChoiceBounds bounds{needs_.least_stretch, std::nullopt};
  if (limit) {
    needs_.counts.add(metric.seconds_slowed);
    bounds.path_bytes_per_s = std::max(*limit - own.other_bytes, records_least_bytes_per_s);
  }
  return needs_.publisher.choose(before, own.tally, bounds);
}

RateControl::Sent ObserverRecords::sent_in_last_second(ObserverState& own) const {
  Player* player = needs_.players.find(own.observer.session);
  const Micros late_us = player != nullptr ? std::exchange(player->late_us, 0) : 0;
  const auto delivery = own.observer.sent.take_delivery();
  return {.bytes = static_cast<double>(own.tally.bytes + own.other_bytes),
          .held_back = own.observer.stretch > needs_.least_stretch,
          .blocks = delivery.sent,
          .blocks_arrived = delivery.arrived,
          .late_inputs = late_us > PathQueue::standing_us};
}

/// Once per record: a search per worker would visit all regions as often as there are workers.
void ObserverRecords::find_owners_near(const Vec3& position) {
  owners_near_.clear();
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    if (region.owner && is_near(box_of(region), position)) owners_near_.push_back(*region.owner);
  }
  std::sort(owners_near_.begin(), owners_near_.end());
}

bool ObserverRecords::has_outliers_near(WorkerSlot other, const Vec3& position) const {
  const auto outliers = needs_.outliers_of(other);
  return std::any_of(outliers.begin(), outliers.end(),
                     [&](const world::Bounds& box) { return is_near(box, position); });
}

void ObserverRecords::send(Tick now) {
  for (const Player& player : needs_.players) {
    if (player.lost) continue;
    const SessionId session = player.session;
    ObserverState& own = needs_.observers.get(session);
    const bool due = (now.count + session) % record_period_ticks == 0;
    if (!due && own.in_force) continue;
    const auto parent = needs_.world.motion(player.parent, now);
    if (!parent) continue;
    const Motion motion = world::world_motion_of(player.state, *parent);
    const replication::Choice choice = choice_for(own, now);
    const ObserverRecord record{session,
                                now + record_delay_ticks,
                                motion.pose.position,
                                to_float(motion.velocity),
                                interest_radius_m,
                                choice.stretch,
                                choice.near_m};
    if (own.in_force) {
      own.coming = record;
    } else {  // the first one counts at once: the player is waiting
      own.coming.reset();
      own.used = record;
      own.in_force = true;
      see_from_record(own, now);
    }
    find_owners_near(record.position);
    for (const WorkerEntry& other : needs_.cluster.map().workers) {
      if (other.slot == needs_.cluster.self() || !other.alive) continue;
      if (std::binary_search(owners_near_.begin(), owners_near_.end(), other.slot) ||
          has_outliers_near(other.slot, record.position)) {
        needs_.fabric.add(other.fabric, record);
      }
    }
  }
}

void ObserverRecords::see_from_record(ObserverState& state, Tick now) {
  const ObserverRecord& used = state.used;
  const std::int32_t on_ticks = ticks_between(used.effective - record_delay_ticks, now);
  replication::Observer& observer = state.observer;
  observer.velocity = used.velocity;
  observer.position = used.position + to_double(used.velocity) * (on_ticks * seconds_per_tick);
  observer.radius_m = used.radius_m;
  observer.stretch = std::max(1.0F, used.stretch);
  observer.near_radius_m = used.near_m;
}

void ObserverRecords::settle(Tick now) {
  needs_.observers.forget_if([&](SessionId session, ObserverState& state) {
    if (state.coming && not_after(state.coming->effective, now)) {
      if (!state.in_force) state.observer.bytes_in_period = 0;
      state.used = *state.coming;
      state.in_force = true;
      state.coming.reset();
    }
    if (state.in_force) see_from_record(state, now);
    const bool own = needs_.players.find(session) != nullptr;
    const std::int32_t age = ticks_between(state.used.effective, now);
    if (!own && state.in_force && age > record_life_ticks) state.in_force = false;
    return !own && !state.coming && age > observer_memory_ticks;
  });
}

}  // namespace perigee::worker
