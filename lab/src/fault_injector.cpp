#include "perigee/lab/fault_injector.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

constexpr Micros wake_up_us = 50'000;  // until a stalled worker learns that it was declared dead
constexpr Micros retry_us = 100'000;   // of a start while the directory is unreachable

}  // namespace

FaultInjector::FaultInjector(Needs needs)
    : needs_(needs), queue_(needs.queue), processes_(needs.processes) {}

void FaultInjector::kill_worker_within_tick(std::size_t index, std::size_t reported) {
  processes_[index].dies_sending = reported;
}

void FaultInjector::pause_worker(std::size_t index, Micros us) {
  WorkerProcess& process = processes_[index];
  process.stands_still_until_us = queue_.now_us() + us;
  needs_.fabric.on_standstill(index);
  queue_.after(us + wake_up_us, [this, index, incarnation = process.incarnation] {
    needs_.heartbeats.wake_up(index, incarnation);
  });
}

void FaultInjector::restart_worker(std::size_t index, Micros away_us) {
  processes_.end(index);
  queue_.after(away_us, [this, index] {
    // So that the time until now does not count as the directory's own stall.
    needs_.directory.core().advance(queue_.now_us());
    needs_.starter.start(index);
    needs_.heartbeats.all_workers();
    needs_.maps.spread(0);
  });
}

void FaultInjector::restart_gateway(Micros away_us) {
  needs_.gateway.stop();
  queue_.after(away_us, [this] {
    if (!needs_.directory.receives(the_gateway)) return restart_gateway(retry_us);
    needs_.gateway.start();
    needs_.gateway.on_map(needs_.directory.map());
  });
}

void FaultInjector::restart_directory(Micros away_us) {
  needs_.directory.stop();
  queue_.after(away_us, [this] {
    needs_.directory.start_again();
    needs_.maps.spread();
  });
}

void FaultInjector::restart_everything(Micros away_us) {
  needs_.gateway.stop();
  for (std::size_t i = 0; i < processes_.size(); ++i) processes_.end(i);
  queue_.after(away_us, [this] {
    needs_.directory.restart();
    needs_.gateway.start();
    for (std::size_t i = 0; i < processes_.size(); ++i) needs_.starter.start(i);
    needs_.directory.core().advance(queue_.now_us());
    needs_.maps.spread(0);
  });
}

void FaultInjector::kill_for_a_while(const Mishap& mishap) {
  const std::size_t index = mishap.a;
  if (!processes_.runs(index)) return;
  mishap.b < within_tick_max ? kill_worker_within_tick(index, mishap.b) : kill_worker(index);
  queue_.after(mishap.for_us, [this, index] {
    if (processes_[index].dies_sending) kill_worker(index);  // it has had no tick since
    start_when_received(index);
  });
}

void FaultInjector::start_when_received(std::size_t index) {
  if (processes_.runs(index)) return;
  if (!needs_.directory.receives(static_cast<Party>(index))) {
    return queue_.after(retry_us, [this, index] { start_when_received(index); });
  }
  processes_[index].stands_still_until_us = 0;
  needs_.starter.start(index);
  needs_.maps.spread();
}

void FaultInjector::set_clock_ahead(std::size_t index, Micros ahead_us, Micros us) {
  processes_[index].ahead_us += ahead_us;
  queue_.after(us, [this, index, ahead_us] { processes_[index].ahead_us -= ahead_us; });
}

void FaultInjector::cut(Party a, Party b, Micros us) {
  const bool peers = a < processes_.size() && b < processes_.size();
  if (++needs_.net.at(a, b).cuts == 1 && peers) needs_.fabric.on_cut(a, b);
  queue_.after(us, [this, a, b, peers] {
    if (--needs_.net.at(a, b).cuts > 0) return;
    if (peers) needs_.fabric.on_mended(a, b);
    if (a == the_directory) needs_.maps.send(b, 0);
    if (b == the_directory) needs_.maps.send(a, 0);
  });
}

void FaultInjector::slow_down(const Mishap& mishap) {
  Weather& weather = needs_.net.at(mishap.a, mishap.b);
  weather.slow_us += mishap.amount_us;
  weather.lost += mishap.lost;
  queue_.after(mishap.for_us, [&weather, us = mishap.amount_us, part = mishap.lost] {
    weather.slow_us -= us;
    weather.lost = std::max(0.0, weather.lost - part);
  });
}

void FaultInjector::move_region(std::size_t nth, std::size_t to) {
  directory::Core& core = needs_.directory.core();
  const auto& regions = core.map().regions;
  const auto name = core.worker_name(WorkerSlot::at(to));
  const auto region = regions[nth % regions.size()].region;
  if (core.move(queue_.now_us(), region, name)) needs_.maps.spread();
}

void FaultInjector::suffer(const Mishap& mishap) {
  const auto& [kind, at_us, for_us, a, b, amount_us, lost] = mishap;
  switch (kind) {
    case MishapKind::WorkerDies:
      return kill_for_a_while(mishap);
    case MishapKind::WorkerStands:
      if (processes_.runs(a) && !processes_.stands_still(a)) pause_worker(a, for_us);
      return;
    case MishapKind::ClockOff:
      return set_clock_ahead(a, amount_us, for_us);
    case MishapKind::NetCut:
      return cut(a, b, for_us);
    case MishapKind::NetSlow:
      return slow_down(mishap);
    case MishapKind::GatewayDies:
      if (needs_.gateway.runs()) restart_gateway(for_us);
      return;
    case MishapKind::DirectoryDies:
      if (!needs_.directory.away()) restart_directory(for_us);
      return;
    case MishapKind::ClientDark:
      needs_.players.all()[a].dark_until_us = queue_.now_us() + for_us;
      return;
    case MishapKind::StoreFails:
      needs_.store.begin_failure();
      return queue_.after(for_us, [this] { needs_.store.end_failure(); });
    case MishapKind::RegionMoves:
      if (!needs_.directory.away()) move_region(b, a);
      return;
  }
}

}  // namespace perigee::lab
