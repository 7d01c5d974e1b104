/// A worker's metrics: the counters of core, links and publisher, tick times, and socket losses.
#pragma once

#include "perigee/flight_log/flight_log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/peers/core.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick_budget.hpp"
#include "store_thread.hpp"
#include "tick_meter.hpp"

namespace perigee::worker {

enum class Family : std::uint8_t {
  Ticks,
  Overruns,
  PhasesOver,
  LateStarts,
  Inputs,
  TechniqueSwitches,
  RollbackTicks,
  RollbackTicksRefused,
  SpeculativeStates,
  Outcomes,
  VerdictsChanged,
  ViewsClamped,
  LateTicksKeptAsDrawn,
  JournalEntries,
  GameEventsLost,
  Respawns,
  FlightsRefused,
  FlightRecordings,
  Edits,
  Chunks,
  ParentSwitches,
  HardResets,
  JoinsRefused,
  PlayersResumed,
  Drops,
  Blocks,
  BlockBytes,
  Records,
  RecordsOverLimit,
  KnownFull,
  EventsDeferred,
  FabricDatagrams,
  FabricBytes,
  SocketLosses,
  GhostBytes,
  GhostFaults,
  ReplicaBytes,
  ReplicasLost,
  Inherited,
  Handoffs,
  Letters,
  Sights,
  GameValuesRefused,
  LinksMade,
  LinksLost,
  LinksRefused,
  LinkWords,
  LinkBytes,
  StoreOutcomes,
  StoreCuts,
  StoreCutBytes,
  StoreRestored,
  StoreFaults,
  last = StoreFaults
};
enum class Level : std::uint8_t {
  Players,
  Entities,
  Observers,
  TickLag,
  ClockError,
  GiveWayStep,
  OverloadRung,
  TimeRate,
  LargestIsland,
  Links,
  BuddyState,
  LettersOpen,
  GroupsInDoubt,
  OldestDoubt,
  GroupsRemembered,
  StoreRowsWaiting,
  StoreCutAge,
  StoreBehind,
  last = StoreBehind
};
enum class Spread : std::uint8_t {
  Tick,
  TickCpu,
  Phase,
  FabricTransit,
  InputWait,
  StorePart,
  last = StorePart
};

/// Numbers of own entities and ghosts.
struct EntityRoles {
  std::uint32_t owned = 0;
  std::uint32_t ghosts = 0;
};

class Exported {
 public:
  explicit Exported(host::Metrics& metrics);
  void on_tick(Micros duration_us, Micros cpu_us);
  void on_phase(TickPhase phase, Micros duration_us);
  void on_transits(const Transits& transits_s);
  void on_waits(const Waits& waits_s);
  void show(const Core& core, const EntityRoles& entities);
  /// The next core counts from zero again.
  void on_new_core() { shown_ = {}; }
  void show(const TickMeter& meter);
  void show(const TickBudget& budget);
  void show(const host::UdpCounts& fabric);
  void show(const peers::Core& links);
  void show(const flight_log::FlightLog& recordings);
  /// The oldest first.
  void show(std::span<const GroupInDoubt> doubts);
  /// `age_s`: of the last complete checkpoint.
  void show(const StoreThread::Status& store, std::optional<double> age_s, std::size_t waiting);
  void show_tick_lag(Micros lag_us);
  void show_rate(double rate);
  void show_island(double seconds);
  void show_clock_error(Micros error_us);
  /// Publishes to Prometheus; once per tick or less often.
  void flush();

 private:
  /// Totals of the current core that the counters already contain.
  struct Shown {
    std::array<std::uint64_t, enum_count<Count>> counts{};
    replication::Publisher::Counters publisher;
  };
  template <class Label>
  void grow(Family family, Label label, std::uint64_t& shown, std::uint64_t total);

  host::CounterTable<Family> counters_;
  host::GaugeTable<Level> levels_;
  host::HistogramTable<Spread> spreads_;
  Shown shown_;
};

}  // namespace perigee::worker
