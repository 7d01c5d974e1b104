/// Limits of one gRPC port. Each process defines its own values next to its service: they follow
/// from its clients and from their largest request.
#pragma once

#include <cstdint>

#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::host {

struct GrpcLimits {
  /// More connections: the source address with the most connections loses its oldest one.
  std::uint32_t connections_max = 256;
  /// Calls that wait for their request or their reply, in total. More: as above.
  std::uint32_t calls_max = 256;
  /// The same for one connection. More close it.
  std::uint32_t calls_per_connection_max = 64;
  /// Bytes that a client sends in one call, after its headers. More close the connection.
  std::uint32_t request_bytes_max = 4'096;
  /// A call's headers as sent (HPACK). More close the connection.
  std::uint32_t metadata_bytes_max = 8'192;
  /// Calls that a client cancels: burst, and per second in the long run. More close the connection.
  std::uint32_t resets_burst = 32;
  std::uint32_t resets_per_s = 8;
  /// HTTP/2 frames of one connection: likewise.
  std::uint32_t frames_burst = 20'000;
  std::uint32_t frames_per_s = 20'000;
  /// Pings and settings frames, each of which gRPC answers: likewise.
  std::uint32_t pings_burst = 64;
  std::uint32_t pings_per_s = 20;
  Micros handshake_us_max = 5'000'000;  ///< from the connection to its first frame
  Micros request_us_max = 10'000'000;   ///< from a call's first byte to the end of its request
  Micros answer_us_max = 0;             ///< from a call's first byte to its end; 0: any time
  Micros idle_us_max = 0;               ///< without a call; 0: any time
  /// While bytes wait for a client that takes none of them. More: a client that never reads keeps
  /// its memory longer; less: a client that stands still for so long has to connect again.
  Micros unread_us_max = 60'000'000;
  /// Threads for synchronous calls. Callback services use none of them.
  std::uint32_t threads_max = 32;
  /// Memory that gRPC may use for messages and connections before it closes some.
  std::uint32_t memory_bytes_max = 32U << 20U;
  /// Whether unauthenticated clients may list the services.
  bool reflection = true;
};

/// Why the guard closed a connection.
enum class GrpcBreach : std::uint8_t {
  Preface,   ///< not HTTP/2, or settings were not first
  Frame,     ///< larger than gRPC allows, or out of order
  Metadata,  ///< a call's headers: too large, or in too many frames
  Request,   ///< a call's request is too large
  Calls,     ///< too many at once on one connection
  Resets,    ///< cancelled too many calls
  Frames,    ///< too many frames, or changes of TLS keys
  LateHandshake,
  LateRequest,
  LateAnswer,  ///< does not read
  Idle,        ///< made no call for too long
  Crowded,     ///< the source address with the most connections or calls of a full port
  // The reasons of TlsRefusal, in its order, up to NoRole: each call judges the role.
  NotTls,
  TlsHandshake,
  NoCertificate,
  UnknownCa,
  OutOfDate,
  Revoked,
  NoRole,
  last = NoRole
};

inline constexpr std::array grpc_breach_rows = {
    CountRow<GrpcBreach>{GrpcBreach::Preface, "preface", "Not HTTP/2, or no SETTINGS frame first."},
    CountRow<GrpcBreach>{GrpcBreach::Frame, "frame", "A frame that is too large or misplaced."},
    CountRow<GrpcBreach>{GrpcBreach::Metadata, "metadata", "Headers that are too large."},
    CountRow<GrpcBreach>{GrpcBreach::Request, "request", "A request that is too large."},
    CountRow<GrpcBreach>{GrpcBreach::Calls, "calls", "Too many calls on one connection."},
    CountRow<GrpcBreach>{GrpcBreach::Resets, "resets", "Too many cancelled calls."},
    CountRow<GrpcBreach>{GrpcBreach::Frames, "frames", "Too many frames, or changes of TLS keys."},
    CountRow<GrpcBreach>{GrpcBreach::LateHandshake, "late_handshake",
                         "The first frame did not arrive in time."},
    CountRow<GrpcBreach>{GrpcBreach::LateRequest, "late_request",
                         "The request was not complete in time."},
    CountRow<GrpcBreach>{GrpcBreach::LateAnswer, "late_answer", "The client does not read."},
    CountRow<GrpcBreach>{GrpcBreach::Idle, "idle", "No call for a long time."},
    CountRow<GrpcBreach>{GrpcBreach::Crowded, "crowded",
                         "The port has its maximum of connections."},
    CountRow<GrpcBreach>{GrpcBreach::NotTls, "not_tls", "No TLS where the port has a certificate."},
    CountRow<GrpcBreach>{GrpcBreach::TlsHandshake, "tls_handshake",
                         "A handshake whose versions, protocols or bytes do not fit."},
    CountRow<GrpcBreach>{GrpcBreach::NoCertificate, "no_certificate",
                         "A client without a certificate."},
    CountRow<GrpcBreach>{GrpcBreach::UnknownCa, "unknown_ca",
                         "A certificate that no known CA has signed."},
    CountRow<GrpcBreach>{GrpcBreach::OutOfDate, "certificate_out_of_date",
                         "A certificate that has expired, or is not valid yet."},
    CountRow<GrpcBreach>{GrpcBreach::Revoked, "certificate_revoked",
                         "A certificate on the revocation list."},
    CountRow<GrpcBreach>{GrpcBreach::NoRole, "certificate_no_role",
                         "A certificate without a role of the cluster."},
};
static_assert(one_row_each(grpc_breach_rows));

}  // namespace perigee::host
