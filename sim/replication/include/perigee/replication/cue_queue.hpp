/// The cues that one observer is about to get: the loudest first, within a budget of bytes, each
/// until it has arrived or is too late to be played.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/replication/sent_tracks.hpp"

namespace perigee::replication {

/// Of all cues of all observers.
struct CueCounts {
  std::uint64_t sent = 0;         ///< each counts once for each observer
  std::uint64_t repeated = 0;     ///< further copies
  std::uint64_t crowded_out = 0;  ///< never sent: others were louder, and filled queue or budget
};

class CueQueue {
 public:
  /// Cues that wait for room, or for their acknowledgement. 200 players that walk around an
  /// observer make 80 in a round trip of 0.2 s.
  static constexpr std::size_t pending_max = 128;
  /// A cue that finds no room for so long is dropped. It would be played late: others are drawn
  /// about this far in the past.
  static constexpr std::int32_t unsent_ticks_max = 12;
  /// Each cue is in two blocks, so that the loss of one does not delay it, and is sent again if
  /// both were lost, so many times in all.
  static constexpr int sends_max = 5;
  /// Bytes that a pause saves up.
  static constexpr std::uint32_t burst_bytes = 400;

  struct Turn {
    Tick now;
    const SentTracks& sent;  ///< knows which blocks have arrived
    std::uint32_t budget_bytes_per_s = 0;
    /// No second copies: the path has a queue.
    bool narrow = false;
  };

  /// `faintness`: the distance as a share of the reach, from 0 on.
  void add(const CueEvent& cue, float faintness, Tick now, CueCounts& counts);
  /// Writes cues that are due into the rest of the block. Returns their bytes.
  std::size_t write(const Turn& turn, BlockWriter& writer, CueCounts& counts);
  bool empty() const { return pending_.empty(); }
  std::size_t size() const { return pending_.size(); }

 private:
  static constexpr std::int64_t allowance_max = std::int64_t{burst_bytes} * default_tick_rate_hz;
  struct Pending {
    CueEvent cue;
    float faintness = 0;
    Tick added;
    Tick first_sent, last_sent;
    int sends = 0;
  };
  bool make_room(float faintness, CueCounts& counts);
  void drop_done(const Turn& turn, CueCounts& counts);
  void save_up(const Turn& turn);
  static bool due(const Pending& pending, const Turn& turn);

  std::vector<Pending> pending_;  ///< by faintness
  /// Bytes that may be sent, times the ticks of a second. The cue that exhausts it is still sent.
  std::int64_t allowance_ = allowance_max;
  std::optional<Tick> saved_up_at_;
};

}  // namespace perigee::replication
