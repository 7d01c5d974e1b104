/// The metrics of a process of rooms, one row each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/rooms/room_plan.hpp"
#include "perigee/rooms/room_records.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::rooms {

// A tick is due every 16.7 ms, and all rooms share that time.
inline constexpr std::array room_tick_s{0.00002, 0.00005, 0.0001, 0.0002, 0.0005,
                                        0.001,   0.002,   0.005,  0.0167, 0.05};
inline constexpr std::array room_late_s{0.0001, 0.0005, 0.001, 0.002,  0.004,
                                        0.008,  0.0167, 0.05,  0.1667, 1.0};
inline constexpr std::array room_create_s{0.001, 0.002, 0.005, 0.0167, 0.05, 0.1, 0.5};
inline constexpr std::array room_rtt_s{0.001, 0.01, 0.02, 0.035, 0.05, 0.075,
                                       0.1,   0.15, 0.2,  0.3,   0.5,  1.0};

/// How the public socket loses datagrams.
enum class SocketLoss : std::uint8_t {
  KernelBuffer,
  Other,
  SendQueue,
  SendFailed,
  last = SendFailed
};

/// Of the gateway's events, those that a process of rooms can have.
enum class SessionEvent : std::uint8_t {
  Started,
  Joined,
  Left,
  TimedOut,
  Replaced,
  EndedByGateway,
  JoinRefused,
  JoinUnanswered,
  JoinRepeated,
  Moved,
  Kicked,
  WithoutRoom,
  last = WithoutRoom
};
inline constexpr std::array<std::string_view, enum_count<SessionEvent>> session_event_names{
    "started",      "joined",          "left",          "timed_out", "replaced", "ended_by_gateway",
    "join_refused", "join_unanswered", "join_repeated", "moved",     "kicked",   "without_room"};
inline constexpr std::array<gateway::Count, enum_count<SessionEvent>> session_event_counts{
    gateway::metric.sessions_started,
    gateway::metric.sessions_joined,
    gateway::metric.sessions_left,
    gateway::metric.sessions_timed_out,
    gateway::metric.sessions_replaced,
    gateway::metric.sessions_ended_by_gateway,
    gateway::metric.joins_refused,
    gateway::metric.joins_unanswered,
    gateway::metric.joins_repeated_for_lost_owner,
    gateway::metric.sessions_moved,
    gateway::metric.sessions_kicked,
    gateway::metric.sessions_without_room};

inline constexpr std::array<std::string_view, enum_count<EndReason>> end_reason_names{
    "none", "asked", "empty", "unused", "finished", "too_old", "stopping", "too_slow"};
inline constexpr std::array<std::string_view, enum_count<Refusal>> refusal_names{
    "stopping",     "rooms_full", "overloaded", "no_such_stage", "too_long",      "players_max",
    "no_such_room", "room_ended", "room_full",  "clients_full",  "no_such_player"};

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  Gauges rooms = gauges({.name = "rooms_open",
                         .label = "state",
                         .help = "Rooms by state; waiting: no client has come yet; ending: the "
                                 "room is over, and its records are on their way to the store.",
                         .note = "near `rooms.max`: start another process. Many waiting for long: "
                                 "invited players do not arrive. Many ending: the world store "
                                 "is slow or away"});
  Gauge rooms_waiting = value(rooms, "waiting");
  Gauge rooms_playing = value(rooms, "playing");
  Gauge rooms_ending = value(rooms, "ending");

  Gauge players = gauge({.name = "rooms_players",
                         .help = "Clients connected.",
                         .note = "near `rooms.clients_max`: start another process"});

  Counter created = counter({.name = "rooms_created_total",
                             .help = "Rooms begun.",
                             .note = "`rate(perigee_rooms_created_total[5m])`"});

  CounterOf<EndReason> ended = counters<EndReason>(
      {.name = "rooms_ended_total",
       .label = "reason",
       .help = "Rooms ended, by reason.",
       .note = "`sum by (reason) (rate(perigee_rooms_ended_total[5m]))`. Many unused: the "
               "matchmaker creates rooms that no player reaches. Many empty: players leave before "
               "the game ends the room. too_slow: ticks of the game take too long, see "
               "`rooms.tick_us_max`"},
      end_reason_names);

  CounterOf<Refusal> refused = counters<Refusal>(
      {.name = "rooms_refused_total",
       .label = "reason",
       .help = "Orders for rooms and invitations refused, by reason.",
       .note = "`sum by (reason) (rate(perigee_rooms_refused_total[5m]))`. rooms_full, overloaded, "
               "clients_full: start another process"},
      refusal_names);

  Counter invitations = counter({.name = "rooms_invitations_total",
                                 .help = "Connect tokens made for players.",
                                 .note = "`rate(perigee_rooms_invitations_total[5m])`"});

  Histogram tick = histogram(
      {.name = "rooms_tick_seconds",
       .help = "Time of a tick of one room.",
       .note = "`sum(rate(perigee_rooms_tick_seconds_sum[1m]))` is the part of a core that all "
               "ticks take: above 0.6, start another process. ListRooms shows the rooms with long "
               "ticks",
       .bounds = room_tick_s});

  Histogram tick_late = histogram(
      {.name = "rooms_tick_late_seconds",
       .help = "Time from the moment when a room's tick is due until it begins.",
       .note =
           "`histogram_quantile(0.99, sum by (le) "
           "(rate(perigee_rooms_tick_late_seconds_bucket[1m])))`; over 8 ms: too many rooms, or "
           "the machine is busy. No further rooms begin while half of the ticks are so late",
       .bounds = room_late_s});

  Counter ticks_skipped = counter(
      {.name = "rooms_ticks_skipped_total",
       .help = "Ticks skipped because the process stood still for more than 5 s.",
       .note = "`increase(perigee_rooms_ticks_skipped_total[10m]) > 0`: the machine was suspended, "
               "or starved this process"});

  Histogram create =
      histogram({.name = "rooms_create_seconds",
                 .help = "Time that the begin of a room took; the ticks of other rooms wait.",
                 .note = "over 5 ms: the game's `populate` does much; make its levels once, in the "
                         "constructor of the game",
                 .bounds = room_create_s});

  Histogram rtt =
      histogram({.name = "rooms_client_rtt_seconds",
                 .help = "Round trip between client and process, as clients measure it.",
                 .note = "`histogram_quantile(0.5, sum by (le) "
                         "(rate(perigee_rooms_client_rtt_seconds_bucket[5m])))`",
                 .bounds = room_rtt_s});

  CounterOf<CorrectionCause> corrections = counters<CorrectionCause>(
      {.name = "rooms_client_corrections_total",
       .label = "cause",
       .help = "Corrections of predictions, by cause.",
       .note = "`sum by (cause) (rate(perigee_rooms_client_corrections_total[5m])) * 60 / on() "
               "group_left sum(perigee_rooms_players)`: per minute and player"},
      names_of(correction_cause_rows));

  CounterOf<SessionEvent> session_events = counters<SessionEvent>(
      {.name = "rooms_session_events_total",
       .label = "event",
       .help = "Events of clients' sessions.",
       .note = "as `perigee_gateway_session_events_total`. without_room: the client's room has "
               "ended. kicked: by `RemovePlayer`"},
      session_event_names);

  CounterOf<RecordEnd> records = counters<RecordEnd>(
      {.name = "rooms_records_total",
       .label = "result",
       .help = "Profiles and results of matches, by what became of them.",
       .note = "`sum by (result) (rate(perigee_rooms_records_total[5m]))`: stored. superseded: a "
               "newer session of the player has the profile, or the match had a result already. "
               "lost: the store did not answer within 10 s after the end of the room. fenced: the "
               "store was replaced by that of a cluster"},
      std::array<std::string_view, 4>{"stored", "superseded", "fenced", "lost"});

  CounterOf<world_store::StoreFault> store_fault = counters<world_store::StoreFault>(
      {.name = "rooms_world_store_faults_total",
       .label = "kind",
       .help = "Failed calls to the world store.",
       .note = "`sum by (kind) (rate(perigee_rooms_world_store_faults_total[1m]))`: 0. The log has "
               "the error with the remedy ([stores](stores.md#the-durable-world))"},
      std::array<std::string_view, 4>{"disk_full", "locked", "unreachable", "other"});

  Gauge store_behind =
      gauge({.name = "rooms_world_store_behind",
             .help = "1: the world store fails, and players cannot join.",
             .note = "`max(perigee_rooms_world_store_behind)`: 0. 1: see the log"});

  Counters drops = counters({.name = "rooms_drops_total",
                             .label = "reason",
                             .help = "Datagrams, frames and blocks dropped.",
                             .note = "as `perigee_gateway_drops_total`"});
  CounterOf<transport::Drop> transport_drops =
      values<transport::Drop>(drops, names_of(transport::drop_rows));
  CounterOf<gateway::Drop> gateway_drops =
      values<gateway::Drop>(drops, names_of(gateway::drop_rows));

  CounterOf<SocketLoss> socket_losses = counters<SocketLoss>(
      {.name = "rooms_socket_losses_total",
       .label = "cause",
       .help = "Datagrams lost at the public port.",
       .note = "`sum by (cause) (rate(perigee_rooms_socket_losses_total[1m]))`. kernel_buffer: the "
               "loop was late, or raise `net.core.rmem_max` (4 MiB are requested)"},
      std::array<std::string_view, 4>{"kernel_buffer", "other", "send_queue", "send_failed"});
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::rooms
