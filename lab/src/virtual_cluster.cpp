#include "perigee/lab/virtual_cluster.hpp"

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

constexpr Micros start_us = 10'000'000;

/// No part of the cluster uses a table of types that a worker's process would refuse.
ClusterOptions with_recorders(ClusterOptions options, const world::GameModule& game) {
  world::assert_usable(game.types());
  if (options.records) {
    options.worker.recorder.emplace();
    options.client.recorder.emplace();
  }
  return options;
}

EventQueue started_queue() {
  EventQueue queue;
  queue.run_until(start_us);
  return queue;
}

transport::Key draw_key(RandomStream& random) {
  const auto crypto = transport::init_crypto();
  PERIGEE_ASSERT(crypto.ok(), "libsodium must start");
  transport::Key key{};
  random.fill(key);
  return key;
}

directory::CoreSettings directory_settings(const ClusterOptions& options) {
  directory::CoreSettings settings;
  settings.world_low = options.world_low;
  settings.world_high = options.world_high;
  settings.workers = options.workers;
  settings.regions = options.regions > 0 ? options.regions : options.workers;
  settings.balance = options.balances;
  settings.standbys = options.standbys;
  settings.balancing.idle_ms = 0.05;  // the load is small here
  settings.fabric = {FabricSealing::Encrypt, options.fabric_key_us.value_or(0)};
  return settings;
}

/// Null: the fabric is plain.
std::unique_ptr<FabricSeals> seals_for(const ClusterOptions& options, const EventQueue& queue,
                                       DirectoryHost& directory) {
  if (!options.fabric_key_us) return nullptr;
  return std::make_unique<FabricSeals>(FabricSeals::Needs{queue, directory, options.seed});
}

}  // namespace

VirtualCluster::VirtualCluster(const ClusterOptions& options, const world::GameModule& game,
                               const Pilot& pilot)
    : options_(with_recorders(options, game)),
      queue_(started_queue()),
      random_(mix64(options.seed, std::uint64_t{0xc1})),
      key_(draw_key(random_)),
      directory_({queue_, net_, directory_settings(options), options.seed}),
      seals_(seals_for(options, queue_, directory_)),
      sessions_({queue_, random_, key_, options.players + options.thin_players}),
      processes_(queue_),
      store_({queue_, processes_, game, options.world_store_us, after_stored}),
      fabric_({queue_, random_, net_, processes_, directory_,
               [this](const Address& from, const Bytes& data) {
                 if (on_way_to_gateway && gateway_.runs() && !on_way_to_gateway(data)) return;
                 gateway_.on_fabric(from, data);
               },
               on_way_to_peer, seals_.get()}),
      gateway_({queue_, random_, directory_, sessions_, key_, stages_,
                options.players + options.thin_players,
                [this](const Address& to, std::span<const std::byte> bytes) {
                  players_.send_down(to, bytes);
                  thin_players_.send_down(to, bytes);
                },
                [this](const Address& to, std::span<const std::byte> bytes) {
                  fabric_.send(gateway_fabric, to, bytes, 0);
                },
                seals_.get()}),
      flights_(queue_, processes_),
      machines_({queue_, options_, directory_, sessions_, gateway_}),
      players_({queue_, options_, game, machines_, flights_, after_frame, on_way_up}),
      thin_players_({queue_, options_, game, machines_}),
      ticks_({queue_, options_, directory_, processes_, fabric_, stages_, before_tick,
              [this](worker::Core& core) {
                players_.after_tick(core);
                for (const world::GameFault& fault : core.take_game_faults()) {
                  if (on_game_fault) on_game_fault(fault);
                }
              }}),
      maps_({queue_, random_, directory_, processes_, store_, options.map_late_us_max,
             [this](const ClusterMap& map) { gateway_.on_map(map); },
             [this](std::size_t index) { ticks_.begin(index); }, seals_.get()}),
      reports_({queue_, net_, directory_, processes_, [this] { maps_.spread(); }}),
      starter_({queue_, options_.worker, game, directory_, processes_, store_, fabric_, ticks_,
                reports_, on_crash_report, seals_.get()}),
      heartbeats_({queue_, directory_, processes_, ticks_, store_.exists(),
                   [this] { return gateway_.runs(); },
                   [this](std::size_t index) { starter_.start(index); }, [this] { maps_.spread(); },
                   seals_.get()}),
      faults_({queue_, net_, fabric_, directory_, gateway_, processes_, store_, players_, starter_,
               maps_, heartbeats_}),
      figures_({queue_, processes_, players_, thin_players_, stages_, flights_}) {
  processes_.before_end = [this](const worker::Core& core) { players_.forget(core); };
  processes_.after_end = [this](std::size_t index) { fabric_.on_end(index); };
  start(pilot);
}

void VirtualCluster::start(const Pilot& pilot) {
  gateway_.start();
  for (std::uint32_t i = 0; i < options_.workers; ++i) starter_.start_another();
  directory_.core().advance(queue_.now_us());
  maps_.spread(0);
  gateway_.turn();
  if (options_.balances || options_.heartbeats) heartbeats_.second();
  players_.start(pilot);
  thin_players_.start();
}

std::size_t VirtualCluster::add_worker() {
  PERIGEE_ASSERT(options_.balances,
                 "add_worker() needs options.balances, else the worker gets no region");
  const std::size_t index = starter_.start_another();
  maps_.spread();
  return index;
}

bool VirtualCluster::lives_by_the_map(std::size_t index) const {
  const WorkerProcess& process = processes_[index];
  const WorkerEntry* entry = directory().map().worker(process.slot);
  return process.core && entry != nullptr && entry->alive &&
         entry->handle_base == process.handle_base;
}

void VirtualCluster::order_rate(std::optional<std::uint32_t> percent) {
  const auto done = directory_.core().set_rate(queue_.now_us(), percent);
  PERIGEE_ASSERT(done.ok(), "the rate must be allowed");
  maps_.spread();
}

void VirtualCluster::change_map(const std::function<void(ClusterMap&)>& change,
                                Micros late_us_max) {
  directory_.change_map(change);
  maps_.spread(late_us_max);
}

std::variant<std::uint64_t, session::OrderRefused> VirtualCluster::order(
    const session::SessionName& name, std::string_view settings) {
  return sessions_.order(
      name, settings,
      [this](std::uint64_t client_id, std::uint64_t order, const TechniqueOrder& techniques) {
        gateway_.order(client_id, order, techniques);
      });
}

}  // namespace perigee::lab
