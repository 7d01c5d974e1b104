/// How much a player's path carries, as far as our own traffic shows it: a delay-based controller,
/// like LEDBAT (RFC 6817), fed by the round trips of acknowledged blocks. If a queue stands on the
/// path, the worker sends less before packets wait for seconds. A queue that does not yield belongs
/// to others, e.g. a download or the player's own upload: giving way to it would gain nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/path_queue.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::worker {

class RateControl {
 public:
  /// The rate is not reduced further. Own state and near entities stay live.
  static constexpr double least_bytes_per_s = 2'500;
  /// So many reductions in a row without a shorter queue: the queue belongs to others.
  static constexpr int tries_max = 3;
  /// Afterwards the controller leaves that path alone.
  static constexpr Micros pause_us = 30'000'000;

  /// From the sending of a block to the arrival of its acknowledgement.
  void note_round_trip(std::int32_t ticks) { path_.note(to_us(ticks)); }
  struct Sent {
    double bytes = 0;        ///< since the last update, packet headers included
    bool held_back = false;  ///< the path, or a former limit, makes it less than it would be
  };
  /// Once a second.
  void update(Tick now, const Sent& sent);
  /// Bytes a second, packet headers included. None: the path is not known to be narrow.
  std::optional<double> limit() const { return limit_; }
  /// How long a packet waits in queues of the path, by the round trips before the last update.
  Micros queue_us() const { return queue_us_; }

 private:
  struct Queue {
    Micros round_trip_us = 0;
    Micros grown_us = 0;  ///< in the last second
  };
  static Micros to_us(std::int64_t ticks) { return ticks * 1'000'000 / default_tick_rate_hz; }
  bool obeyed(double sent_bytes) const;
  void reduce(double sent_bytes, const Queue& queue);
  void raise(const Sent& sent);

  PathQueue path_;
  std::optional<double> limit_;
  std::optional<Tick> updated_;
  Micros now_us_ = 0;  ///< the sum of the time between updates
  Micros queue_us_ = 0;
  Micros longest_queue_us_ = 0;  ///< since the first of the reductions in a row
  int reductions_ = 0;           ///< in a row
  Micros judged_at_us_ = 0;      ///< the last reduction shows its effect from here on ..
  Micros obeyed_by_us_ = 0;      ///< .. if it is obeyed, which counts as true from here on
  Micros paused_until_us_ = 0;
};

}  // namespace perigee::worker
