#include "perigee/worker/snapshots/observer_table.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace perigee::worker {

static_assert(TallyRecord::steps == std::tuple_size_v<replication::GridSteps>);

TallyRecord to_record(SessionId session, Tick counted, const replication::Tally& tally) {
  TallyRecord record{session, counted, tally.bytes};
  for (std::size_t i = 0; i < record.within.size(); ++i) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint16_t>::max();
    record.within[i] = static_cast<std::uint16_t>(std::min(tally.within[i], most));
  }
  return record;
}

ObserverState* ObserverTable::find(SessionId session) {
  const auto found = observers_.find(session);
  return found == observers_.end() ? nullptr : found->second.get();
}

const ObserverState* ObserverTable::find(SessionId session) const {
  const auto found = observers_.find(session);
  return found == observers_.end() ? nullptr : found->second.get();
}

ObserverState& ObserverTable::get(SessionId session) {
  auto& state = observers_[session];
  if (!state) {
    state = std::make_unique<ObserverState>();
    state->observer.session = session;
    // Two observers of one session never share an epoch: they are at least observer_memory apart.
    state->observer.stream_epoch = static_cast<std::uint16_t>(needs_.next.count);
  }
  return *state;
}

void ObserverTable::forget(SessionId session) {
  if (const auto found = observers_.find(session); found != observers_.end()) erase(found);
}

ObserverTable::Map::iterator ObserverTable::erase(Map::iterator at) {
  needs_.publisher.forget(at->second->observer);
  return observers_.erase(at);
}

void ObserverTable::broadcast(Handle of, const WorldEvent& event, bool urgent) {
  std::vector<replication::Observer*> everybody;
  for (auto& [session, state] : observers_) everybody.push_back(&state->observer);
  needs_.counts.add(metric.events_deferred,
                    needs_.publisher.broadcast(everybody, of, event, urgent));
}

void ObserverTable::on_map(const ClusterMap& map) {
  std::vector<HandleBase> alive;
  for (const WorkerEntry& worker : map.workers) {
    if (worker.alive) alive.push_back(worker.handle_base);
  }
  const bool all_live = std::all_of(alive_.begin(), alive_.end(), [&](const HandleBase& before) {
    return std::find(alive.begin(), alive.end(), before) != alive.end();
  });
  if (!all_live) {
    for (auto& [session, state] : observers_) {
      needs_.publisher.send_all_again(state->observer);
    }
  }
  alive_ = std::move(alive);
}

bool ObserverTable::send(SessionId session, const WorldEvent& event, bool urgent) {
  const bool sent = get(session).observer.events.push(event, urgent);
  if (!sent) needs_.counts.add(metric.events_deferred);
  return sent;
}

}  // namespace perigee::worker
