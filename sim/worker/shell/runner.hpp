/// Runs a worker's core: sockets, clock, directory, links and tick timer. Everything runs on the
/// loop's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exported.hpp"
#include "flight_recordings.hpp"
#include "links.hpp"
#include "perigee/fabric_seal/seal.hpp"
#include "perigee/flight_log/crash_report_log.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/tracing/worker_spans.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick/tick_budget.hpp"
#include "perigee/worker/tick/tick_times.hpp"
#include "report_timers.hpp"
#include "sim.pb.h"
#include "tracer.hpp"
#include "world_store_session.hpp"

namespace perigee::worker {

struct RunnerOptions {
  Address fabric;        ///< bound: UDP for the fabric, TCP for links
  Address fabric_reach;  ///< address for gateways and workers
  Address grpc_reach;
  std::string name;  ///< unique in the cluster
  std::string directory;
  const host::ClusterTls* tls = nullptr;  ///< for calls and links; null: without TLS. Outlives it
  bool insecure = false;                  ///< links without TLS may leave loopback
  fabric_seal::PlainEpochs plain_epochs = fabric_seal::PlainEpochs::Refused;
  Settings core;
  std::string crash_report_dir;                  ///< directory for crash reports of dead workers
  std::optional<flight_log::FlightLog> flights;  ///< none: nothing is recorded
  Micros drain_us_max = 8'000'000;               ///< limit for leave(); 0: nothing is migrated
  /// None: state lost by all workers is lost for good.
  std::shared_ptr<world_store::Store> store;
  world::SlowCalls* slow_calls = nullptr;  ///< of the game; outlives the runner
  tracing::Tracer* tracer = nullptr;       ///< null: no spans. Outlives the runner
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
  /// The reason why it could not own a region; empty also while it has none yet.
  std::string_view not_joined_because();
  /// Called ten times a second: updates the metrics and returns the reply for Sim.Status.
  sim::v1::StatusReply show();
  /// Between two ticks; null before the world exists.
  const world::World* world() const;
  FlightRecordings* flight_recordings() { return core_ ? core_->flight_recordings() : nullptr; }
  /// Asks the directory to move everything to other workers, and keeps running meanwhile.
  void leave();
  /// The worker is leaving: everything has been moved or cannot be moved, or the time for moving is
  /// over.
  bool may_stop() const;
  /// Records the last seconds of all players, one recording a second.
  void record_everybody();

 private:
  void open_core(const host::Registration& registration);
  void on_registered(const host::Registration& registration);
  void adopt_map();
  bool is_our_incarnation();
  void show_store();
  void on_checkpoint_loaded(const std::optional<WholeCheckpoint>& checkpoint);
  void on_fabric(std::span<const host::Datagram> datagrams);
  void run_due_ticks();
  void run_tick();
  void give_way();
  void arm();
  Micros directory_now_us() const;
  Micros tick_lag_us() const;
  void report(bool at_once);

  host::Loop& loop_;
  Exported& exported_;
  const world::GameModule& game_;
  RunnerOptions options_;
  ClusterMap map_;
  host::Registration registration_;
  bool held_ = false;  ///< dead in the map: nothing runs before that is resolved
  bool owned_a_region_ = false;
  bool map_is_news_ = false;  ///< the core has not adopted map_ yet
  fabric_seal::Seal seal_;
  std::optional<Core> core_;
  std::optional<host::UdpSocket> fabric_;
  peers::Links links_;
  std::optional<host::DirectoryClient> directory_;
  host::Timer timer_;
  TickTimes times_;
  TickBudget budget_;
  ReportTimers report_timers_;
  TickTimes::Pace pace_;                 ///< as reported each second
  std::uint32_t owned_ = 0;              ///< own entities at the last show()
  std::vector<GroupInDoubt> doubts_;     ///< groups in doubt at the last report
  std::uint32_t reported_entities_ = 0;  ///< including groups in doubt
  bool reachable_ = false;               ///< the directory
  bool end_said_ = false;                ///< of the game's world
  std::optional<Micros> leaving_since_us_;
  std::optional<Flights> flights_;
  std::optional<tracing::WorkerSpans> spans_;
  flight_log::CrashReportLog crash_report_;
  // Last: its thread ends before the members that its callbacks use.
  std::optional<WorldStoreSession> store_;
};

}  // namespace perigee::worker
