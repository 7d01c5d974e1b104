/// The gateway's counters, one row each: traffic, sessions, and its own reasons to drop data.
/// Datagrams that never became a payload are counted by transport::Drop.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/counts.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/transport/drops.hpp"

namespace perigee::gateway {

struct Metrics : MetricTable<Metrics> {
  Counters packets =
      counters({.name = "gateway_packets_total",
                .label = "direction",
                .help = "Datagrams, including invalid ones.",
                .note = "`sum by (direction) (rate(perigee_gateway_packets_total[1m]))`. About 60 "
                        "in and 30 out per player; much more in: a flood, see drops"});
  // Datagrams on the public socket, good or bad.
  Counter client_datagrams_received = value(packets, "client_in");
  // Datagrams to clients.
  Counter client_datagrams_sent = value(packets, "client_out");
  // Datagrams on the listener for doors, good or bad.
  Counter door_datagrams_received = value(packets, "door_in");
  // Datagrams to clients behind doors.
  Counter door_datagrams_sent = value(packets, "door_out");
  // Datagrams on the fabric socket, good or bad.
  Counter fabric_datagrams_received = value(packets, "fabric_in");
  // Datagrams to workers.
  Counter fabric_datagrams_sent = value(packets, "fabric_out");

  Counters bytes =
      counters({.name = "gateway_bytes_total",
                .label = "direction",
                .help = "UDP payload bytes, including invalid datagrams.",
                .note = "`8 * sum by (direction) (rate(perigee_gateway_bytes_total[1m]))` bits/s; "
                        "near the link's rate: add a gateway"});
  // UDP payload bytes on the public socket, good or bad.
  Counter client_bytes_received = value(bytes, "client_in");
  // UDP payload bytes to clients.
  Counter client_bytes_sent = value(bytes, "client_out");
  // UDP payload bytes on the listener for doors, good or bad.
  Counter door_bytes_received = value(bytes, "door_in");
  // UDP payload bytes to clients behind doors.
  Counter door_bytes_sent = value(bytes, "door_out");
  // UDP payload bytes on the fabric socket, good or bad.
  Counter fabric_bytes_received = value(bytes, "fabric_in");
  // UDP payload bytes to workers.
  Counter fabric_bytes_sent = value(bytes, "fabric_out");

  Counters payloads =
      counters({.name = "gateway_payloads_total",
                .label = "direction",
                .help = "Authenticated payloads from and to clients.",
                .note = "`sum by (direction) (rate(perigee_gateway_payloads_total[1m]))`. Far "
                        "below packets: unauthenticated senders, see drops"});
  // Authenticated payloads from clients.
  Counter payloads_received = value(payloads, "in");
  // Payloads to clients.
  Counter payloads_sent = value(payloads, "out");

  Counters blocks = counters(
      {.name = "gateway_blocks_total",
       .label = "direction",
       .help = "Blocks received from workers, and packed into payloads.",
       .note = "`sum(rate(perigee_gateway_blocks_total{direction=\"in\"}[1m])) / "
               "sum(rate(perigee_gateway_payloads_total{direction=\"out\"}[1m]))` blocks per "
               "payload; with several workers 1 means that `gateway.coalesce_us` is too short"});
  // Blocks from workers for a session.
  Counter blocks_received = value(blocks, "in");
  // Blocks packed into payloads.
  Counter blocks_sent = value(blocks, "out");

  Counter frames_forwarded =
      counter({.name = "gateway_frames_forwarded_total",
               .help = "Client frames sent to workers.",
               .note = "`rate(perigee_gateway_frames_forwarded_total[1m])`; 0 while players are "
                       "connected: no worker in the map"});

  Counter telemetry_received =
      counter({.name = "gateway_telemetry_total",
               .help = "Telemetry frames accepted.",
               .note = "`rate(perigee_gateway_telemetry_total[1m])`, about one per second and "
                       "player; fewer: the `perigee_client_*` families cover few players"});

  Counters session_events = counters(
      {.name = "gateway_session_events_total",
       .label = "event",
       .help = "Session events.",
       .note = "`sum by (event) (rate(perigee_gateway_session_events_total[5m]))`. timed_out: the "
               "players' network or ours. join_refused, join_unanswered: workers full, not ready "
               "or gone. join_repeated: a worker was lost, or does not have the player as "
               "expected. searched: a client received nothing about its own avatar for 2 s; the "
               "worker is queried twice a second and stalls or does not have the avatar. "
               "other_game: all workers were stopped and now run another game or game version; "
               "that client must be updated. moved: clients changed networks and continue"});
  // Clients that connected.
  Counter sessions_started = value(session_events, "started");
  // Sessions that joined at a worker.
  Counter sessions_joined = value(session_events, "joined");
  // Clients that disconnected in good order.
  Counter sessions_left = value(session_events, "left");
  // Clients that timed out.
  Counter sessions_timed_out = value(session_events, "timed_out");
  // Sessions replaced because their client reconnected with a newer token.
  Counter sessions_replaced = value(session_events, "replaced");
  // Ended by the gateway: join refused or unanswered, bad pass, or shutdown.
  Counter sessions_ended_by_gateway = value(session_events, "ended_by_gateway");
  // Joins that a worker refused.
  Counter joins_refused = value(session_events, "join_refused");
  // Clients disconnected because no worker answered their join in time.
  Counter joins_unanswered = value(session_events, "join_unanswered");
  // Sessions that joined again because their worker is gone.
  Counter joins_repeated_for_lost_owner = value(session_events, "join_repeated");
  // Leaves given up: the worker never confirmed.
  Counter leaves_unanswered = value(session_events, "leave_unanswered");
  // Clients whose address changed during a session.
  Counter sessions_moved = value(session_events, "moved");
  // Of those, kicked by an operator.
  Counter sessions_kicked = value(session_events, "kicked");
  // Sessions taken over by the standby of a dead worker.
  Counter sessions_taken_over = value(session_events, "taken_over");
  // Disconnected because all workers now run another game or game version.
  Counter sessions_of_other_game = value(session_events, "other_game");
  // Disconnected because their room has ended.
  Counter sessions_without_room = value(session_events, "without_room");
  // Queries to workers for an avatar without updates for 2 s.
  Counter avatars_searched = value(session_events, "searched");

  Counters resume_tokens =
      counters({.name = "gateway_resume_tokens_total",
                .label = "step",
                .help = "Resume tokens, with which clients reconnect.",
                .note = "acknowledged far below asked: the session service does not answer, or the "
                        "clients use another library. refused: the clocks of gateway and session "
                        "service differ"});
  // Resume tokens requested from the session service.
  Counter resume_tokens_asked = value(resume_tokens, "asked");
  // Resume tokens sent to clients, including repeats.
  Counter resume_tokens_sent = value(resume_tokens, "sent");
  // Resume tokens acknowledged by clients.
  Counter resume_tokens_acknowledged = value(resume_tokens, "acknowledged");
  // Resume tokens of the session service that no gateway would accept.
  Counter resume_tokens_refused = value(resume_tokens, "refused");

  Counters orders = counters({.name = "gateway_technique_orders_total",
                              .label = "step",
                              .help = "Operators' technique orders to clients.",
                              .note = "unanswered: clients that use another library or an older "
                                      "version. sent far above answered: slow links"});
  // Technique orders sent to clients, including repeats.
  Counter orders_sent = value(orders, "sent");
  // Technique orders answered by clients with the techniques in use.
  Counter orders_answered = value(orders, "answered");
  // Technique orders given up: the client never answered.
  Counter orders_unanswered = value(orders, "unanswered");
};
inline constexpr Metrics metric;
using Count = Metrics::Counter;

enum class Drop : std::uint8_t {
  PassMalformed,
  PassWrongVersion,
  PassOtherGame,
  FrameMalformed,
  FrameBeforeJoined,
  FrameUnknownWorker,
  FrameUnknownKind,
  TelemetryTooOften,
  TelemetryImplausible,
  AnswerUnasked,
  FabricMalformed,
  FabricUnknownSender,
  FabricWrongClusterId,
  FabricUnexpectedRecord,
  FabricUnknownSession,
  BlockEmpty,
  BlockTooLarge,
  BlockQueueFull,
  DoorHeaderMalformed,
  DoorHeaderForged,
  DoorPathsFull,
  DoorPathOnPublicPort,
  last = DoorPathOnPublicPort
};

inline constexpr std::array drop_rows = {
    CountRow<Drop>{Drop::PassMalformed, "pass_malformed",
                   "A token with user data of another issuer."},
    CountRow<Drop>{Drop::PassWrongVersion, "pass_wrong_version",
                   "A token for another wire version."},
    CountRow<Drop>{Drop::PassOtherGame, "pass_other_game",
                   "A token for another game or game version than the workers run."},
    CountRow<Drop>{Drop::FrameMalformed, "frame_malformed",
                   "The rest of a payload that does not decode as a frame; the frames before it "
                   "are processed."},
    CountRow<Drop>{Drop::FrameBeforeJoined, "frame_before_joined",
                   "For the avatar's owner, while there is no avatar."},
    CountRow<Drop>{Drop::FrameUnknownWorker, "frame_unknown_worker",
                   "For a worker that is not in the map."},
    CountRow<Drop>{Drop::FrameUnknownKind, "frame_unknown_kind",
                   "For the gateway, of an unknown kind."},
    CountRow<Drop>{Drop::TelemetryTooOften, "telemetry_too_often",
                   "Telemetry sent more often than five times a second."},
    CountRow<Drop>{Drop::TelemetryImplausible, "telemetry_implausible",
                   "Telemetry that claims more time, corrections or bytes than the gateway saw, or "
                   "waits over 10 s."},
    CountRow<Drop>{Drop::AnswerUnasked, "answer_unasked",
                   "An answer without an order, or a repeated one."},
    CountRow<Drop>{Drop::FabricMalformed, "fabric_malformed",
                   "The rest of a fabric datagram that does not decode as a record."},
    CountRow<Drop>{Drop::FabricUnknownSender, "fabric_unknown_sender",
                   "Not sent from the fabric address of the worker that it names."},
    CountRow<Drop>{Drop::FabricWrongClusterId, "fabric_wrong_incarnation",
                   "Of another cluster id."},
    CountRow<Drop>{Drop::FabricUnexpectedRecord, "fabric_unexpected_record",
                   "A record that workers do not send to gateways."},
    CountRow<Drop>{Drop::FabricUnknownSession, "fabric_unknown_session",
                   "For a session that has ended, or that another gateway has."},
    CountRow<Drop>{Drop::BlockEmpty, "block_empty", "A block without bytes."},
    CountRow<Drop>{Drop::BlockTooLarge, "block_too_large", "A block larger than one payload."},
    CountRow<Drop>{Drop::BlockQueueFull, "block_queue_full",
                   "The client's queue is full: drops the newest block of the lowest priority."},
    CountRow<Drop>{Drop::DoorHeaderMalformed, "door_header_malformed",
                   "To the listener for doors: too short, or a header of another version."},
    CountRow<Drop>{Drop::DoorHeaderForged, "door_header_forged",
                   "A door's header that was sealed with another key, or for another sender: the "
                   "door has another key file, or there is a NAT between."},
    CountRow<Drop>{Drop::DoorPathsFull, "door_paths_full",
                   "From a door, of a new session, while too many sessions of doors are known."},
    CountRow<Drop>{Drop::DoorPathOnPublicPort, "door_path_on_public_port",
                   "To the public port, from an address from which a door sends."},
};
static_assert(one_row_each(drop_rows), "give every Drop one row, in enum order");

}  // namespace perigee::gateway

template <>
inline constexpr std::size_t perigee::enum_count<perigee::gateway::Count> =
    perigee::gateway::metric.series();

namespace perigee::gateway {

/// A copy of all counters and gauges, for export.
struct Snapshot {
  Counts<Count> counts;
  Counts<Drop> drops;
  Counts<transport::Drop> transport_drops;
  std::uint32_t sessions = 0;    ///< connected clients
  std::uint32_t playing = 0;     ///< sessions with an avatar
  std::uint32_t handshakes = 0;  ///< addresses that presented a good token
  std::uint32_t leaving = 0;     ///< ended sessions that their worker has not confirmed
};

}  // namespace perigee::gateway
