// Measurements of a virtual cluster so far.
#include <algorithm>

#include "perigee/base/hash.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

void VirtualCluster::restart_figures() {
  for (VirtualPlayer& player : players_) {
    player.oracle.restart();
    player.flow.restart(queue_.now_us());
    player.client->restart_totals();
  }
  rollback_ticks_before_ = rollback_ticks();
  stages_ = {};
  worst_flight_.reset();
  worst_m_ = 0;
}

std::uint64_t VirtualCluster::rollback_ticks() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) {
    if (worker->core) sum += worker->core->counts()[worker::metric.rollback_ticks];
  }
  return sum;
}

PlayerFigures VirtualCluster::figures() const {
  PlayerFigures all;
  for (const VirtualPlayer& player : players_) {
    all += player.oracle.figures();
    all.unapplied_us_max = std::max(all.unapplied_us_max, player.flow.longest_us(queue_.now_us()));
    const auto& by_cause = player.client->telemetry().totals().by_cause;
    for (std::size_t i = 0; i < by_cause.size(); ++i) all.reported_causes[i] += by_cause[i];
  }
  return all;
}

std::uint32_t VirtualCluster::playing() const {
  std::uint32_t count = 0;
  for (const VirtualPlayer& player : players_) {
    if (player.client->connected() && player.client->playing()) ++count;
  }
  return count;
}

std::uint64_t VirtualCluster::hash() const {
  StateHash hash;
  for (const auto& worker : workers_) {
    if (worker->core) hash.add(worker->core->hash());
  }
  for (const VirtualPlayer& player : players_) {
    const ActorState& s = player.client->prediction().state();
    hash.add(s.position.x).add(s.position.y).add(s.position.z);
    hash.add(player.client->time().view_ticks()).add(player.client->lead().offset_ticks());
    hash.add(player.client->telemetry().totals().packets);
  }
  return hash.value();
}

}  // namespace perigee::lab
