/// The gateway's counters: traffic, sessions, and its own reasons to drop data. Datagrams that
/// never became a payload are counted by transport::Drop.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/netcode/counts.hpp"
#include "perigee/transport/drops.hpp"

namespace perigee::gateway {

enum class Count : std::uint8_t {
  ClientDatagramsReceived,
  ClientBytesReceived,
  ClientDatagramsSent,
  ClientBytesSent,
  FabricDatagramsReceived,
  FabricBytesReceived,
  FabricDatagramsSent,
  FabricBytesSent,
  PayloadsReceived,
  FramesForwarded,
  BlocksReceived,
  BlocksSent,
  PayloadsSent,
  TelemetryReceived,
  SessionsStarted,
  SessionsJoined,
  SessionsLeft,
  SessionsTimedOut,
  SessionsReplaced,
  SessionsEndedByGateway,
  SessionsKicked,
  SessionsMoved,
  JoinsRefused,
  JoinsUnanswered,
  JoinsRepeatedForLostOwner,
  AvatarsSearched,
  SessionsInherited,
  SessionsOfOtherGame,
  LeavesUnanswered,
  ResumeTokensAsked,
  ResumeTokensSent,
  ResumeTokensAcknowledged,
  OrdersTold,
  OrdersAnswered,
  OrdersUnanswered,
  last = OrdersUnanswered
};

inline constexpr std::array count_rows = {
    CountRow<Count>{Count::ClientDatagramsReceived, "client_datagrams_received",
                    "Datagrams on the public socket, good or bad."},
    CountRow<Count>{Count::ClientBytesReceived, "client_bytes_received",
                    "UDP payload bytes on the public socket, good or bad."},
    CountRow<Count>{Count::ClientDatagramsSent, "client_datagrams_sent", "Datagrams to clients."},
    CountRow<Count>{Count::ClientBytesSent, "client_bytes_sent", "UDP payload bytes to clients."},
    CountRow<Count>{Count::FabricDatagramsReceived, "fabric_datagrams_received",
                    "Datagrams on the fabric socket, good or bad."},
    CountRow<Count>{Count::FabricBytesReceived, "fabric_bytes_received",
                    "UDP payload bytes on the fabric socket, good or bad."},
    CountRow<Count>{Count::FabricDatagramsSent, "fabric_datagrams_sent", "Datagrams to workers."},
    CountRow<Count>{Count::FabricBytesSent, "fabric_bytes_sent", "UDP payload bytes to workers."},
    CountRow<Count>{Count::PayloadsReceived, "payloads_received",
                    "Authenticated payloads from clients."},
    CountRow<Count>{Count::FramesForwarded, "frames_forwarded", "Client frames sent to workers."},
    CountRow<Count>{Count::BlocksReceived, "blocks_received", "Blocks from workers for a session."},
    CountRow<Count>{Count::BlocksSent, "blocks_sent", "Blocks packed into payloads."},
    CountRow<Count>{Count::PayloadsSent, "payloads_sent", "Payloads to clients."},
    CountRow<Count>{Count::TelemetryReceived, "telemetry_received", "Telemetry frames accepted."},
    CountRow<Count>{Count::SessionsStarted, "sessions_started", "Clients that connected."},
    CountRow<Count>{Count::SessionsJoined, "sessions_joined", "Sessions that joined at a worker."},
    CountRow<Count>{Count::SessionsLeft, "sessions_left",
                    "Clients that disconnected in good order."},
    CountRow<Count>{Count::SessionsTimedOut, "sessions_timed_out", "Clients that timed out."},
    CountRow<Count>{Count::SessionsReplaced, "sessions_replaced",
                    "Sessions replaced because their client reconnected with a newer token."},
    CountRow<Count>{Count::SessionsEndedByGateway, "sessions_ended_by_gateway",
                    "Ended by the gateway: join refused or unanswered, bad pass, or shutdown."},
    CountRow<Count>{Count::SessionsKicked, "sessions_kicked", "Of those, kicked by an operator."},
    CountRow<Count>{Count::SessionsMoved, "sessions_moved",
                    "Clients whose address changed during a session."},
    CountRow<Count>{Count::JoinsRefused, "joins_refused", "Joins that a worker refused."},
    CountRow<Count>{Count::JoinsUnanswered, "joins_unanswered",
                    "Clients disconnected because no worker answered their join in time."},
    CountRow<Count>{Count::JoinsRepeatedForLostOwner, "joins_repeated_for_lost_owner",
                    "Sessions that joined again because their worker is gone."},
    CountRow<Count>{Count::AvatarsSearched, "avatars_searched",
                    "Queries to workers for an avatar without updates for 2 s."},
    CountRow<Count>{Count::SessionsInherited, "sessions_inherited",
                    "Sessions taken over by the standby of a dead worker."},
    CountRow<Count>{Count::SessionsOfOtherGame, "sessions_of_other_game",
                    "Disconnected because all workers now run another game or game version."},
    CountRow<Count>{Count::LeavesUnanswered, "leaves_unanswered",
                    "Leaves given up: the worker never confirmed."},
    CountRow<Count>{Count::ResumeTokensAsked, "resume_tokens_asked",
                    "Resume tokens requested from the session service."},
    CountRow<Count>{Count::ResumeTokensSent, "resume_tokens_sent",
                    "Resume tokens sent to clients, including repeats."},
    CountRow<Count>{Count::ResumeTokensAcknowledged, "resume_tokens_acknowledged",
                    "Resume tokens acknowledged by clients."},
    CountRow<Count>{Count::OrdersTold, "orders_told",
                    "Technique orders sent to clients, including repeats."},
    CountRow<Count>{Count::OrdersAnswered, "orders_answered",
                    "Technique orders answered by clients with the techniques in use."},
    CountRow<Count>{Count::OrdersUnanswered, "orders_unanswered",
                    "Technique orders given up: the client never answered."},
};
static_assert(one_row_each(count_rows), "give every Count one row, in enum order");

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
  FabricWrongIncarnation,
  FabricUnexpectedRecord,
  FabricUnknownSession,
  BlockEmpty,
  BlockTooLarge,
  BlockQueueFull,
  last = BlockQueueFull
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
    CountRow<Drop>{Drop::FabricWrongIncarnation, "fabric_wrong_incarnation",
                   "Of another cluster id."},
    CountRow<Drop>{Drop::FabricUnexpectedRecord, "fabric_unexpected_record",
                   "A record that workers do not send to gateways."},
    CountRow<Drop>{Drop::FabricUnknownSession, "fabric_unknown_session",
                   "For a session that has ended, or that another gateway has."},
    CountRow<Drop>{Drop::BlockEmpty, "block_empty", "A block without bytes."},
    CountRow<Drop>{Drop::BlockTooLarge, "block_too_large", "A block larger than one payload."},
    CountRow<Drop>{Drop::BlockQueueFull, "block_queue_full",
                   "The client's queue is full: drops the newest block of the lowest priority."},
};
static_assert(one_row_each(drop_rows), "give every Drop one row, in enum order");

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
