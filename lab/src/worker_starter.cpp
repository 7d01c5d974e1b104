#include "perigee/lab/worker_starter.hpp"

#include <memory>
#include <string>
#include <variant>

#include "perigee/world/schema.hpp"

namespace perigee::lab {

std::size_t WorkerStarter::start_another() {
  const std::size_t index = needs_.processes.add();
  start(index);
  return index;
}

void WorkerStarter::start(std::size_t index) {
  introduce(index);
  needs_.ticks.on_start(index);
  needs_.reports.on_start(index);
  connect(index);
}

void WorkerStarter::introduce(std::size_t index) {
  WorkerProcess& process = needs_.processes[index];
  directory::WorkerIntroduction self;
  self.name = "sim-" + std::to_string(index);
  self.fabric = process.fabric;
  self.grpc = Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + index), 40020);
  self.schema_hash = world::agreed_schema(needs_.game);
  self.instance = ++process.incarnation;
  const auto who = static_cast<Party>(index);
  if (needs_.seals != nullptr) self.run = needs_.seals->begin(who);
  const auto granted = needs_.directory.core().register_worker(needs_.queue.now_us(), self);
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the worker must be admitted");
  const directory::Grant& grant = std::get<directory::Grant>(granted);
  if (needs_.seals != nullptr) needs_.seals->on_registered(who, grant.slot);
  process.slot = WorkerSlot{grant.slot};
  process.handle_base = grant.handle_base;
  process.held = false;
  process.map_version = 0;
  process.knows.clear();
}

void WorkerStarter::connect(std::size_t index) {
  WorkerProcess* process = &needs_.processes[index];
  process->core = std::make_unique<worker::Core>(
      needs_.settings, needs_.game, process->slot,
      [&fabric = needs_.fabric, process](const Address& to, std::span<const std::byte> bytes) {
        // Sent after all other messages of the tick.
        if (process->in_tick && process->dies_sending) return;
        fabric.send(process->fabric, to, bytes, process->in_tick ? process->tick_us : 0);
      });
  needs_.store.connect(index, needs_.directory.core().map());
  worker::WorkerOutputs& outputs = process->core->outputs;
  outputs.on_crash_report = [&send = needs_.on_crash_report](const replay::CrashReport& report) {
    if (send) send(report);
  };
  outputs.report_now = [&reports = needs_.reports, index] { reports.request(index); };
  outputs.to_peer = [&fabric = needs_.fabric, index](WorkerSlot to,
                                                     std::span<const std::byte> bytes) {
    fabric.send_to_peer(index, to, bytes);
  };
}

}  // namespace perigee::lab
