/// The whole cluster in one process on virtual time: the real cores of directory, session service,
/// gateway, workers and clients, joined by links whose weather follows from the seed.
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
#include "perigee/lab/virtual_parts.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/order_book.hpp"
#include "perigee/worker/tick_budget.hpp"
#include "perigee/world_keeper/keeper.hpp"

namespace perigee::lab {

class Net;
class PeerLinks;

class VirtualCluster {
 public:
  VirtualCluster(const ClusterOptions& options, const world::GameModule& game, const Pilot& pilot);
  ~VirtualCluster();

  void run_for(Micros us);
  /// Called after each frame of a player, if it is set: time to look at what is drawn.
  std::function<void(VirtualPlayer&)> after_frame;
  /// Called before each tick of a worker, and for each datagram that a player sends, if they are
  /// set: time for something to go wrong.
  std::function<void(worker::Core&)> before_tick;
  std::function<void(const VirtualPlayer&, LinkSimulator::Fate&)> on_way_up;
  /// Called, if it is set, once the world store has an outcome for good.
  std::function<void(const world::JournalEntry&)> after_stored;
  /// Asked for each message from one worker to another, if it is set: how much later it comes;
  /// none: never.
  std::function<std::optional<Micros>()> on_way_to_peer;
  /// Called for what a buddy writes down of a dead worker's players, if it is set.
  std::function<void(const replay::LastWords&)> on_last_words;
  /// Asked for each datagram from a worker to the gateway, if it is set: does it arrive?
  std::function<bool(std::span<const std::byte>)> on_way_to_gateway;
  /// Forgets the oracles' figures: the warm-up is over.
  void restart_figures();
  /// Of all players together, since restart_figures().
  PlayerFigures figures() const;
  /// The worst correction since restart_figures(), half a second after it; none without
  /// corrections, or if nothing is recorded.
  const std::optional<Flight>& worst_flight() const { return worst_flight_; }
  /// Both halves of a player's last seconds, as they are now.
  std::optional<Flight> flight(const VirtualPlayer& player) const;
  /// Actor ticks that the workers ran again. (M8)
  std::uint64_t rolled_back() const { return rollback_ticks() - rollback_ticks_before_; }

  /// Says goodbye like a player who quits.
  void quit(std::size_t player);
  /// The gateway's process is killed; another one starts `away_us` later, without a memory.
  void restart_gateway(Micros away_us);
  /// Likewise a worker's, between two ticks, so soon that the directory does not take it for dead.
  void restart_worker(std::size_t index, Micros away_us);
  /// Its process is killed, and none follows. Whoever would go on with it is heard by the directory
  /// as any who suspects.
  void kill_worker(std::size_t index);
  /// Likewise, within its next tick: what that one says has gone to `told` of the other workers,
  /// and to nobody else.
  void kill_worker_within_tick(std::size_t index, std::size_t told);
  /// It stands still, hears nothing, and goes on later as if nothing had happened.
  void pause_worker(std::size_t index, Micros us);
  /// It begins now. What it cannot concern any more, does not happen.
  void suffer(const Mishap& mishap);
  /// As its player would, whose client has given up.
  bool log_in_again(std::size_t player) { return connect(player); }
  /// One more; only where the directory balances. Answers its index.
  std::size_t add_worker();
  /// As SIGTERM does: it gives away all that it has, and is gone then. Likewise.
  void drain_worker(std::size_t index) { workers_[index]->leaving = true; }
  /// It has a process.
  bool runs(std::size_t index) const { return workers_[index]->core != nullptr; }
  /// The map that it has heard says that its life is over.
  bool held(std::size_t index) const { return workers_[index]->held; }
  /// The directory takes it for alive, in the life that it has.
  bool lives_by_the_map(std::size_t index) const;
  const directory::Core& directory() const { return *directory_; }
  /// An operator's order: how fast time passes; none: as the load wants it.
  void order_rate(std::optional<std::uint32_t> percent);
  /// How far the worker's next tick is behind world time.
  Micros late_us(std::size_t index) const;
  const worker::TickBudget& budget(std::size_t index) const { return workers_[index]->budget; }
  /// The map becomes what `change` makes of it, as if the directory had decided so. The gateway and
  /// each worker hear of it within `late_us_max`, each in its time.
  void change_map(const std::function<void(ClusterMap&)>& change, Micros late_us_max);
  /// All processes are killed, but for the clients; `away_us` later all are started, with what was
  /// on a disk. Between ticks.
  void restart_everything(Micros away_us);
  /// While it does not, what should be written waits.
  /// What workers write, with `world_store_us`.
  world_store::Store& store() { return *store_; }
  void let_store_work(bool works) { store_failures_ = works ? 0 : 1; }

  /// An operator's order, told by the gateway; the client's answers are in orders().
  std::variant<std::uint64_t, session::OrderRefused> order(const session::SessionName& name,
                                                           std::string_view settings);
  session::OrderBook& orders() { return orders_; }

  const ServerStages& stages() const { return stages_; }
  std::vector<VirtualPlayer>& players() { return players_; }
  /// Not while it is being restarted.
  const worker::Core& worker(std::size_t index) const { return *workers_[index]->core; }
  std::size_t workers() const { return workers_.size(); }
  const gateway::Core& gateway() const { return *gateway_; }
  Micros now_us() const { return queue_.now_us(); }
  /// The player's own clock.
  Micros local_us(const VirtualPlayer& player) const;
  /// Of every state in the cluster: same seed, same hash.
  std::uint64_t hash() const;
  std::uint32_t playing() const;

 private:
  class GatewayOutputs;
  struct Worker {
    std::unique_ptr<worker::Core> core;  ///< none while it is being restarted
    Address fabric;
    std::uint64_t life = 0;  ///< grows with each process under its name
    WorkerSlot slot = 0;
    std::uint32_t handle_base = 0;
    world_keeper::Self self;
    bool in_tick = false;
    std::map<WorkerSlot, std::vector<std::vector<std::byte>>> said;  ///< in this tick, to whom
    std::optional<std::size_t> dies_telling;  ///< within the next tick, so many others
    bool ticks = false;
    bool leaving = false;
    worker::TickBudget budget;
    Micros tick_us = 0;  ///< what the tick that runs takes
    Micros busy_until_us = 0;
    Micros spent_us = 0;  ///< by these ticks, since the last report:
    std::uint32_t spent_ticks = 0;
    Micros counted_from_us = 0;  ///< when the first of them began
    bool report_wanted = false;
    Micros stands_still_until_us = 0;
    bool held = false;              ///< the map has it as dead: it waits for another life
    Micros ahead_us = 0;            ///< of the directory's clock
    std::uint64_t map_version = 0;  ///< heard
    std::map<WorkerSlot, std::uint32_t> knows;  ///< lives, by that
    std::vector<Bequest> bequests;              ///< likewise
    std::deque<std::function<void()>> to_store;
  };
  // virtual_cluster.cpp
  void start_gateway();
  void start_workers();
  void start_worker(std::size_t index);
  void await_tick(std::size_t index);
  void worker_tick(std::size_t index, std::uint64_t life);
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
  bool hears(Party whom) const;
  void hear_workers();
  void spread_map(Micros late_us_max);
  void tell_map(Party whom, Micros late_us_max);
  void adopt_map(std::size_t index, const ClusterMap& map);
  bool is_its_life(Worker& worker, const ClusterMap& map) const;
  bool know_each_other(std::size_t a, std::size_t b) const;
  void directory_second();
  bool beats(std::size_t index, Micros now_us);
  void begin_another_life(std::size_t index);
  void report(std::size_t index);
  void report_soon(std::size_t index);
  void report_now(std::size_t index, std::uint64_t life);
  void judge(const WorkerLife& suspect);
  void wake_up(std::size_t index, std::uint64_t life);

  // virtual_mishaps.cpp
  void end_process(std::size_t index);
  void start_when_heard(std::size_t index);
  void cut(Party a, Party b, Micros us);
  void restart_directory(Micros away_us);
  void move_region(std::size_t nth, std::size_t to);

  // virtual_store.cpp
  void connect_store(std::size_t index);
  void store_soon(std::size_t index, std::function<void()> work);
  void store_one(std::size_t index, std::uint64_t life);
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

  // virtual_players.cpp, virtual_sessions.cpp
  void start_players(const Pilot& pilot);
  bool connect(std::size_t number);
  void keep_logged_in(std::size_t index, bool path_is_usable);
  void player_frame(std::size_t index);
  void claim(const transport::ClaimRequest& request);
  void send_resume_token(std::uint64_t client_id);
  void client_sends(VirtualPlayer& player);
  void gateway_sends(const Address& to, std::span<const std::byte> bytes);
  std::uint64_t rollback_ticks() const;
  void notice_worst(std::size_t player);
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(unix_us() / 1'000'000); }
  Micros unix_us() const;
  transport::RandomBytes random_bytes();
  FineTick fine_now() const;
  Micros clock_us(const Worker& worker) const { return queue_.now_us() + worker.ahead_us; }

  ClusterOptions options_;
  const world::GameModule& game_;
  EventQueue queue_;
  std::unique_ptr<Net> net_;
  std::unique_ptr<PeerLinks> links_;
  std::unique_ptr<directory::Core> directory_;
  bool directory_away_ = false;
  std::optional<ClusterMap> map_;  ///< once it was changed behind the directory's back
  std::unique_ptr<GatewayOutputs> gateway_outputs_;
  std::unique_ptr<gateway::Core> gateway_;  ///< none while it is being restarted
  std::uint64_t gateway_life_ = 0;
  session::DevelopmentSecret secret_{"everybody in the lab"};
  std::unique_ptr<session::SessionStore> sessions_;
  std::unique_ptr<session::Core> session_;
  session::OrderBook orders_;
  std::unique_ptr<world_store::Store> store_;
  std::unique_ptr<world_keeper::Keeper> keeper_;
  int store_failures_ = 0;  ///< that overlap
  ServerStages stages_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<VirtualPlayer> players_;
  transport::Key key_{};
  std::uint64_t random_ = 0;
  std::uint64_t rollback_ticks_before_ = 0;
  std::optional<Flight> worst_flight_;
  double worst_m_ = 0;
};

}  // namespace perigee::lab
