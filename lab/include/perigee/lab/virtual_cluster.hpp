/// The whole cluster in one process on virtual time: the real cores of directory, session service,
/// gateway, workers and clients, joined by links whose weather follows from the seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/directory/core.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/oracle.hpp"
#include "perigee/netcode/link_simulator.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/order_book.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick_budget.hpp"
#include "perigee/world_keeper/keeper.hpp"

namespace perigee::lab {

/// Makes the player behind a client; the client lives as long.
using Pilot =
    std::function<std::unique_ptr<client::InputSampler>(const client::Client&, std::uint64_t seed)>;

struct ClusterOptions {
  std::uint64_t seed = 1;
  std::uint32_t workers = 2;
  std::uint32_t regions = 0;  ///< 0: as many as workers; else those beyond have none at first
  std::uint32_t players = 4;
  LinkPair link;                                         ///< between every client and the gateway
  std::vector<std::uint32_t> frames_per_s{60, 30, 144};  ///< clients take them in turn
  Micros hitch_every_us = 10'000'000;  ///< now and then a client's frame takes ...
  Micros hitch_us = 100'000;           ///< ... this long
  double drift_ppm_max = 100;          ///< clients' clocks, plus or minus
  Micros clock_offset_us_max = 5'000'000;
  Micros tick_cost_us = 1'500;  ///< a worker's blocks leave this long after the tick began
  /// What a tick takes of the worker's processor, instead: the next one cannot begin before. It
  /// measures that, and does what it can about it.
  std::function<Micros(const worker::Core&)> tick_cost;
  worker::Settings worker;
  client::Settings client;
  /// What clients take for the game; none: what the workers do.
  const world::GameModule* clients_game = nullptr;
  /// Keeps both halves of the worst correction: see VirtualCluster::worst_flight().
  bool records = false;
  /// Workers report each second what they bear, and the directory cuts and moves regions by that.
  bool balances = false;
  /// Each worker has a buddy, and what a dead one had goes on there.
  bool buddies = false;
  /// There is a world store; what is written is there this much later.
  std::optional<Micros> world_store_us;
};

/// Two recordings of the same seconds.
struct Flight {
  replay::Recording client, worker;
  double meters = 0;
};

struct VirtualPlayer {
  std::unique_ptr<client::Client> client;
  std::unique_ptr<client::InputSampler> pilot;
  PlayerOracle oracle;
  Address address;
  double clock_rate = 1;
  Micros clock_offset_us = 0;
  Micros frame_us = 16'667;
  Micros next_hitch_us = 0;
  Micros stands_still_us = 0;  ///< before its next frame, once
  std::unique_ptr<LinkSimulator> up, down;
  std::uint64_t client_id = 0;
};

/// How long each stage on the servers' side took, microseconds: what their shells export.
struct ServerStages {
  std::vector<double> fabric_us;           ///< gateway's stamp to worker's
  std::vector<double> input_wait_us;       ///< worker's stamp to the tick that consumes it
  std::vector<double> tick_to_gateway_us;  ///< that tick's start to its block at the gateway
  std::vector<double> hold_us;             ///< there, until it leaves
};

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
  /// Asked for each message from one worker to another, if it is set: how much later it comes;
  /// none: never.
  std::function<std::optional<Micros>()> on_way_to_peer;
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
  /// It stands still, hears nothing, and goes on later as if nothing had happened.
  void pause_worker(std::size_t index, Micros us);
  /// One more; only where the directory balances. Answers its index.
  std::size_t add_worker();
  /// As SIGTERM does: it gives away all that it has, and is gone then. Likewise.
  void drain_worker(std::size_t index) { workers_[index]->leaving = true; }
  /// It has a process.
  bool runs(std::size_t index) const { return workers_[index]->core != nullptr; }
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
  void let_store_work(bool works) { store_works_ = works; }

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
    std::uint64_t life = 0;
    world_keeper::Self self;
    bool in_tick = false;
    bool ticks = false;
    bool leaving = false;
    worker::TickBudget budget;
    Micros tick_us = 0;  ///< what the tick that runs takes
    Micros busy_until_us = 0;
    Micros spent_us = 0;  ///< by these ticks, since the last report:
    std::uint32_t spent_ticks = 0;
    bool report_wanted = false;
    Micros stands_still_until_us = 0;
  };
  void start_directory();
  void start_gateway();
  void start_workers();
  void start_worker(std::size_t index);
  void await_tick(std::size_t index);
  void start_players(const Pilot& pilot);
  void connect(VirtualPlayer& player, std::uint32_t number);
  const ClusterMap& map() const { return map_ ? *map_ : directory_->map(); }
  void hear_workers();
  void connect_store(std::size_t index);
  void store_soon(std::size_t index, std::uint64_t life, std::function<void()> work);
  void load_world(std::size_t index);
  void spread_map();
  void tell_map(std::size_t index);
  void directory_second();
  bool beats(std::size_t index, Micros now_us);
  void report(std::size_t index);
  void report_now(std::size_t index, std::uint64_t life);
  void judge(const WorkerLife& suspect);
  void wake_up(std::size_t index, std::uint64_t life);
  bool stands_still(const Worker& worker) const {
    return queue_.now_us() < worker.stands_still_until_us;
  }
  void worker_tick(std::size_t index, std::uint64_t life);
  void bear_cost(Worker& worker);
  void gateway_turn();
  void player_frame(std::size_t index);
  void claim(const transport::ClaimRequest& request);
  void send_resume_token(std::uint64_t client_id);
  void to_peer(WorkerSlot from, WorkerSlot to, const std::vector<std::byte>& bytes);
  void to_fabric(const Address& from, const Address& to, std::span<const std::byte> bytes,
                 Micros extra_us);
  void client_sends(VirtualPlayer& player);
  void gateway_sends(const Address& to, std::span<const std::byte> bytes);
  std::uint64_t rollback_ticks() const;
  void notice_worst(std::size_t player);
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(unix_us() / 1'000'000); }
  Micros unix_us() const;
  transport::RandomBytes random_bytes();
  FineTick fine_now() const;

  ClusterOptions options_;
  const world::GameModule& game_;
  EventQueue queue_;
  std::unique_ptr<directory::Core> directory_;
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
  bool store_works_ = true;
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
