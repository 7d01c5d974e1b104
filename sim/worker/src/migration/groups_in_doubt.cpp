// Groups that have left and are not acknowledged, or that wait to come back.
#include <algorithm>

#include "migration/migrations.hpp"

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
                         .players = departed_.count_with(root) + needs_.players_in_doubt(root),
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

}  // namespace perigee::worker
