/// How much a player's path carries, as far as our own traffic shows it: a delay-based controller,
/// like LEDBAT (RFC 6817), fed by the round trips of acknowledged blocks. If a queue stands on the
/// path and less arrives than is sent, the worker sends less. A queue through which all arrives
/// belongs to others, e.g. to a download, and so does one that does not yield: giving way to it
/// would gain nothing.
#pragma once

#include <array>
#include <cstddef>
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
  /// Afterwards the controller leaves that path alone for so long, and for twice as long each time.
  static constexpr Micros pause_us = 30'000'000, pause_us_max = 480'000'000;
  /// A queue that has yielded was our own: for so long afterwards another one counts as our own.
  static constexpr Micros narrow_us = 120'000'000;
  /// A queue counts as our own for so long at first, because a newcomer is sent the most.
  static constexpr Micros newcomer_us = 8'000'000;
  /// For the avatar's next owner, because a migration does not change the path.
  struct Knowledge {
    std::optional<double> limit;
    PathQueue::Shortest shortest;
    Micros narrow_for_us = newcomer_us;  ///< so long a queue counts as our own, without a loss
    Micros paused_for_us = 0;
    Micros next_pause_us = pause_us;
  };

  RateControl() = default;
  explicit RateControl(const Knowledge& known);
  Knowledge knowledge() const;

  /// From the sending of a block to the arrival of its acknowledgement, in real time: while world
  /// time is slowed, a tick is longer.
  void note_round_trip(Micros us) { path_.note(us); }
  struct Sent {
    double bytes = 0;          ///< since the last update, packet headers included
    bool held_back = false;    ///< the path, or a former limit, makes it less than it would be
    std::uint32_t blocks = 0;  ///< ticks with blocks,
    std::uint32_t blocks_arrived = 0;  ///< and those that were acknowledged
    /// The player's inputs are late: the queue is on the other way, where acknowledgements wait.
    bool late_inputs = false;
  };
  /// Once a second.
  void update(Tick now, const Sent& sent);
  /// Bytes a second, packet headers included. None: the path is not known to be narrow.
  std::optional<double> limit() const { return limit_; }
  /// How long a packet waits in queues of the path, by the round trips before the last update.
  Micros queue_us() const { return queue_us_; }

 private:
  static Micros to_us(std::int64_t ticks) { return ticks * 1'000'000 / default_tick_rate_hz; }
  void give_up();
  /// To that part of the former limit, or of the bytes that were sent if these are fewer.
  void reduce(double sent_bytes, double part, Micros round_trip_us);
  /// Share of the sent blocks that the path has carried while a queue stood; none: enough, or not
  /// known.
  std::optional<double> deficient_share() const;
  void raise(const Sent& sent);
  bool obeyed(double sent_bytes) const;

  struct Second {
    std::uint32_t blocks = 0, arrived = 0;
    Micros queue_before_us = 0;
  };
  std::array<Second, 5> standing_{};  ///< of a standing queue; a ring
  std::size_t standing_s_ = 0;
  PathQueue path_;
  std::optional<double> limit_;
  std::optional<Tick> updated_;
  Micros now_us_ = 0;  ///< the sum of the time between updates
  Micros queue_us_ = 0;
  Micros longest_queue_us_ = 0;  ///< since the first of the reductions in a row
  int reductions_ = 0;           ///< in a row
  Micros judged_at_us_ = 0;      ///< the last reduction shows its effect from here on ..
  Micros obeyed_by_us_ = 0;      ///< .. if it is obeyed, which counts as true from here on
  Micros narrow_until_us_ = newcomer_us;
  Micros paused_until_us_ = 0;
  Micros next_pause_us_ = pause_us;
};

}  // namespace perigee::worker
