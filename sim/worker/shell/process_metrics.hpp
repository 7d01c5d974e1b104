/// The metrics of a worker's process, one row each; the core's counters have a table of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perigee/base/interest.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/worker/tick/tick_budget.hpp"
#include "perigee/world/slow_calls.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::worker {

// The period of 60 Hz is a boundary. Below it, the range of a healthy worker has steps of about 2.
inline constexpr std::array tick_s{0.00025, 0.0005, 0.001,    0.002, 0.004,  0.006, 0.008,
                                   0.01,    0.0125, 0.016667, 0.025, 0.0333, 0.05};
inline constexpr std::array phase_s{0.00001, 0.00002, 0.00005, 0.0001, 0.0002,  0.0005,
                                    0.001,   0.002,   0.004,   0.008,  0.016667};
// One stamp is 65 us; a healthy private network is below 1 ms.
inline constexpr std::array transit_bounds_s{0.00005, 0.0001, 0.0002, 0.0005, 0.001,
                                             0.002,   0.005,  0.01,   0.02,   0.05};
// Late inputs that still count, the lead's target of 1 ms, ticks, and a playout buffer's 50 to
// 66.7 ms.
inline constexpr std::array wait_bounds_s{-0.25, -0.05,  -0.0167, 0.0,  0.001,  0.002, 0.003, 0.005,
                                          0.008, 0.0167, 0.033,   0.05, 0.0667, 0.1,   0.25};

inline constexpr std::array store_part_s{0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                         0.5,   1.0,  2.0,  5.0,  15.0};

inline constexpr std::array<std::string_view, enum_count<TickPhase>> phases{
    "rewind", "bodies", "actors", "judge", "gather", "publish", "send"};
inline constexpr std::array<std::string_view, interest_rings> rings{"0", "1", "2", "3"};
enum class BlockPart : std::uint8_t { Header, Own, Events, Tracks, Cues, last = Cues };
inline constexpr std::array<std::string_view, enum_count<BlockPart>> block_parts{
    "header", "own", "events", "tracks", "cues"};
inline constexpr std::array<std::string_view, enum_count<world_store::StoreFault>> store_faults{
    "disk_full", "locked", "unreachable", "other"};

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  Histogram tick =
      histogram({.name = "sim_tick_seconds",
                 .help = "Duration of one tick's work, from its first step to its last datagram.",
                 .note = "see above; the period of 60 Hz is a bucket boundary. p99 over 8 ms: "
                         "fewer players per worker, more workers",
                 .bounds = tick_s});

  Histogram tick_cpu =
      histogram({.name = "sim_tick_cpu_seconds",
                 .help = "CPU time of one tick's work.",
                 .note = "`rate(perigee_sim_tick_cpu_seconds_sum[1m]) / "
                         "rate(perigee_sim_tick_cpu_seconds_count[1m])`; far below "
                         "`perigee_sim_tick_seconds`: the machine's CPUs are overcommitted",
                 .bounds = tick_s});

  HistogramOf<TickPhase> phase = histograms<TickPhase>(
      {.name = "sim_phase_seconds",
       .label = "phase",
       .help = "Duration of each phase of a tick, in order.",
       .note = "`topk(3, sum by (phase) (rate(perigee_sim_phase_seconds_sum[1m])))` seconds per "
               "second: rewind grows with late inputs, bodies with moving entities, publish with "
               "players. The rest of `perigee_sim_tick_seconds` is the socket",
       .bounds = phase_s},
      phases);

  Histogram fabric_transit = histogram(
      {.name = "sim_fabric_transit_seconds",
       .help = "Transit of a player's frame from the gateway's kernel to the worker's; at most 256 "
               "samples per tick.",
       .note = "`histogram_quantile(0.99, sum by (le) "
               "(rate(perigee_sim_fabric_transit_seconds_bucket[1m])))`; over 5 ms: the gateway "
               "stalls (`perigee_gateway_receive_to_forward_seconds`), or the network between "
               "them. Resolution 65 µs; not more accurate than both clock errors",
       .bounds = transit_bounds_s});

  Histogram input_wait = histogram(
      {.name = "sim_input_wait_seconds",
       .help = "Time from an input's arrival to the tick that consumes it; 0 or less: late.",
       .note = "`histogram_quantile(0.5, sum by (le) "
               "(rate(perigee_sim_input_wait_seconds_bucket[1m])))`; about 1 ms with the lead, "
               "plus the clients' earliness. At most 0: late, used by a rollback",
       .bounds = wait_bounds_s});

  Counter overruns =
      counter({.name = "sim_overruns_total",
               .help = "Ticks whose work took longer than their period.",
               .note = "`rate(perigee_sim_overruns_total[1m])`; `./perigee up` fails at 0.1 %"});

  CounterOf<TickPhase> phase_over_budget = counters<TickPhase>(
      {.name = "sim_phases_over_budget_total",
       .label = "phase",
       .help = "Ticks over their budget in which this phase took more than its share.",
       .note = "`sum by (phase) (rate(perigee_sim_phases_over_budget_total[1m]))`: which phase to "
               "examine when ticks take more than three quarters of their period. rewind: late "
               "inputs, see `sim.window_ticks`; bodies: the game's rigid bodies; actors, judge: "
               "players; gather: entities; publish, send: players that see each other. "
               "`docs/tuning.md` lists the shares"},
      phases);

  Gauge give_way_step = gauge(
      {.name = "sim_give_way_step",
       .help = "How much the update rate of distant entities is reduced to keep ticks in time: 0 "
               "(not) to 4.",
       .note =
           "0; above: ticks take too long, and distant entities are updated less often until they "
           "do not. Lasting: fewer players per worker (`sim.players_max`), or more workers"});

  Counter late_starts = counter({.name = "sim_late_starts_total",
                                 .help = "Ticks that began more than one period late.",
                                 .note = "`rate(perigee_sim_late_starts_total[1m])` without "
                                         "overruns: the machine stalls, not the tick"});

  Gauge overload_level = gauge(
      {.name = "sim_overload_level",
       .help = "0: ticks are in time; 1: distant entities are updated less often; 2: overloaded "
               "all the same.",
       .note = "2 for long: see `perigee_directory_time_rate_ratio`, whether world time is slowed",
       .former_name = "sim_overload_rung"});

  Gauge time_rate = gauge(
      {.name = "sim_time_rate_ratio",
       .help = "World time per real time, in the current tick.",
       .note = "as `perigee_directory_time_rate_ratio`, a second later; the same at all workers"});

  Gauge largest_island = gauge(
      {.name = "sim_largest_island_seconds",
       .help =
           "CPU time per tick of the largest group of entities that only one worker can simulate.",
       .note = "near 0.015: one entity with everything that stands on it or touches it takes a "
               "whole worker, and splitting regions does not help"});

  Gauge tick_lag =
      gauge({.name = "sim_tick_lag_seconds",
             .help = "How far this worker's simulation is behind world time.",
             .note = "grows: the worker is overloaded. It catches up 4 ticks per turn"});

  Counters flight_recordings =
      counters({.name = "sim_flight_recordings_total",
                .label = "result",
                .help = "Flight recordings written, and lost to a failing disk.",
                .note = "`rate(perigee_sim_flight_recordings_total{result=\"lost\"}[5m])` is 0; "
                        "otherwise the disk of `--sim-flight-dir` is full, or its folder is gone"});
  Counter recordings_written = value(flight_recordings, "written");
  Counter recordings_lost = value(flight_recordings, "lost");

  Counters recorder_orders = counters(
      {.name = "sim_recorder_orders_total",
       .label = "result",
       .help = "Calls of Sim.ArmRecorder that armed a player's recorder, or found all in use.",
       .note = "refused: stop recording another player, or raise `sim.recorders`"});
  Counter recorders_armed = value(recorder_orders, "armed");
  Counter recorders_refused = value(recorder_orders, "refused");

  Gauge recorders_in_use = gauge({.name = "sim_recorders_in_use",
                                  .help = "Players that operators record, of `sim.recorders`.",
                                  .note = "each costs a tick some microseconds"});

  Counter recordings_sent =
      counter({.name = "sim_recordings_sent_total",
               .help = "Recordings of armed players that viewers fetched.",
               .note = "`rate(perigee_sim_recordings_sent_total[1m])`: one a second for each open "
                       "page Lens at the most"});

  Histogram recorder_copy = histogram(
      {.name = "sim_recorder_copy_seconds",
       .help = "How long copying a recorder for a viewer held up the loop, between ticks.",
       .note = "about 0.1 ms; bounded by the recorder's 1.4 MB",
       .bounds = phase_s});

  Counter blocks =
      counter({.name = "sim_blocks_total",
               .help = "Blocks written for clients.",
               .note = "`sum(rate(perigee_sim_block_bytes_total[1m])) / "
                       "sum(rate(perigee_sim_blocks_total[1m]))` bytes per block, at most 1131"});

  CounterOf<BlockPart> block_bytes = counters<BlockPart>(
      {.name = "sim_block_bytes_total",
       .label = "part",
       .help =
           "Bytes of the blocks written for clients: headers, own sections, events, tracks, cues.",
       .note = "`sum by (part) (rate(perigee_sim_block_bytes_total[1m]))`"},
      block_parts);

  CounterOf<std::size_t> records_of_ring =
      counters<std::size_t>({.name = "sim_records_total",
                             .label = "ring",
                             .help = "Entity records written, by interest ring from near to far.",
                             .note = "`sum by (ring) (rate(perigee_sim_records_total[1m]))`; shows "
                                     "which distance takes the bytes"},
                            rings);

  Counter records_over_limit = counter(
      {.name = "sim_records_over_limit_total",
       .help = "Entity records due, but over the limit of blocks per send slot.",
       .note =
           "`rate(perigee_sim_records_over_limit_total[1m])`; above 0: a crowd, before the update "
           "rates have adapted; lower `replication.near_max`. One slot has eight blocks"});

  Counter known_full =
      counter({.name = "sim_known_full_total",
               .help = "Entities not replicated to a client that already holds its maximum.",
               .note = "`rate(perigee_sim_known_full_total[1m])`; above 0: distant entities are "
                       "missing; use a smaller size class for small entities"});

  Counters fabric_datagrams = counters(
      {.name = "sim_fabric_datagrams_total",
       .label = "direction",
       .help = "Fabric datagrams, good or bad.",
       .note = "`8 * sum by (direction) (rate(perigee_sim_fabric_bytes_total[1m]))` bits/s"});
  Counter datagrams_in = value(fabric_datagrams, "in");
  Counter datagrams_out = value(fabric_datagrams, "out");

  Counters fabric_bytes = counters({.name = "sim_fabric_bytes_total",
                                    .label = "direction",
                                    .help = "UDP payload bytes on the fabric, good or bad.",
                                    .note = "as `perigee_sim_fabric_datagrams_total`"});
  Counter bytes_in = value(fabric_bytes, "in");
  Counter bytes_out = value(fabric_bytes, "out");

  Counters socket_losses = counters({.name = "sim_socket_losses_total",
                                     .label = "cause",
                                     .help = "Datagrams that the fabric socket lost.",
                                     .note = "as at the gateway"});
  Counter lost_in_kernel_buffer = value(socket_losses, "kernel_buffer");
  Counter lost_oversized = value(socket_losses, "oversized");
  Counter lost_from_send_queue = value(socket_losses, "send_queue");
  Counter lost_by_failed_send = value(socket_losses, "send_failed");

  Gauge messages_open = gauge(
      {.name = "sim_mailbox_messages_open",
       .help = "Mailbox messages not yet acknowledged.",
       .note =
           "`max(perigee_sim_mailbox_messages_open)`; hundreds that do not fall: a link between "
           "workers is down, or a standby does not answer",
       .former_name = "sim_letters_open"});

  Gauge groups_in_doubt =
      gauge({.name = "sim_groups_in_doubt",
             .help = "In-doubt groups: sent, but not acknowledged by their receiver; no worker "
                     "simulates them.",
             .note = "`sum(perigee_sim_groups_in_doubt) > 0`; for longer than seconds: "
                     "`perigee-ctl in-doubt` lists the reason and the remedy for each group"});

  Gauge groups_remembered =
      gauge({.name = "sim_groups_remembered",
             .help = "Groups that ever migrated, in the logs of this worker's incarnation and of "
                     "those that it took over.",
             .note = "`max(perigee_sim_groups_remembered)`; grows with each group that migrates "
                     "for the first time, and never falls within an incarnation. Millions: some "
                     "hundred megabytes, and slower copies to the standby and failovers. Drain "
                     "that worker and restart it: its next incarnation starts empty "
                     "([0041](decisions/0041-migration-ledger-keeps-every-group.md))"});

  Gauge oldest_doubt =
      gauge({.name = "sim_oldest_doubt_seconds",
             .help = "Age of the oldest in-doubt group.",
             .note = "`max(perigee_sim_oldest_doubt_seconds)`; the alert `GroupsInDoubt` fires at "
                     "10 s: the players of that group cannot move meanwhile"});

  Gauges links = gauges(
      {.name = "sim_links",
       .label = "state",
       .help = "Workers with which a link is required, by state of the link.",
       .note =
           "`sum(perigee_sim_links{state=\"down\"}) > 0` for more than 10 s: no migrations across "
           "that border, and the neighbour's ghosts are gone; `perigee_sim_link_refusals_total` "
           "has the reason. Every worker with a region has a link with every other one"});
  Gauge links_up = value(links, "up");
  Gauge links_down = value(links, "down");

  Gauge standby_in_sync = gauge(
      {.name = "sim_standby_in_sync",
       .help = "1: the standby is in sync and could take over without loss.",
       .note = "`min(perigee_sim_standby_in_sync)`; 0 for more than 10 s with several workers: "
               "a death would lose the worker's entities (alert `NoCopy`), see "
               "[standbys](operations.md#standbys)",
       .former_name = "sim_buddy_in_sync"});

  CounterOf<world_store::StoreFault> store_fault = counters<world_store::StoreFault>(
      {.name = "sim_world_store_faults_total",
       .label = "kind",
       .help = "Failed calls to the world store.",
       .note = "`sum by (kind) (rate(perigee_sim_world_store_faults_total[1m]))`: 0. The log has "
               "the error with the remedy ([stores](stores.md#the-durable-world))"},
      store_faults);

  CounterOf<world::GameFunction> slow_game_calls = counters<world::GameFunction>(
      {.name = "sim_slow_game_calls_total",
       .label = "function",
       .help = "Calls of a function of the game that took longer than sim.game_call_us_max.",
       .note = "`sum by (function) (rate(perigee_sim_slow_game_calls_total[1m]))`: 0. The log has "
               "the duration, tick and actor of the first one. Some at a busy time: the "
               "machine is shared"},
      world::game_functions);

  Gauge store_rows_waiting =
      gauge({.name = "sim_world_store_rows_waiting",
             .help = "Outcomes not yet in the world store.",
             .note = "`max(perigee_sim_world_store_rows_waiting)`: outcomes of the last 0.1 s. "
                     "Growing: the store fails or is too slow"});

  Gauge store_checkpoint_age = gauge(
      {.name = "sim_world_store_checkpoint_age_seconds",
       .help = "Time since the tick of the last complete checkpoint; 0 without a store or a "
               "checkpoint.",
       .note =
           "`max(perigee_sim_world_store_checkpoint_age_seconds)`: 0 to 17; the time that would "
           "be lost if all workers died now. Alert `WorldCutOld`",
       .former_name = "sim_world_store_cut_age_seconds"});

  Gauge store_behind =
      gauge({.name = "sim_world_store_behind",
             .help = "1: the world store fails, and outcomes sent to players may be lost.",
             .note = "`max(perigee_sim_world_store_behind)`: 0. 1: see the worker's log; alert "
                     "`WorldStoreBehind`"});

  Histogram store_part =
      histogram({.name = "sim_world_store_part_seconds",
                 .help = "Duration of writing this worker's checkpoint part into the world store.",
                 .note = "`histogram_quantile(0.99, sum by (le) "
                         "(rate(perigee_sim_world_store_part_seconds_bucket[5m])))`: below 1. "
                         "Above 7: the disk is busy with checkpoints for half of the time",
                 .bounds = store_part_s});

  Gauge players =
      gauge({.name = "sim_players",
             .help = "Avatars owned.",
             .note = "`sum(perigee_sim_players)` equals `sum(perigee_gateway_sessions_playing)`; "
                     "more: lingering avatars of lost players, for at most 30 s"});

  Gauges entities = gauges({.name = "sim_entities",
                            .label = "role",
                            .help = "Entities known to this worker, by role.",
                            .note = "ghost: entities of other workers within 128 m of this "
                                    "worker's regions, or of its entities elsewhere"});
  Gauge entities_owned = value(entities, "owned");
  Gauge ghosts = value(entities, "ghost");

  Gauge handles_left = gauge(
      {.name = "sim_handles_left",
       .help = "Handles that this worker can still give to new entities. None is used again before "
               "the worker starts again.",
       .note = "a game that spawns takes one for each; the last sixteenth is kept for players. "
               "Restart the worker in time: its standby goes on"});

  Gauge observers = gauge(
      {.name = "sim_observers",
       .help = "Clients that receive entities from this worker, other workers' players included.",
       .note = "`perigee_sim_observers / perigee_sim_players`"});

  Gauge gap_steps_most = gauge(
      {.name = "sim_gap_steps_most",
       .help = "The most steps of players that were kept at once while gaps in their inputs were "
               "open, since the worker's world began. A step takes 8 kB.",
       .note = "grows when the paths of many players are interrupted at once, and with it "
               "`perigee_process_resident_memory_bytes`. At 6144, gaps are given up"});

  Gauge clock_error = gauge({.name = "sim_clock_error_seconds",
                             .help = "Upper bound of the clock error against the directory.",
                             .note = "as `perigee_gateway_clock_error_seconds`"});
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::worker
