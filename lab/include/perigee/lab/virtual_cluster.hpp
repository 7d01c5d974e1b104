/// The whole cluster in one process on virtual time: the real cores of directory, session service,
/// gateway, workers and clients, connected by links with conditions drawn from the seed. Each part
/// is a component. This class constructs the components, connects them, and starts the cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/lab/cluster_figures.hpp"
#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/fabric.hpp"
#include "perigee/lab/fault_injector.hpp"
#include "perigee/lab/flight_keeper.hpp"
#include "perigee/lab/gateway_host.hpp"
#include "perigee/lab/heartbeats.hpp"
#include "perigee/lab/map_spreader.hpp"
#include "perigee/lab/mishaps.hpp"
#include "perigee/lab/player_machines.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/session_host.hpp"
#include "perigee/lab/thin_players.hpp"
#include "perigee/lab/urgent_reports.hpp"
#include "perigee/lab/virtual_net.hpp"
#include "perigee/lab/virtual_parts.hpp"
#include "perigee/lab/virtual_players.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/lab/worker_starter.hpp"
#include "perigee/lab/worker_ticks.hpp"
#include "perigee/lab/world_store_access.hpp"

namespace perigee::lab {

class VirtualCluster {
 public:
  /// Ends the program with the error of world::check if it refuses the game's types.
  VirtualCluster(const ClusterOptions& options, const world::GameModule& game, const Pilot& pilot);

  void run_for(Micros us) { queue_.run_until(queue_.now_us() + us); }
  /// Called after each frame of a player, if set: for inspecting the displayed state.
  std::function<void(VirtualPlayer&)> after_frame;
  /// Called before each tick of a worker and for each datagram that a player sends, if set: for
  /// injecting faults.
  std::function<void(worker::Core&)> before_tick;
  std::function<void(const VirtualPlayer&, LinkSimulator::Fate&)> on_way_up;
  /// Called, if set, once an outcome is durable in the world store.
  std::function<void(const world::JournalEntry&)> after_stored;
  /// Called for each message between workers, if set. Returns the additional delay of the message.
  /// None: the message is lost.
  std::function<std::optional<Micros>()> on_way_to_peer;
  /// Called with the crash report that a standby writes for a dead worker's players, if set.
  std::function<void(const replay::CrashReport&)> on_crash_report;
  /// Called, if set, for the first fault of each type and value that a worker notes.
  std::function<void(const world::GameFault&)> on_game_fault;
  /// Called for each datagram from a worker to the gateway, if set: whether it arrives.
  std::function<bool(std::span<const std::byte>)> on_way_to_gateway;
  /// Drops the oracles' figures at the end of the warm-up.
  void restart_figures() { figures_.restart(); }
  /// Over all players, since restart_figures().
  PlayerFigures figures() const { return figures_.sum(); }
  /// The recordings of the worst correction since restart_figures(), made half a second after it.
  /// None without corrections or without recording.
  const std::optional<Flight>& worst_flight() const { return flights_.worst(); }
  /// Both sides of a player's last seconds, as of now.
  std::optional<Flight> flight(const VirtualPlayer& player) const {
    return flights_.flight(player);
  }
  /// Actor ticks that the workers ran again. (M8)
  std::uint64_t rolled_back() const { return figures_.rolled_back(); }

  /// Disconnects like a quitting player.
  void quit(std::size_t player) { players_.quit(player); }
  /// Kills the gateway's process. A new one starts `away_us` later, without the state of the old
  /// one.
  void restart_gateway(Micros away_us) { faults_.restart_gateway(away_us); }
  /// Likewise for a worker's process, between two ticks. The new one should start so soon that the
  /// directory does not declare the worker dead.
  void restart_worker(std::size_t index, Micros away_us) { faults_.restart_worker(index, away_us); }
  /// Kills the worker's process without a restart. Suspicions of its standby reach the directory as
  /// usual.
  void kill_worker(std::size_t index) { faults_.kill_worker(index); }
  /// The same in the middle of its next tick: the messages of that tick reach only `reported` of
  /// the other workers.
  void kill_worker_within_tick(std::size_t index, std::size_t reported) {
    faults_.kill_worker_within_tick(index, reported);
  }
  /// The worker stalls and receives nothing. It resumes later, unaware of the stall.
  void pause_worker(std::size_t index, Micros us) { faults_.pause_worker(index, us); }
  /// Starts a fault now. Ignored if its target is in no state for it.
  void suffer(const Mishap& mishap) { faults_.suffer(mishap); }
  /// Logs the player in again, as a player does after the client has given up.
  bool log_in_again(std::size_t player) { return players_.log_in(player); }
  /// Adds a worker; only if the directory balances. Returns its index.
  std::size_t add_worker();
  /// Like SIGTERM: the worker migrates everything away and then ends. Only if the directory
  /// balances.
  void drain_worker(std::size_t index) { processes_[index].leaving = true; }
  /// Its last process has ended because it had drained.
  bool left(std::size_t index) const {
    return !runs(index) && processes_[index].left == processes_[index].incarnation;
  }
  /// The worker has a process.
  bool runs(std::size_t index) const { return processes_.runs(index); }
  /// By the last map that it received, its incarnation has ended.
  bool held(std::size_t index) const { return processes_[index].held; }
  /// The directory considers its present incarnation alive.
  bool lives_by_the_map(std::size_t index) const;
  const directory::Core& directory() const { return directory_.core(); }
  /// Fabric datagrams that were not sealed, or refused; only with `fabric_key_us`.
  std::uint64_t lost_by_seals() const { return seals_->lost(); }
  /// An operator's order that sets the rate of world time. None: the rate is chosen by load.
  void order_rate(std::optional<std::uint32_t> percent);
  /// How far the worker's next tick is behind world time.
  Micros late_us(std::size_t index) const { return ticks_.late_us(index); }
  const worker::TickBudget& budget(std::size_t index) const { return ticks_.budget(index); }
  /// Replaces the map by the result of `change`, as if the directory had decided so. The gateway
  /// and each worker receive it within `late_us_max`, each at a random time.
  void change_map(const std::function<void(ClusterMap&)>& change, Micros late_us_max);
  /// Kills all processes except the clients. `away_us` later all are started from their durable
  /// state. Call it between ticks.
  void restart_everything(Micros away_us) { faults_.restart_everything(away_us); }
  /// The workers' world store; only with `world_store_us`.
  world_store::Store& store() { return store_.store(); }
  /// While the store does not work, writes wait.
  void let_store_work(bool works) { store_.let_work(works); }

  /// An operator's order, delivered by the gateway; the clients' answers are in orders().
  std::variant<std::uint64_t, session::OrderRefused> order(const session::SessionName& name,
                                                           std::string_view settings);
  session::OrderBook& orders() { return sessions_.orders(); }

  const ServerStages& stages() const { return stages_; }
  std::vector<VirtualPlayer>& players() { return players_.all(); }
  const std::vector<ThinPlayer>& thin_players() const { return thin_players_.all(); }
  /// Not while the worker is being restarted.
  const worker::Core& worker(std::size_t index) const { return *processes_[index].core; }
  std::size_t workers() const { return processes_.size(); }
  const gateway::Core& gateway() const { return gateway_.core(); }
  Micros now_us() const { return queue_.now_us(); }
  /// The player's own clock.
  Micros local_us(const PlayerMachine& player) const { return machines_.local_us(player); }
  /// Of every state in the cluster: the same seed gives the same hash.
  std::uint64_t hash() const { return figures_.hash(); }
  /// Players that play now, thin ones included.
  std::uint32_t playing() const { return figures_.playing(); }

 private:
  void start(const Pilot& pilot);

  ClusterOptions options_;
  EventQueue queue_;
  RandomStream random_;
  transport::Key key_;
  Net net_;
  ServerStages stages_;
  // Each component uses only those above it, and functions that are passed to it.
  DirectoryHost directory_;
  std::unique_ptr<FabricSeals> seals_;  ///< null: the fabric is plain
  SessionHost sessions_;
  WorkerProcesses processes_;
  WorldStoreAccess store_;
  Fabric fabric_;
  GatewayHost gateway_;
  FlightKeeper flights_;
  PlayerMachines machines_;
  VirtualPlayers players_;
  ThinPlayers thin_players_;
  WorkerTicks ticks_;
  MapSpreader maps_;
  UrgentReports reports_;
  WorkerStarter starter_;
  Heartbeats heartbeats_;
  FaultInjector faults_;
  ClusterFigures figures_;
};

}  // namespace perigee::lab
