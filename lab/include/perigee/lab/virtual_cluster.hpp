/// The whole cluster in one process on virtual time: the real cores of directory, session service,
/// gateway, workers and clients, connected by links with conditions drawn from the seed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "perigee/directory/core.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/mishaps.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/session_host.hpp"
#include "perigee/lab/virtual_parts.hpp"
#include "perigee/worker/tick/tick_budget.hpp"
#include "perigee/world_keeper/keeper.hpp"

namespace perigee::lab {

class Net;
class PeerLinks;

class VirtualCluster {
 public:
  VirtualCluster(const ClusterOptions& options, const world::GameModule& game, const Pilot& pilot);
  ~VirtualCluster();

  void run_for(Micros us);
  /// Called after each frame of a player, if set: for inspecting the displayed state.
  std::function<void(VirtualPlayer&)> after_frame;
  /// Called before each tick of a worker and for each datagram that a player sends, if set: for
  /// injecting faults.
  std::function<void(worker::Core&)> before_tick;
  std::function<void(const VirtualPlayer&, LinkSimulator::Fate&)> on_way_up;
  /// Called, if set, once an outcome is durable in the world store.
  std::function<void(const world::JournalEntry&)> after_stored;
  /// Called for each message between workers, if set: returns its additional delay; none: it is
  /// lost.
  std::function<std::optional<Micros>()> on_way_to_peer;
  /// Called with the crash report that a standby writes for a dead worker's players, if set.
  std::function<void(const replay::CrashReport&)> on_crash_report;
  /// Called for each datagram from a worker to the gateway, if set: whether it arrives.
  std::function<bool(std::span<const std::byte>)> on_way_to_gateway;
  /// Drops the oracles' figures at the end of the warm-up.
  void restart_figures();
  /// Over all players, since restart_figures().
  PlayerFigures figures() const;
  /// The worst correction since restart_figures(), half a second after it; none without corrections
  /// or without recording.
  const std::optional<Flight>& worst_flight() const { return worst_flight_; }
  /// Both sides of a player's last seconds, as of now.
  std::optional<Flight> flight(const VirtualPlayer& player) const;
  /// Actor ticks that the workers ran again. (M8)
  std::uint64_t rolled_back() const { return rollback_ticks() - rollback_ticks_before_; }

  /// Disconnects like a quitting player.
  void quit(std::size_t player);
  /// Kills the gateway's process; a new one starts `away_us` later, without its state.
  void restart_gateway(Micros away_us);
  /// Likewise a worker's, between two ticks, so soon that the directory does not declare it dead.
  void restart_worker(std::size_t index, Micros away_us);
  /// Kills its process without a restart. Suspicions of its standby reach the directory as usual.
  void kill_worker(std::size_t index);
  /// Likewise, in its next tick: the messages of that tick reach only `reported` of the other
  /// workers.
  void kill_worker_within_tick(std::size_t index, std::size_t reported);
  /// The worker stalls, receives nothing, and resumes later unaware of it.
  void pause_worker(std::size_t index, Micros us);
  /// Starts a fault now. Ignored if its target is in no state for it.
  void suffer(const Mishap& mishap);
  /// Logs in again, like a player with a client that has given up.
  bool log_in_again(std::size_t player) { return connect(player); }
  /// Adds a worker; only if the directory balances. Returns its index.
  std::size_t add_worker();
  /// Like SIGTERM: the worker migrates everything away and then ends. Only if the directory
  /// balances.
  void drain_worker(std::size_t index) { workers_[index]->leaving = true; }
  /// The worker has a process.
  bool runs(std::size_t index) const { return workers_[index]->core != nullptr; }
  /// By the last map that it received, its incarnation has ended.
  bool held(std::size_t index) const { return workers_[index]->held; }
  /// The directory considers its present incarnation alive.
  bool lives_by_the_map(std::size_t index) const;
  const directory::Core& directory() const { return *directory_; }
  /// An operator's order of the rate of world time; none: chosen by load.
  void order_rate(std::optional<std::uint32_t> percent);
  /// How far the worker's next tick is behind world time.
  Micros late_us(std::size_t index) const;
  const worker::TickBudget& budget(std::size_t index) const { return workers_[index]->budget; }
  /// Replaces the map by the result of `change`, as if the directory had decided so. The gateway
  /// and each worker receive it within `late_us_max`, each at a random time.
  void change_map(const std::function<void(ClusterMap&)>& change, Micros late_us_max);
  /// Kills all processes except the clients; `away_us` later all are started from their durable
  /// state. Call it between ticks.
  void restart_everything(Micros away_us);
  /// The workers' world store; only with `world_store_us`.
  world_store::Store& store() { return *store_; }
  /// While it does not work, writes wait.
  void let_store_work(bool works) { store_failures_ = works ? 0 : 1; }

  /// An operator's order, delivered by the gateway; the clients' answers are in orders().
  std::variant<std::uint64_t, session::OrderRefused> order(const session::SessionName& name,
                                                           std::string_view settings);
  session::OrderBook& orders() { return sessions_->orders(); }

  const ServerStages& stages() const { return stages_; }
  std::vector<VirtualPlayer>& players() { return players_; }
  /// Not while it is being restarted.
  const worker::Core& worker(std::size_t index) const { return *workers_[index]->core; }
  std::size_t workers() const { return workers_.size(); }
  const gateway::Core& gateway() const { return *gateway_; }
  Micros now_us() const { return queue_.now_us(); }
  /// The player's own clock.
  Micros local_us(const VirtualPlayer& player) const;
  /// Of every state in the cluster: the same seed gives the same hash.
  std::uint64_t hash() const;
  std::uint32_t playing() const;

 private:
  class GatewayOutputs;
  struct Worker {
    std::unique_ptr<worker::Core> core;  ///< none while it is being restarted
    Address fabric;
    std::uint64_t incarnation = 0;  ///< increases with each process under its name
    WorkerSlot slot;
    HandleBase handle_base;
    world_keeper::Self self;
    bool in_tick = false;
    std::map<WorkerSlot, std::vector<std::vector<std::byte>>> said;  ///< in this tick, by receiver
    /// It dies in its next tick, after messages to this many other workers.
    std::optional<std::size_t> dies_sending;
    bool ticks = false;
    bool leaving = false;
    worker::TickBudget budget;
    Micros tick_us = 0;  ///< duration of the running tick
    Micros busy_until_us = 0;
    Micros spent_us = 0;  ///< by these ticks, since the last report:
    std::uint32_t spent_ticks = 0;
    Micros counted_from_us = 0;  ///< start of the first of them
    bool report_wanted = false;
    Micros stands_still_until_us = 0;
    bool held = false;                        ///< dead by the map: it waits for another incarnation
    Micros ahead_us = 0;                      ///< relative to the directory's clock
    std::uint64_t map_version = 0;            ///< received
    std::map<WorkerSlot, Incarnation> knows;  ///< living incarnations by that map
    std::vector<FailoverRecord> failover_records;  ///< likewise
    std::deque<std::function<void()>> to_store;
  };
  // virtual_cluster.cpp
  void start_gateway();
  void start_workers();
  void start_worker(std::size_t index);
  void await_tick(std::size_t index);
  void worker_tick(std::size_t index, std::uint64_t incarnation);
  bool survives(std::size_t index, const std::function<void(worker::Core&)>& work);
  void gateway_turn();
  bool stands_still(const Worker& worker) const {
    return queue_.now_us() < worker.stands_still_until_us;
  }

  // virtual_load.cpp
  void bear_cost(std::size_t index);

  // virtual_directory.cpp
  directory::CoreSettings directory_settings() const;
  void start_directory();
  const ClusterMap& map() const { return map_ ? *map_ : directory_->map(); }
  bool receives(Party whom) const;
  void receive_workers();
  void spread_map(Micros late_us_max);
  void tell_map(Party whom, Micros late_us_max);
  void adopt_map(std::size_t index, const ClusterMap& map);
  bool is_its_incarnation(Worker& worker, const ClusterMap& map) const;
  bool know_each_other(std::size_t a, std::size_t b) const;
  void directory_second();
  bool beats(std::size_t index, Micros now_us);
  void begin_another_incarnation(std::size_t index);
  void report(std::size_t index);
  void report_soon(std::size_t index);
  void report_now(std::size_t index, std::uint64_t incarnation);
  void judge(const WorkerIncarnation& suspect);
  void wake_up(std::size_t index, std::uint64_t incarnation);

  // virtual_mishaps.cpp
  void end_process(std::size_t index);
  void start_when_received(std::size_t index);
  void cut(Party a, Party b, Micros us);
  void restart_directory(Micros away_us);
  void move_region(std::size_t nth, std::size_t to);

  // virtual_store.cpp
  void connect_store(std::size_t index);
  void store_soon(std::size_t index, std::function<void()> work);
  void store_one(std::size_t index, std::uint64_t incarnation);
  void fence_the_dead(std::size_t index, const ClusterMap& map);
  void load_world(std::size_t index);

  // virtual_fabric.cpp
  void link_workers();
  void say(std::size_t index, WorkerSlot to, std::span<const std::byte> bytes);
  void say_together(std::size_t index, WorkerSlot to, std::vector<std::vector<std::byte>> words);
  void release_words(std::size_t index, std::size_t workers_max);
  void to_fabric(const Address& from, const Address& to, std::span<const std::byte> bytes,
                 Micros extra_us);
  void on_fabric(const Address& from, const Address& to, const std::vector<std::byte>& data);
  std::optional<Micros> weather(Party a, Party b, bool in_order);

  // virtual_players.cpp
  void start_players(const Pilot& pilot);
  bool connect(std::size_t number);
  void keep_logged_in(std::size_t index, bool path_is_usable);
  void player_frame(std::size_t index);
  void client_sends(VirtualPlayer& player);
  void gateway_sends(const Address& to, std::span<const std::byte> bytes);
  std::uint64_t rollback_ticks() const;
  void notice_worst(std::size_t player);
  FineTick fine_now() const;
  Micros clock_us(const Worker& worker) const { return queue_.now_us() + worker.ahead_us; }

  ClusterOptions options_;
  const world::GameModule& game_;
  EventQueue queue_;
  ClusterClock clock_{queue_};
  RandomStream random_;
  std::unique_ptr<Net> net_;
  std::unique_ptr<PeerLinks> links_;
  std::unique_ptr<directory::Core> directory_;
  bool directory_away_ = false;
  std::optional<ClusterMap> map_;  ///< set once it was changed without the directory
  std::unique_ptr<GatewayOutputs> gateway_outputs_;
  std::unique_ptr<gateway::Core> gateway_;  ///< none while it is being restarted
  std::uint64_t gateway_incarnation_ = 0;
  std::unique_ptr<SessionHost> sessions_;
  std::unique_ptr<world_store::Store> store_;
  std::unique_ptr<world_keeper::Keeper> keeper_;
  int store_failures_ = 0;  ///< number of overlapping failures
  ServerStages stages_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<VirtualPlayer> players_;
  transport::Key key_{};
  std::uint64_t rollback_ticks_before_ = 0;
  std::optional<Flight> worst_flight_;
  double worst_m_ = 0;
};

}  // namespace perigee::lab
