#include <algorithm>

#include "ghosts.hpp"
#include "observer_state.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {
namespace {

constexpr std::int32_t record_period_ticks = 12;     // 5 Hz
constexpr std::int32_t record_delay_ticks = 6;       // everybody has it by then
constexpr std::int32_t record_life_ticks = 60;       // 1 s
constexpr std::int32_t observer_memory_ticks = 300;  // then the stream starts anew
constexpr float interest_radius_m = 3000;
constexpr double pad_m = 200;  // what both sides can cover until the next record takes effect
constexpr std::size_t remote_observers_max = 4096;

world::Bounds box_of(const RegionEntry& region) { return {region.low, region.high}; }

}  // namespace

Core::ObserverState& Core::observer(SessionId session) {
  auto& state = observers_[session];
  if (!state) {
    state = std::make_unique<ObserverState>();
    state->observer.session = session;
    // Two lives of one observer never share an epoch: they are at least observer_memory apart.
    state->observer.stream_epoch = static_cast<std::uint16_t>(next_.count);
  }
  return *state;
}

void Core::on_observer(const ObserverRecord& record) {
  if (!ready() || map_.gateway(session_gateway(record.session)) == nullptr) return;
  const bool known = observers_.contains(record.session);
  if (!known && observers_.size() >= remote_observers_max) return drop(Count::DropUnknownSession);
  observer(record.session).coming = record;
}

// The owner uses the very record that it sends to the others, so that whoever owns an entity, the
// same clients hear of it at the same ticks.
void Core::send_observer_records(Tick now) {
  for (auto& [session, player] : players_) {
    if (player->lost) continue;
    ObserverState& own = observer(session);
    const bool due = (now.count + session) % record_period_ticks == 0;
    if (!due && own.in_force) continue;
    const auto parent = world_->motion(player->parent, now);
    if (!parent) continue;
    if ((now.count / record_period_ticks) % 5 == 0)
      publisher_.choose_stretch(own.observer, least_stretch_);
    const Motion motion = world::world_motion_of(player->state, *parent);
    const ObserverRecord record{session,
                                now + record_delay_ticks,
                                motion.pose.position,
                                to_float(motion.velocity),
                                interest_radius_m,
                                own.observer.stretch};
    if (own.in_force) {
      own.coming = record;
    } else {  // the first one counts at once: the player is waiting
      own.coming.reset();
      own.effective = now;
      own.in_force = true;
      own.observer.position = record.position;
      own.observer.velocity = record.velocity;
    }
    for (const WorkerEntry& other : map_.workers) {
      if (other.slot == slot_ || !other.alive) continue;
      const bool touches =
          std::any_of(map_.regions.begin(), map_.regions.end(), [&](const RegionEntry& region) {
            return region.owner == other.slot &&
                   replication::distance_to(box_of(region), record.position) <=
                       interest_radius_m + pad_m;
          });
      const auto strays = ghosts_->strays_of(other.slot);
      const bool near_strays =
          std::any_of(strays.begin(), strays.end(), [&](const world::Bounds& box) {
            return replication::distance_to(box, record.position) <= interest_radius_m + pad_m;
          });
      if (touches || near_strays) fabric_.add(other.fabric, record);
    }
  }
}

void Core::settle_observers(Tick now) {
  for (auto it = observers_.begin(); it != observers_.end();) {
    ObserverState& state = *it->second;
    if (state.coming && not_after(state.coming->effective, now)) {
      state.effective = state.coming->effective;
      state.in_force = true;
      state.observer.position = state.coming->position;
      state.observer.velocity = state.coming->velocity;
      state.observer.radius_m = state.coming->radius_m;
      state.observer.stretch = std::max(1.0F, state.coming->stretch);
      state.coming.reset();
    }
    const bool own = players_.contains(it->first);
    const std::int32_t age = ticks_between(state.effective, now);
    if (!own && state.in_force && age > record_life_ticks) state.in_force = false;
    const bool forget = !own && !state.coming && age > observer_memory_ticks;
    it = forget ? forget_observer(it) : std::next(it);
  }
}

Core::Observers::iterator Core::forget_observer(Observers::iterator at) {
  if (at == observers_.end()) return at;
  publisher_.forget(at->second->observer);
  return observers_.erase(at);
}

}  // namespace perigee::worker
