/// Settings of a simulation worker's core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "perigee/replay/flight_recorder.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/worker/players/player.hpp"

namespace perigee::worker {

struct Settings {
  std::uint32_t players_max = 500;  ///< per worker; more are refused
  /// The game's NPCs per worker: further ones are not spawned, those that come from other workers
  /// are taken. About 0.3 MB each, and each costs as much of a tick as a player.
  std::uint32_t npcs_max = 256;
  /// Messages of a client that the game hears in a second; as many at once after a pause. Further
  /// ones wait at the client. More: a flood of one player costs the ticks of all; less: a chat
  /// lags.
  std::uint32_t player_messages_per_s = 20;
  /// Own entities, those in standby replicas held here, and ghosts; more are refused. 0.85 kB each
  /// are allocated at start.
  std::uint32_t entities_max = 16384;
  InputTimeline::Settings inputs;  ///< window P, repeats, how far ahead
  /// Actor ticks that one tick may re-simulate, about 1 us each. More: ticks that take too long;
  /// less: ticks that late inputs made wrong stay wrong.
  std::int32_t rewind_steps_max = 1000;
  /// Ticks that a player's late inputs may re-simulate; ten per second are regained. When they are
  /// used up, shots hit the player where others saw it. More: strafing with late inputs makes a
  /// player hard to hit; less: a player on a bad network is hit at its old place.
  std::int32_t late_ticks_max = 240;
  /// Steps that are kept, in all, of players whose inputs have a gap longer than half a second; 7
  /// kB each are reserved. More: more players whose outage is bridged; less: the others' inputs of
  /// that time are lost.
  std::size_t gap_steps_max = 6144;
  /// Steps that the inputs of one player may run again in gaps; one is regained in each tick. When
  /// they are used up, later gaps stay as guessed. More: queues of seconds are bridged for longer;
  /// less: less work for players that are always late.
  std::int32_t gap_replays_max = 3600;
  replication::ReplicationSettings replication;
  /// Minimum delay before an announced change takes effect.
  std::int32_t announce_ticks_min = 9;
  std::int32_t announce_ticks_max = 150;   ///< maximum delay, however slow the player's link is
  std::int32_t claim_ahead_ticks = 15;     ///< claims for later ticks are dropped
  double reset_m = 5;                      ///< a claim this far off causes a hard reset
  std::int32_t reset_parent_ticks = 60;    ///< another parent for this long causes one, too
  std::int32_t reset_rest_ticks = 60;      ///< minimum between two hard resets
  std::size_t journal_entries_max = 4096;  ///< the newest are kept; 32 bytes each
  std::size_t projectiles_max = 4096;      ///< projectiles in flight; more are refused and counted
  /// An avatar is removed 30 s after the last packet of its client. More: avatars of disconnected
  /// players stay longer; less: a client that comes back later starts over.
  std::int32_t silence_ticks_max = 1800;
  /// Keeps the last seconds of every player for recordings: see Core::recording().
  std::optional<replay::RecorderSettings> recorder;
  /// Recorders of 30 s that operators arm for single players; each takes 1.4 MB at start.
  std::uint32_t recorders = 0;
  /// A larger group stays with this worker, because a link cannot carry it.
  std::size_t group_bytes_max = 15 << 20;
  /// Total size of sent groups that are not acknowledged. At this limit no further group leaves.
  /// More: memory, and standby replicas that take longer to complete; less: fewer migrations while
  /// a neighbour is silent.
  std::size_t in_doubt_bytes_max = 64 << 20;
  /// Size of the messages of the replication stream to the standby. A backlog is sent at one
  /// message per tick. More: a link with a slow reader is lost; less: a new standby takes longer to
  /// complete.
  std::size_t replica_frame_bytes = 1 << 20;
  /// Players and NPCs of a worker.
  std::size_t actors_max() const { return std::size_t{players_max} + npcs_max; }
  double misprediction_m = 0.5;  ///< a claim this far off is a misprediction and is recorded
};

}  // namespace perigee::worker
