/// Follows the frames of one HTTP/2 connection between a client and gRPC and reports when the
/// client breaks a limit. It reads frame headers only; gRPC checks their payload. No I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/host/grpc_limits.hpp"

namespace perigee::host {

/// Finds frames in a stream of bytes that arrives in arbitrary pieces. Used for both directions.
class FrameReader {
 public:
  static constexpr std::size_t header_bytes = 9;
  struct Frame {
    std::uint32_t payload_bytes = 0;
    std::uint8_t type = 0;
    std::uint8_t flags = 0;
    std::uint32_t stream = 0;
  };
  /// Consumes bytes from the front of `bytes` up to and including the next frame header. None: all
  /// bytes were consumed. Later calls skip the payload that follows a header.
  std::optional<Frame> next(std::span<const std::byte>& bytes);

 private:
  std::array<std::byte, header_bytes> header_{};
  std::size_t header_size_ = 0;
  std::uint32_t payload_left_ = 0;
};

class Http2Guard {
 public:
  /// gRPC's default, and the minimum that HTTP/2 allows.
  static constexpr std::uint32_t frame_bytes_max = 16'384;
  /// Frames of one header block: HEADERS, then CONTINUATION.
  static constexpr std::uint32_t block_frames_max = 8;

  /// `limits` must outlive this object.
  Http2Guard(const GrpcLimits& limits, Micros now_us);

  /// Bytes from the client, in order. On a breach none of them may be forwarded, and the connection
  /// ends.
  std::optional<GrpcBreach> client_sent(Micros now_us, std::span<const std::byte> bytes);
  /// Bytes from gRPC, in order; they tell which calls have ended.
  void server_sent(Micros now_us, std::span<const std::byte> bytes);
  /// Checks the time limits. Call it several times a second.
  std::optional<GrpcBreach> late(Micros now_us);

  /// Whether the client has sent the HTTP/2 preface; before that gRPC is not involved.
  bool begun() const { return preface_size_ == preface_bytes; }
  /// gRPC does not report when it has cleaned up a cancelled call, so a call counts this much
  /// longer.
  static constexpr Micros given_up_us = 1'000'000;
  /// Calls that occupy gRPC: those without a complete reply, and those cancelled lately.
  std::uint32_t calls() const {
    return static_cast<std::uint32_t>(calls_.size() + given_up_.size());
  }

 private:
  static constexpr std::size_t preface_bytes = 24;
  struct Call {
    std::uint32_t stream = 0;
    std::uint32_t metadata_bytes = 0;
    std::uint32_t request_bytes = 0;
    Micros begun_us = 0;
    bool asked = false;  ///< its request is complete
  };
  /// `burst` at once, `per_s` in the long run (the generic cell rate algorithm).
  struct Allowance {
    Micros empty_at_us = 0;
    bool take(Micros now_us, std::uint32_t burst, std::uint32_t per_s);
  };

  std::optional<GrpcBreach> on_frame(Micros now_us, const FrameReader::Frame& frame);
  std::optional<GrpcBreach> on_headers(Micros now_us, const FrameReader::Frame& frame);
  std::optional<GrpcBreach> on_header_bytes(const FrameReader::Frame& frame);
  std::optional<GrpcBreach> on_data(const FrameReader::Frame& frame);
  Call* find(std::uint32_t stream);
  void end(Micros now_us, std::uint32_t stream);
  void forget_given_up(Micros now_us);

  const GrpcLimits& limits_;
  FrameReader from_client_, from_server_;
  std::size_t preface_size_ = 0;
  bool settings_seen_ = false;
  std::uint32_t last_stream_ = 0;
  std::uint32_t block_stream_ = 0;  ///< stream of the header block in progress; 0: none
  std::uint32_t block_frames_ = 0;
  std::uint32_t block_bytes_ = 0;
  Allowance frames_, pings_, resets_;
  std::vector<Call> calls_;
  std::vector<Micros> given_up_;  ///< when, oldest first; bounded by the limit of resets
  Micros begun_us_;
  Micros idle_since_us_;
};

}  // namespace perigee::host
