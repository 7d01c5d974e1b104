/// Runs a worker's core: sockets, clock, directory, links and tick timer. Everything runs on the
/// loop's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exported.hpp"
#include "flight_recordings.hpp"
#include "links.hpp"
#include "perigee/flight_log/crash_report_log.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick_budget.hpp"
#include "sim.pb.h"
#include "store_thread.hpp"
#include "tick_meter.hpp"

namespace perigee::worker {

struct RunnerOptions {
  Address fabric;        ///< bound: UDP for the fabric, TCP for links
  Address fabric_reach;  ///< address for gateways and workers
  Address grpc_reach;
  std::string name;  ///< unique in the cluster
  std::string directory;
  peers::Keys keys;  ///< the secret that all workers share
  Settings core;
  std::string crash_report_dir;                  ///< directory for crash reports of dead workers
  std::optional<flight_log::FlightLog> flights;  ///< none: nothing is recorded
  Micros drain_us_max = 8'000'000;               ///< limit for leave(); 0: nothing is migrated
  /// None: state lost by all workers is lost for good.
  std::shared_ptr<world_store::Store> store;
};

class Runner {
 public:
  static constexpr std::int32_t start_ticks = 30;     ///< from owning a region to its first tick
  static constexpr std::uint32_t catch_up_ticks = 4;  ///< per turn of the loop
  static constexpr std::size_t doubts_shown_max = 64;
  static constexpr std::size_t send_queue_datagrams =
      4'096;  ///< one tick's blocks for 1000 clients

  /// `game` outlives the runner.
  Runner(host::Loop& loop, Exported& exported, const world::GameModule& game,
         const RunnerOptions& options);
  /// Opens the sockets and starts to connect to the directory.
  Result<Ok> open();
  /// The reason why no tick runs; empty once the world exists and the clock is synchronized.
  std::string_view not_ready_because();
  /// Called ten times a second: updates the metrics and returns the reply for Sim.Status.
  sim::v1::StatusReply show();
  /// Asks the directory to move everything to other workers, and keeps running meanwhile.
  void leave();
  /// The worker is leaving, and everything has been moved, cannot be moved, or has timed out.
  bool may_stop() const;
  /// Records the last seconds of all players, one recording a second.
  void record_everybody();

 private:
  void open_core(const host::Registration& registration);
  void on_registered(const host::Registration& registration);
  void on_map(const ClusterMap& map);
  void adopt_map();
  bool is_our_incarnation();
  bool store_knows_us();
  void on_checkpoint_loaded(const std::optional<WholeCheckpoint>& checkpoint);
  void show_store();
  void on_fabric(std::span<const host::Datagram> datagrams);
  void run_due_ticks();
  void run_tick();
  void log_fault(const world::GameFault& fault);
  void give_way();
  void arm();
  Micros directory_now_us() const;
  Micros tick_lag_us() const;
  bool owns_a_region() const;
  bool others_stay() const;
  void report(bool at_once);
  void schedule_report();
  void show_doubts(sim::v1::StatusReply& status) const;

  host::Loop& loop_;
  Exported& exported_;
  const world::GameModule& game_;
  RunnerOptions options_;
  ClusterMap map_;
  host::Registration registration_;
  bool held_ = false;  ///< dead in the map: nothing runs before that is resolved
  bool owned_a_region_ = false;
  bool map_is_news_ = false;  ///< the core has not adopted map_ yet
  std::optional<Core> core_;
  std::optional<host::UdpSocket> fabric_;
  peers::Links links_;
  std::optional<host::DirectoryClient> directory_;
  host::Timer timer_;
  TickMeter meter_;      ///< wall-clock time
  TickMeter cpu_meter_;  ///< processor time of this thread
  TickBudget budget_;
  TickBudget::Spent spent_us_{};
  Micros phase_began_us_ = 0;
  Micros phase_cpu_us_ = 0;  ///< when the phase began, in processor time of this thread
  host::Timer report_timer_, report_soon_timer_;
  /// Processor time of this thread at the first tick since the last report.
  Micros reported_cpu_us_ = 0;
  Micros reported_clock_us_ = 0;         ///< clock time at the same tick
  std::uint32_t reported_ticks_ = 0;     ///< since the last report
  double load_ms_ = 0, pace_ms_ = 0;     ///< as reported each second
  std::uint32_t owned_ = 0;              ///< own entities at the last show()
  std::vector<GroupInDoubt> doubts_;     ///< groups in doubt at the last report
  std::uint32_t reported_entities_ = 0;  ///< including groups in doubt
  bool reachable_ = false;               ///< the directory
  std::optional<Micros> leaving_since_us_;
  std::optional<Flights> flights_;
  flight_log::CrashReportLog crash_report_;
  std::optional<world_keeper::Self> self_;  ///< the identity that the store's thread has
  bool store_begun_ = false;
  std::vector<FailoverRecord>
      failover_records_;  ///< last list of failover records passed to the store
  bool loading_ = false;
  // Last: its thread ends before the members that its callbacks use.
  std::optional<StoreThread> store_;
};

}  // namespace perigee::worker
