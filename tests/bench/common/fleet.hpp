/// A whole cluster of processes on loopback with a world full of moving entities and bots, for
/// benchmarks that act on it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"
#include "process/child.hpp"

namespace perigee::bench {

/// A time in which a bot received no snapshot of its avatar.
struct Gap {
  double from_s = 0, to_s = 0;  ///< Unix time
  double ms = 0;
  double stalled_ms = 0;  ///< the part of it in which the bots' own process stalled
};

/// Crates that never come to rest, in addition to the game's own world.
enum class Crates {
  None,
  Clouds,  ///< in layers above the stations
  Field,   ///< 2,304, over 7 km: can be shared by as many workers
};

struct FleetWorld {
  static constexpr int layers_max = 18;     ///< more would be above the world
  static constexpr int layer_crates = 242;  ///< per layer of both stations' clouds together
  Crates crates = Crates::Clouds;
  int layers = 10;  ///< of clouds, 1 to layers_max
  bool standbys = true;
  /// Players shoot each other; the outcomes that they are sent are logged, after they are in the
  /// world's store.
  bool fights = false;
  std::string logs;  ///< a folder for the output of all processes, created if missing; empty: none
};

/// A process of a fleet, as seen by the kernel and its admin port.
struct Seen {
  pid_t pid = -1;
  std::string metrics;  ///< Prometheus text
  /// -1: there is no such series.
  double value(const std::string& series) const;
  /// Returns the sum of all series of a family with any labels, and 0 if the family has no series.
  double sum(const std::string& family) const;
  /// Number of series.
  std::size_t size() const;
};

struct Consumed {
  double cpu_s = 0;     ///< processor time spent in ticks
  double thread_s = 0;  ///< processor time of the thread that runs the ticks, including other work
  double ticks = 0;
  double tick_ms() const { return ticks > 0 ? 1e3 * cpu_s / ticks : 0; }
  double load_ms() const { return ticks > 0 ? 1e3 * thread_s / ticks : 0; }
};

double mean_tick_ms(const std::vector<Consumed>& workers);

class Fleet {
 public:
  static constexpr unsigned workers_max = 10;  ///< their ports are adjacent
  /// A snapshot comes every 33 ms; longer gaps than this are listed.
  static constexpr double listed_ms = 60;

  /// Starts everything but the bots, with one region per worker.
  Fleet(unsigned workers, unsigned players, FleetWorld world = {});
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// False: not all of them played within 30 s.
  bool play();
  void start_worker(unsigned index);
  process_test::Child& worker(unsigned index) { return *workers_[index]; }
  /// For a worker that has ended; its place may be used again.
  void forget_worker(unsigned index) { workers_[index].reset(); }

  /// -1: it does not answer, or has no such series.
  double of_worker(unsigned index, const std::string& name) const;
  double of_directory(const std::string& name) const;
  std::vector<Seen> seen_workers() const;
  Seen seen_gateway() const;
  Seen seen_directory() const;
  Seen seen_session() const;
  /// For each worker that was started and not forgotten, from now on for this long.
  std::vector<Consumed> consumed_in(double seconds) const;
  /// Each of them has a standby in sync. Waits for up to 30 s.
  bool in_sync() const;
  static bool within(double seconds, const std::function<bool()>& done);

  // For a world that fights.
  std::filesystem::path outcome_log() const { return folder_ / "outcomes.csv"; }
  std::filesystem::path world_store() const { return folder_ / "world.db"; }

  /// Ends the bots and returns their gaps. An error if there were more than they list.
  Result<std::vector<Gap>> gaps();
  /// Empty: all players kept avatar and connection. After gaps().
  std::string lost() const;

 private:
  Seen seen(const process_test::Child& process, unsigned port) const;
  std::vector<Consumed> consumed() const;
  /// Failures are printed.
  void keep_logs();
  std::string gap_file() const { return (folder_ / "gaps.csv").string(); }
  std::unique_ptr<process_test::Child> start(const std::string& name, const std::string& binary,
                                             std::vector<std::string> more) const;

  unsigned base_;
  unsigned players_;
  FleetWorld world_;
  std::filesystem::path folder_;
  std::unique_ptr<process_test::Child> directory_, gateway_, session_, bots_;
  std::unique_ptr<process_test::Child> workers_[workers_max];
};

}  // namespace perigee::bench
