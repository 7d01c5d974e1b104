#include "perigee/worker/migration/departed_players.hpp"

#include <algorithm>

namespace perigee::worker {

void DepartedPlayers::add(SessionId session, std::uint64_t client_id, const WorkerEntry& to,
                          Handle with) {
  players_[session] = {.to = to.slot,
                       .incarnation = to.incarnation,
                       .handle_base = to.handle_base,
                       .client_id = client_id,
                       .with = with,
                       .at = needs_.next,
                       .leaves = {}};
}

std::optional<LeaveRecord> DepartedPlayers::take_back(SessionId session) {
  const auto back = players_.extract(session);
  return back ? back.mapped().leaves : std::nullopt;
}

std::uint32_t DepartedPlayers::count_with(Handle root) const {
  return static_cast<std::uint32_t>(
      std::count_if(players_.begin(), players_.end(),
                    [&](const auto& each) { return each.second.with == root; }));
}

bool DepartedPlayers::contains_client(std::uint64_t client_id) const {
  return std::any_of(players_.begin(), players_.end(),
                     [&](const auto& departed) { return departed.second.client_id == client_id; });
}

bool DepartedPlayers::send(const Departed& departed, const auto& record) const {
  const WorkerEntry* to = needs_.cluster.map().worker(departed.to);
  return to != nullptr && to->alive && to->slot != needs_.cluster.self() &&
         needs_.fabric.add(to->fabric, record);
}

bool DepartedPlayers::pass_on(const InputRecord& record) const {
  const auto departed = players_.find(record.session);
  if (departed == players_.end()) return false;
  send(departed->second, record);
  return true;
}

void DepartedPlayers::pass_on(const TallyRecord& record) const {
  const auto departed = players_.find(record.session);
  if (departed != players_.end()) send(departed->second, record);
}

bool DepartedPlayers::pass_on(const LeaveRecord& record) {
  const auto departed = players_.find(record.session);
  if (departed == players_.end()) return false;
  departed->second.leaves = record;
  return needs_.in_doubt(departed->second.with) || send(departed->second, record);
}

void DepartedPlayers::on_map() {
  for (auto& [session, departed] : players_) {
    if (const FailoverRecord* failover_record =
            needs_.cluster.map().failover_record(departed.handle_base)) {
      departed.to = failover_record->successor;
      departed.incarnation = needs_.cluster.map().worker(failover_record->successor)->incarnation;
      departed.handle_base = failover_record->successor_handle_base;
    }
  }
  std::erase_if(players_, [&](const auto& departed) {
    const WorkerEntry* to = needs_.cluster.map().worker(departed.second.to);
    const bool alive = to != nullptr && to->alive && to->incarnation == departed.second.incarnation;
    return !alive && !needs_.in_doubt(departed.second.with);
  });
}

void DepartedPlayers::after_tick() {
  const Tick now = needs_.next;
  for (auto& [session, departed] : players_) {
    if (needs_.in_doubt(departed.with)) {
      departed.at = now;
    } else if (departed.leaves && now.count % resend_ticks == 0) {
      send(departed, *departed.leaves);
    }
  }
  std::erase_if(players_, [&](const auto& departed) {
    return ticks_between(departed.second.at, now) > kept_ticks;
  });
}

}  // namespace perigee::worker
