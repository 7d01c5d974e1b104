/// What a simulation worker's core is set to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "perigee/replay/flight_recorder.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/worker/player.hpp"

namespace perigee::worker {

struct Settings {
  std::uint32_t players_max = 500;  ///< per worker; more are refused
  /// Own ones, those of a worker that this one is the buddy of, and ghosts; more are refused. 0.85
  /// kB each are taken at start.
  std::uint32_t entities_max = 16384;
  InputTimeline::Settings inputs;  ///< window P, repeats, how far ahead
  /// Ticks of actors that one tick may run again, about 1 us each. More: ticks that take too long;
  /// less: what many late inputs made wrong stays so.
  std::int32_t rewind_steps_max = 1000;
  /// A player may make so many of its ticks run again by late inputs, and regains ten a second.
  /// Once they are spent, shots meet the player where others saw it. More: strafing with late
  /// inputs makes a player hard to hit; less: a player on a bad network is hit where it was before.
  std::int32_t late_ticks_max = 240;
  replication::ReplicationSettings replication;
  std::int32_t announce_ticks_min = 9;     ///< promises take effect at least this much later
  std::int32_t announce_ticks_max = 60;    ///< however slow the player's link is
  std::int32_t claim_ahead_ticks = 15;     ///< claims for later ticks are not kept
  double reset_m = 5;                      ///< a claim this far off is a hard reset (V7)
  std::int32_t reset_parent_ticks = 60;    ///< so is another parent for this long
  std::int32_t reset_rest_ticks = 60;      ///< at least this long between two
  std::size_t journal_entries_max = 4096;  ///< the newest are kept; 32 bytes each
  std::size_t flights_max = 4096;          ///< arrows in the air; more are not loosed, and counted
  /// An avatar lingers for 30 s after its client was last heard of. More: bodies of people who are
  /// gone; less: who comes back later starts over.
  std::int32_t silence_ticks_max = 1800;
  /// Keeps the last seconds of every player, to be written down: see Core::recording().
  std::optional<replay::RecorderSettings> recorder;
  /// A group that takes more stays with this worker: no link carries it.
  std::size_t group_bytes_max = 15 << 20;
  /// Groups that left may take so much as long as nobody has said to have them; what would leave
  /// after that waits. More: memory, and copies that take longer to be whole; less: while a
  /// neighbour is silent fewer go to others.
  std::size_t in_doubt_bytes_max = 64 << 20;
  /// What the buddy is told goes in words of so many bytes; if that is much, one each tick. More: a
  /// link whose other end reads slowly is lost; less: a new buddy has everything later.
  std::size_t replica_word_bytes = 1 << 20;
  double surprise_m = 0.5;  ///< a claim this far off is a surprise: worth a recording
};

}  // namespace perigee::worker
