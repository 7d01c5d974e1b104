#include "perigee/lab/cluster_figures.hpp"

#include <algorithm>

#include "perigee/base/hash.hpp"

namespace perigee::lab {

void ClusterFigures::restart() {
  for (VirtualPlayer& player : needs_.players.all()) {
    player.oracle.restart();
    player.flow.restart(needs_.queue.now_us());
    player.client->restart_totals();
  }
  rollback_ticks_before_ = rollback_ticks();
  needs_.stages = {};
  needs_.flights.forget();
}

std::uint64_t ClusterFigures::rollback_ticks() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < needs_.processes.size(); ++i) {
    if (!needs_.processes.runs(i)) continue;
    sum += needs_.processes[i].core->counts()[worker::metric.rollback_ticks];
  }
  return sum;
}

PlayerFigures ClusterFigures::sum() const {
  PlayerFigures all;
  for (const VirtualPlayer& player : needs_.players.all()) {
    all += player.oracle.figures();
    all.unapplied_us_max =
        std::max(all.unapplied_us_max, player.flow.longest_us(needs_.queue.now_us()));
    all.minutes_interrupted += static_cast<double>(player.flow.interrupted_us()) / 60e6;
    const auto& by_cause = player.client->telemetry().totals().by_cause;
    for (std::size_t i = 0; i < by_cause.size(); ++i) all.reported_causes[i] += by_cause[i];
  }
  return all;
}

std::uint32_t ClusterFigures::playing() const {
  std::uint32_t count = 0;
  for (const VirtualPlayer& player : needs_.players.all()) {
    if (player.client->connected() && player.client->playing()) ++count;
  }
  for (const ThinPlayer& player : needs_.thin_players.all()) {
    if (player.client->connected() && player.client->playing()) ++count;
  }
  return count;
}

std::uint64_t ClusterFigures::hash() const {
  StateHash hash;
  for (std::size_t i = 0; i < needs_.processes.size(); ++i) {
    if (needs_.processes.runs(i)) hash.add(needs_.processes[i].core->hash());
  }
  for (const VirtualPlayer& player : needs_.players.all()) {
    const ActorState& s = player.client->prediction().state();
    hash.add(s.position.x).add(s.position.y).add(s.position.z);
    hash.add(player.client->time().view_ticks()).add(player.client->lead().offset_ticks());
    hash.add(player.client->telemetry().totals().packets);
  }
  for (const ThinPlayer& player : needs_.thin_players.all()) {
    const Vec3& at = player.client->avatar().state().position;
    hash.add(at.x).add(at.y).add(at.z).add(player.client->avatar().next().count);
    hash.add(player.client->telemetry().totals().packets);
  }
  return hash.value();
}

}  // namespace perigee::lab
