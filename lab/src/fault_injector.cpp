#include "perigee/lab/fault_injector.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

constexpr Micros wake_up_us = 50'000;  // until a stalled worker learns that it was declared dead
constexpr Micros retry_us = 100'000;   // of a start while the directory is unreachable

}  // namespace

FaultInjector::FaultInjector(Needs needs) : needs_(needs) {}

void FaultInjector::kill_worker_within_tick(std::size_t index, std::size_t reported) {
  needs_.processes[index].dies_sending = reported;
}

void FaultInjector::pause_worker(std::size_t index, Micros us) {
  WorkerProcess& process = needs_.processes[index];
  process.stands_still_until_us = needs_.queue.now_us() + us;
  needs_.fabric.on_standstill(index);
  needs_.queue.after(us + wake_up_us, [this, index, incarnation = process.incarnation] {
    needs_.heartbeats.wake_up(index, incarnation);
  });
}

void FaultInjector::restart_worker(std::size_t index, Micros away_us) {
  needs_.processes.end(index);
  needs_.queue.after(away_us, [this, index] {
    // Called so that the time until now does not count as the directory's own stall.
    needs_.directory.core().advance(needs_.queue.now_us());
    needs_.starter.start(index);
    needs_.heartbeats.all_workers();
    needs_.maps.spread(0);
  });
}

void FaultInjector::restart_gateway(Micros away_us) {
  needs_.gateway.stop();
  needs_.queue.after(away_us, [this] {
    if (!needs_.directory.receives(the_gateway)) return restart_gateway(retry_us);
    const std::uint64_t version = needs_.directory.core().map().version;
    needs_.gateway.start();
    needs_.maps.send(the_gateway, 0);
    if (needs_.directory.core().map().version != version) needs_.maps.spread();
  });
}

void FaultInjector::restart_directory(Micros away_us) {
  needs_.directory.stop();
  needs_.queue.after(away_us, [this] {
    needs_.directory.start_again();
    needs_.maps.spread();
  });
}

void FaultInjector::restart_everything(Micros away_us) {
  needs_.gateway.stop();
  for (std::size_t i = 0; i < needs_.processes.size(); ++i) needs_.processes.end(i);
  needs_.queue.after(away_us, [this] {
    needs_.directory.restart();
    needs_.gateway.start();
    for (std::size_t i = 0; i < needs_.processes.size(); ++i) needs_.starter.start(i);
    needs_.directory.core().advance(needs_.queue.now_us());
    needs_.maps.spread(0);
  });
}

void FaultInjector::kill_for_a_while(const Mishap& mishap) {
  const std::size_t index = mishap.a;
  if (!needs_.processes.runs(index)) return;
  mishap.b < within_tick_max ? kill_worker_within_tick(index, mishap.b) : kill_worker(index);
  needs_.queue.after(mishap.for_us, [this, index] {
    if (needs_.processes[index].dies_sending) kill_worker(index);  // it has had no tick since
    start_when_received(index);
  });
}

void FaultInjector::start_when_received(std::size_t index) {
  if (needs_.processes.runs(index)) return;
  if (!needs_.directory.receives(static_cast<Party>(index))) {
    return needs_.queue.after(retry_us, [this, index] { start_when_received(index); });
  }
  needs_.processes[index].stands_still_until_us = 0;
  needs_.processes[index].leaving = false;
  needs_.starter.start(index);
  needs_.maps.spread();
}

void FaultInjector::drain(std::size_t index, Micros away_us) {
  WorkerProcess& process = needs_.processes[index];
  if (!needs_.processes.runs(index) || process.leaving) return;
  process.leaving = true;
  start_once_ended(index, away_us);
}

void FaultInjector::start_once_ended(std::size_t index, Micros away_us) {
  if (needs_.processes.runs(index)) {
    if (!needs_.processes[index].leaving) return;  // it died meanwhile, and was started again
    return needs_.queue.after(retry_us, [=, this] { start_once_ended(index, away_us); });
  }
  needs_.queue.after(away_us, [this, index] { start_when_received(index); });
}

void FaultInjector::set_clock_ahead(std::size_t index, Micros ahead_us, Micros us) {
  needs_.processes[index].ahead_us += ahead_us;
  needs_.queue.after(us, [this, index, ahead_us] { needs_.processes[index].ahead_us -= ahead_us; });
}

void FaultInjector::cut(Party a, Party b, Micros us) {
  const bool peers = a < needs_.processes.size() && b < needs_.processes.size();
  if (++needs_.net.at(a, b).cuts == 1 && peers) needs_.fabric.on_cut(a, b);
  needs_.queue.after(us, [this, a, b, peers] {
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
  needs_.queue.after(mishap.for_us, [&weather, us = mishap.amount_us, part = mishap.lost] {
    weather.slow_us -= us;
    weather.lost = std::max(0.0, weather.lost - part);
  });
}

void FaultInjector::move_region(std::size_t nth, std::size_t to) {
  directory::Core& core = needs_.directory.core();
  const auto& regions = core.map().regions;
  const auto name = core.worker_name(WorkerSlot::at(to));
  const auto region = regions[nth % regions.size()].region;
  if (core.move(needs_.queue.now_us(), region, name)) needs_.maps.spread();
}

void FaultInjector::suffer(const Mishap& mishap) {
  const auto& [kind, at_us, for_us, a, b, amount_us, lost] = mishap;
  switch (kind) {
    case MishapKind::WorkerDies:
      return kill_for_a_while(mishap);
    case MishapKind::WorkerStands:
      if (needs_.processes.runs(a) && !needs_.processes.stands_still(a)) pause_worker(a, for_us);
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
      needs_.players.all()[a].dark_until_us = needs_.queue.now_us() + for_us;
      return;
    case MishapKind::StoreFails:
      needs_.store.begin_failure();
      return needs_.queue.after(for_us, [this] { needs_.store.end_failure(); });
    case MishapKind::RegionMoves:
      if (!needs_.directory.away()) move_region(b, a);
      return;
    case MishapKind::WorkerDrains:
      return drain(a, for_us);
  }
}

}  // namespace perigee::lab
