// Players migrated to other workers: records that still arrive for them here, and groups in doubt.
#include <algorithm>

#include "migrations.hpp"

namespace perigee::worker {

// The group has left and is not acknowledged, or it waits to come back.
bool Migrations::in_doubt(migration::GroupId root) const {
  const bool returns = std::any_of(returning_.begin(), returning_.end(),
                                   [&](const Returning& each) { return each.root == root; });
  return returns || std::any_of(logs_.begin(), logs_.end(), [&](const auto& log) {
           return log.second->region.final_of(root) != nullptr;
         });
}

std::size_t Migrations::in_doubt() const {
  std::size_t out = returning_.size();
  for (const auto& [incarnation, log] : logs_) {
    log->region.for_each_leaving([&](migration::GroupId, const auto&) { ++out; });
  }
  return out;
}

std::size_t Migrations::remembered() const {
  std::size_t out = 0;
  for (const auto& [incarnation, log] : logs_) out += log->region.ledger().groups.size();
  return out;
}

bool Migrations::may_more_leave() const {
  std::size_t bytes = 0;
  for_each_in_doubt([&](std::span<const std::byte> state) { bytes += state.size(); });
  return bytes < needs_.settings.in_doubt_bytes_max;
}

std::uint32_t Migrations::players_gone_with(migration::GroupId root) const {
  return static_cast<std::uint32_t>(std::count_if(
      gone_.begin(), gone_.end(), [&](const auto& gone) { return gone.second.with == root; }));
}

std::vector<GroupInDoubt> Migrations::doubts() const {
  std::vector<GroupInDoubt> out;
  const DoubtReason reason =
      needs_.replication.may_move() ? DoubtReason::NoAnswer : DoubtReason::StandbyLost;
  for (const auto& [incarnation, log] : logs_) {
    log->region.for_each_leaving(
        [&, from = incarnation, &region = log->region](auto root, auto& group) {
          if (region.owns(root)) return;
          out.push_back({.group = root,
                         .from = from,
                         .to = group.peer,
                         .asked = worker_of(group.peer),
                         .players = players_gone_with(root) + needs_.players_in_doubt(root),
                         .for_ticks = std::max(ticks_between(group.effect, needs_.next), 0),
                         .reason = reason});
        });
  }
  for (const Returning& group : returning_) {
    out.push_back({.group = group.root,
                   .from = needs_.self,
                   .to = needs_.self,
                   .asked = needs_.cluster.self(),
                   .players = group.players,
                   .for_ticks = ticks_between(group.since, needs_.next),
                   .reason = DoubtReason::NoRoom});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.for_ticks > b.for_ticks; });
  return out;
}

std::vector<HandleBlock> Migrations::incarnations() const {
  std::vector<HandleBlock> out;
  out.reserve(logs_.size());
  for (const auto& [incarnation, log] : logs_) out.push_back(incarnation);
  return out;
}

void Migrations::for_each_in_doubt(
    const std::function<void(std::span<const std::byte>)>& visit) const {
  for (const auto& [incarnation, log] : logs_) {
    log->region.for_each_final([&](migration::GroupId, const State& given) { visit(*given); });
  }
  for (const Returning& group : returning_) visit(*group.state);
}

bool Migrations::on_its_way(std::uint64_t client_id) const {
  return std::any_of(gone_.begin(), gone_.end(),
                     [&](const auto& gone) { return gone.second.client_id == client_id; });
}

bool Migrations::send_after(const Gone& gone, const auto& record) {
  const WorkerEntry* to = needs_.cluster.map().worker(gone.to);
  return to != nullptr && to->alive && to->slot != needs_.cluster.self() &&
         needs_.fabric.add(to->fabric, record);
}

bool Migrations::pass_on(const InputRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone == gone_.end()) return false;
  send_after(gone->second, record);
  return true;
}

void Migrations::pass_on(const TallyRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone != gone_.end()) send_after(gone->second, record);
}

void Migrations::on_detour(SessionId session) {
  const Player* player = needs_.players.find(session);
  if (player == nullptr) return;
  if (!sent_detours_.try_emplace(session, needs_.next).second) return;
  say_joined(session, player->avatar);
}

bool Migrations::pass_on(const LeaveRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone == gone_.end()) return false;
  gone->second.leaves = record;
  return in_doubt(gone->second.with) || send_after(gone->second, record);
}

// Players that ended with their new worker join again, maybe here, unless a successor has them.
void Migrations::forget_gone_with_their_worker() {
  for (auto& [session, gone] : gone_) {
    if (const FailoverRecord* failover_record =
            needs_.cluster.map().failover_record(gone.handle_base)) {
      gone.to = failover_record->successor;
      gone.incarnation = needs_.cluster.map().worker(failover_record->successor)->incarnation;
      gone.handle_base = failover_record->successor_handle_base;
    }
  }
  std::erase_if(gone_, [&](const auto& gone) {
    const WorkerEntry* to = needs_.cluster.map().worker(gone.second.to);
    const bool lives = to != nullptr && to->alive && to->incarnation == gone.second.incarnation;
    return !lives && !in_doubt(gone.second.with);
  });
}

// Repeats the leave record: the gateway may have stopped asking before the new owner can answer.
void Migrations::look_after_the_gone() {
  const Tick now = needs_.next;
  for (auto& [session, gone] : gone_) {
    if (in_doubt(gone.with)) {
      gone.at = now;
    } else if (gone.leaves && now.count % say_again_ticks == 0) {
      send_after(gone, *gone.leaves);
    }
  }
  std::erase_if(
      gone_, [&](const auto& gone) { return ticks_between(gone.second.at, now) > pass_on_ticks; });
}

}  // namespace perigee::worker
