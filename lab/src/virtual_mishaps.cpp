// Faults of the virtual cluster: processes that die or stall, and network cuts.
#include <utility>

#include "perigee/lab/peer_links.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros wake_up_us = 50'000;  // until a stalled worker learns that it was declared dead
constexpr Micros retry_us = 100'000;   // of a start while the directory is unreachable

}  // namespace

void VirtualCluster::end_process(std::size_t index) {
  if (const worker::Core* core = workers_[index]->core.get(); core != nullptr) {
    for (VirtualPlayer& player : players_) player.oracle.forget(*core);
  }
  workers_[index]->core.reset();
  workers_[index]->said.clear();
  workers_[index]->dies_sending.reset();
  links_->on_death(static_cast<Party>(index), static_cast<std::uint32_t>(workers_.size()));
}

void VirtualCluster::kill_worker(std::size_t index) { end_process(index); }

void VirtualCluster::kill_worker_within_tick(std::size_t index, std::size_t reported) {
  workers_[index]->dies_sending = reported;
}

void VirtualCluster::pause_worker(std::size_t index, Micros us) {
  Worker& worker = *workers_[index];
  worker.stands_still_until_us = queue_.now_us() + us;
  links_->on_standstill(static_cast<Party>(index), static_cast<std::uint32_t>(workers_.size()));
  queue_.after(us + wake_up_us,
               [this, index, incarnation = worker.incarnation] { wake_up(index, incarnation); });
}

void VirtualCluster::restart_worker(std::size_t index, Micros away_us) {
  end_process(index);
  queue_.after(away_us, [this, index] {
    // So that the time until now does not count as the directory's own stall.
    directory_->advance(queue_.now_us());
    start_worker(index);
    receive_workers();
    spread_map(0);
  });
}

void VirtualCluster::restart_gateway(Micros away_us) {
  gateway_.reset();
  queue_.after(away_us, [this] {
    if (!receives(the_gateway)) return restart_gateway(retry_us);
    start_gateway();
    gateway_->on_map(queue_.now_us(), map());
  });
}

void VirtualCluster::restart_directory(Micros away_us) {
  directory_away_ = true;
  queue_.after(away_us, [this] {
    directory_away_ = false;
    directory_ = std::make_unique<directory::Core>(directory_settings(), directory_->saved(),
                                                   queue_.now_us());
    spread_map(options_.map_late_us_max);
  });
}

void VirtualCluster::restart_everything(Micros away_us) {
  gateway_.reset();
  for (std::size_t i = 0; i < workers_.size(); ++i) end_process(i);
  queue_.after(away_us, [this] {
    directory_ = std::make_unique<directory::Core>(directory_settings(), directory_->saved(),
                                                   queue_.now_us());
    start_gateway();
    for (std::size_t i = 0; i < workers_.size(); ++i) start_worker(i);
    directory_->advance(queue_.now_us());
    spread_map(0);
  });
}

void VirtualCluster::start_when_received(std::size_t index) {
  if (workers_[index]->core) return;
  if (!receives(static_cast<Party>(index))) {
    return queue_.after(retry_us, [this, index] { start_when_received(index); });
  }
  workers_[index]->stands_still_until_us = 0;
  start_worker(index);
  spread_map(options_.map_late_us_max);
}

void VirtualCluster::cut(Party a, Party b, Micros us) {
  const bool peers = a < workers_.size() && b < workers_.size();
  if (++net_->at(a, b).cuts == 1 && peers) links_->on_cut(a, b);
  queue_.after(us, [this, a, b, peers] {
    if (--net_->at(a, b).cuts > 0) return;
    if (peers) links_->on_mended(a, b);
    if (a == the_directory) tell_map(b, 0);
    if (b == the_directory) tell_map(a, 0);
  });
}

void VirtualCluster::move_region(std::size_t nth, std::size_t to) {
  const auto& regions = directory_->map().regions;
  const auto name = directory_->worker_name(WorkerSlot::at(to));
  const auto region = regions[nth % regions.size()].region;
  if (directory_->move(queue_.now_us(), region, name)) spread_map(options_.map_late_us_max);
}

void VirtualCluster::suffer(const Mishap& mishap) {
  const auto& [kind, at_us, for_us, a, b, amount_us, lost] = mishap;
  const auto afterwards = [&](auto undo) { queue_.after(mishap.for_us, undo); };
  switch (kind) {
    case MishapKind::WorkerDies:
      if (!runs(a)) return;
      b < within_tick_max ? kill_worker_within_tick(a, b) : kill_worker(a);
      return afterwards([this, who = a] {
        if (workers_[who]->dies_sending) kill_worker(who);  // it has had no tick since
        start_when_received(who);
      });
    case MishapKind::WorkerStands:
      if (runs(a) && !stands_still(*workers_[a])) pause_worker(a, for_us);
      return;
    case MishapKind::ClockOff:
      workers_[a]->ahead_us += amount_us;
      return afterwards([this, who = a, us = amount_us] { workers_[who]->ahead_us -= us; });
    case MishapKind::NetCut:
      return cut(a, b, for_us);
    case MishapKind::NetSlow: {
      Weather& weather = net_->at(a, b);
      weather.slow_us += amount_us;
      weather.lost += lost;
      return afterwards([&weather, us = amount_us, part = lost] {
        weather.slow_us -= us;
        weather.lost = std::max(0.0, weather.lost - part);
      });
    }
    case MishapKind::GatewayDies:
      if (gateway_) restart_gateway(for_us);
      return;
    case MishapKind::DirectoryDies:
      if (!directory_away_) restart_directory(for_us);
      return;
    case MishapKind::ClientDark:
      players_[a].dark_until_us = queue_.now_us() + for_us;
      return;
    case MishapKind::StoreFails:
      ++store_failures_;
      return afterwards([this] { --store_failures_; });
    case MishapKind::RegionMoves:
      if (!directory_away_) move_region(b, a);
      return;
  }
}

}  // namespace perigee::lab
