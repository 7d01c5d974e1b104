/// The lower components of a virtual cluster, for tests of one component above them.
#pragma once

#include <span>
#include <vector>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/fabric.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/thin_players.hpp"
#include "perigee/lab/virtual_net.hpp"
#include "perigee/lab/virtual_players.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::lab {

inline constexpr Micros second_us = 1'000'000;

inline directory::CoreSettings settings_for(std::uint32_t workers) {
  directory::CoreSettings settings;
  settings.workers = settings.regions = workers;
  settings.balance = settings.standbys = false;
  return settings;
}

/// Workers of a small game, registered, that have received no map.
struct LabParts {
  explicit LabParts(std::uint32_t workers = 2) : directory({queue, net, settings_for(workers), 1}) {
    for (std::uint32_t i = 0; i < workers; ++i) start(processes.add());
    directory.core().advance(queue.now_us());
  }
  /// Registers a new incarnation and starts its process.
  void start(std::size_t index) {
    WorkerProcess& process = processes[index];
    directory::WorkerIntroduction self;
    self.name = "sim-" + std::to_string(index);
    self.fabric = process.fabric;
    self.grpc = Address::v4(10, 0, 1, static_cast<std::uint8_t>(index), 40020);
    self.schema_hash = game.schema_hash();
    self.instance = ++process.incarnation;
    const auto granted = directory.core().register_worker(queue.now_us(), self);
    const directory::Grant& grant = std::get<directory::Grant>(granted);
    process.slot = WorkerSlot{grant.slot};
    process.handle_base = grant.handle_base;
    process.core = std::make_unique<worker::Core>(
        settings, game, process.slot, [](const Address&, std::span<const std::byte>) {});
  }
  void run_for(Micros us) { queue.run_until(queue.now_us() + us); }
  std::uint64_t count(std::size_t worker, worker::Count which) const {
    return processes[worker].core->counts()[which];
  }
  perigee::test::Yard game;
  worker::Settings settings;
  EventQueue queue;
  RandomStream random{7};
  Net net;
  DirectoryHost directory;
  WorkerProcesses processes{queue};
};

struct IdlePlayer final : client::InputSampler {
  PlayerInput sample(Tick) override { return {}; }
};

/// The same parts, with a gateway and two players that have not begun. There are no thin players
/// unless a test sets their number.
struct PlayerParts : LabParts {
  PlayerParts() {
    options.players = 2;
    options.link = *find_link_profile("P1");
    gateway.start();
    directory.core().advance(queue.now_us());
    gateway.on_map(directory.map());
    gateway.turn();
  }
  void start_players() {
    players.start(
        [](const client::Client&, std::uint64_t) { return std::make_unique<IdlePlayer>(); });
  }
  std::size_t connected() const { return gateway.core().client_addresses().size(); }

  ClusterOptions options;
  const transport::Key key = [] {
    PERIGEE_ASSERT(transport::init_crypto().ok(), "libsodium must start");
    return transport::Key{};
  }();
  ServerStages stages;
  std::function<void(VirtualPlayer&)> after_frame;
  std::function<void(const VirtualPlayer&, LinkSimulator::Fate&)> on_way_up;
  std::function<std::optional<Micros>()> on_way_to_peer;
  SessionHost sessions{{queue, random, key}};
  Fabric fabric{{queue, random, net, processes, directory,
                 [this](const Address& from, const Bytes& data) { gateway.on_fabric(from, data); },
                 on_way_to_peer}};
  GatewayHost gateway{{queue, random, directory, sessions, key, stages, 4,
                       [this](const Address& to, std::span<const std::byte> bytes) {
                         players.send_down(to, bytes);
                         thin_players.send_down(to, bytes);
                       },
                       [this](const Address& to, std::span<const std::byte> bytes) {
                         fabric.send(gateway_fabric, to, bytes, 0);
                       }}};
  FlightKeeper flights{queue, processes};
  PlayerMachines machines{{queue, options, directory, sessions, gateway}};
  VirtualPlayers players{{queue, options, game, machines, flights, after_frame, on_way_up}};
  ThinPlayers thin_players{{queue, options, game, machines}};
};

}  // namespace perigee::lab
