// Players migrated to other workers: records that still arrive for them here, and groups in doubt.
#include <algorithm>

#include "buddies.hpp"
#include "handoffs.hpp"

namespace perigee::worker {

// The group has left and is not acknowledged, or it waits to come back.
bool Core::Handoffs::in_doubt(handoff::GroupId root) const {
  const bool returns = std::any_of(returning_.begin(), returning_.end(),
                                   [&](const Returning& each) { return each.root == root; });
  return returns || std::any_of(logs_.begin(), logs_.end(), [&](const auto& log) {
           return log.second->region.final_of(root) != nullptr;
         });
}

std::size_t Core::Handoffs::in_doubt() const {
  std::size_t out = returning_.size();
  for (const auto& [life, log] : logs_) {
    log->region.for_each_leaving([&](handoff::GroupId, const auto&) { ++out; });
  }
  return out;
}

std::size_t Core::Handoffs::remembered() const {
  std::size_t out = 0;
  for (const auto& [life, log] : logs_) out += log->region.ledger().groups.size();
  return out;
}

bool Core::Handoffs::may_more_leave() const {
  std::size_t bytes = 0;
  for_each_in_doubt([&](std::span<const std::byte> state) { bytes += state.size(); });
  return bytes < core_.settings_.in_doubt_bytes_max;
}

std::uint32_t Core::Handoffs::players_gone_with(handoff::GroupId root) const {
  return static_cast<std::uint32_t>(std::count_if(
      gone_.begin(), gone_.end(), [&](const auto& gone) { return gone.second.with == root; }));
}

std::vector<GroupInDoubt> Core::Handoffs::doubts() const {
  std::vector<GroupInDoubt> out;
  const DoubtReason reason =
      core_.buddies_->may_move() ? DoubtReason::NoAnswer : DoubtReason::BuddyLost;
  for (const auto& [life, log] : logs_) {
    log->region.for_each_leaving([&, from = life, &region = log->region](auto root, auto& group) {
      if (region.owns(root)) return;
      out.push_back({.group = root,
                     .from_life = from,
                     .to_life = group.peer,
                     .asked = worker_of(group.peer),
                     .players = players_gone_with(root) + core_.buddies_->players_in_doubt(root),
                     .for_ticks = std::max(ticks_between(group.effect, core_.next_), 0),
                     .reason = reason});
    });
  }
  for (const Returning& group : returning_) {
    out.push_back({.group = group.root,
                   .from_life = own_.region.id(),
                   .to_life = own_.region.id(),
                   .asked = core_.slot_,
                   .players = group.players,
                   .for_ticks = ticks_between(group.since, core_.next_),
                   .reason = DoubtReason::NoRoom});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.for_ticks > b.for_ticks; });
  return out;
}

auto Core::Handoffs::lives() const -> std::vector<Life> {
  std::vector<Life> out;
  out.reserve(logs_.size());
  for (const auto& [life, log] : logs_) out.push_back(life);
  return out;
}

void Core::Handoffs::for_each_in_doubt(
    const std::function<void(std::span<const std::byte>)>& visit) const {
  for (const auto& [life, log] : logs_) {
    log->region.for_each_final([&](handoff::GroupId, const State& given) { visit(*given); });
  }
  for (const Returning& group : returning_) visit(*group.state);
}

bool Core::Handoffs::on_its_way(std::uint64_t client_id) const {
  return std::any_of(gone_.begin(), gone_.end(),
                     [&](const auto& gone) { return gone.second.client_id == client_id; });
}

bool Core::Handoffs::send_after(const Gone& gone, const auto& record) {
  const WorkerEntry* to = core_.map_.worker(gone.to);
  return to != nullptr && to->alive && to->slot != core_.slot_ &&
         core_.fabric_.add(to->fabric, record);
}

bool Core::Handoffs::pass_on(const InputRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone == gone_.end()) return false;
  send_after(gone->second, record);
  return true;
}

void Core::Handoffs::pass_on(const TallyRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone != gone_.end()) send_after(gone->second, record);
}

void Core::Handoffs::on_detour(SessionId session) {
  const Player* player = core_.players_.find(session);
  if (player == nullptr) return;
  if (!told_of_detours_.try_emplace(session, core_.next_).second) return;
  say_joined(session, player->avatar);
}

bool Core::Handoffs::pass_on(const LeaveRecord& record) {
  const auto gone = gone_.find(record.session);
  if (gone == gone_.end()) return false;
  gone->second.leaves = record;
  return in_doubt(gone->second.with) || send_after(gone->second, record);
}

// Players that ended with their new worker join again, maybe here, unless a successor has them.
void Core::Handoffs::forget_gone_with_their_worker() {
  for (auto& [session, gone] : gone_) {
    if (const Bequest* bequest = core_.map_.bequest(gone.block)) {
      gone.to = bequest->heir;
      gone.life = core_.map_.worker(bequest->heir)->life;
      gone.block = bequest->heir_handle_base;
    }
  }
  std::erase_if(gone_, [&](const auto& gone) {
    const WorkerEntry* to = core_.map_.worker(gone.second.to);
    const bool lives = to != nullptr && to->alive && to->life == gone.second.life;
    return !lives && !in_doubt(gone.second.with);
  });
}

// Repeats the leave record: the gateway may have stopped asking before the new owner can answer.
void Core::Handoffs::look_after_the_gone() {
  const Tick now = core_.next_;
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
