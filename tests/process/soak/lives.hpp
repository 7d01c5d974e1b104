/// Memory, descriptors and processor time of processes, from start to end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace perigee::process_test {

struct Use {
  double resident_mb = 0;
  long descriptors = 0;
  double cpu_s = 0;
};
/// Zeros if there is no such process.
Use use_of(pid_t process);

/// One process from its start to its end.
class Life {
 public:
  using Clock = std::chrono::steady_clock;
  /// Caches fill, and players arrive, until then.
  static constexpr std::chrono::seconds warm_up{180};
  /// Shorter lives are not judged. Growth by less than the limits is no leak: the heap's free
  /// lists, more entities after a failover, connections to processes that were started again. A
  /// leak of a kilobyte per second for each of 50 players is 20 MB from the warm-up to this age.
  static constexpr std::chrono::seconds judged{600};
  static constexpr double growth_mb_max = 12, growth_share_max = 0.15;
  static constexpr long descriptors_growth_max = 24;

  /// Allowed growth for each player beyond those of the warm-up: 250 kB are its last 32 steps.
  static constexpr double player_mb = 0.5;

  Life(std::string name, pid_t process) : name_(std::move(name)), process_(process) {}

  void look();
  /// Players of a worker now, and perigee_process_heap_used_bytes. A worker's growth is judged by
  /// its heap: resident memory also grows as pages of large tables are touched for the first time.
  void note_worker(double players, double heap_mb);
  double minutes() const;
  /// Whether it has lived longer than the warm-up.
  bool shows_growth() const { return warm_.has_value(); }
  /// A sentence if it has grown by too much.
  std::string grown() const;
  static std::string heading();
  std::string row() const;

 private:
  std::string name_;
  pid_t process_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point seen_ = began_;
  std::optional<Use> warm_;
  double warm_players_ = 0, most_players_ = 0;
  double warm_heap_mb_ = 0, heap_mb_ = 0;  ///< 0: no worker, or not known
  Use last_;
};

}  // namespace perigee::process_test
