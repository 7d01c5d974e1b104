/// Frames between gateway and client on stream 255; telemetry.hpp and technique_order.hpp define
/// the others. Bytes: proto/WIRE.md, sections "Gateway frame" and "Resume frames".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/walk.hpp"

namespace perigee {

enum class GatewayFrame : std::uint8_t { Echo = 1, Resume = 2, Order = 3, last = Order };

/// First frame of the first payload of each flush. It measures the network round trip alone: client
/// time now, minus the send time of the payload with that sequence, minus the hold.
struct EchoFrame {
  static constexpr Micros hold_step_us = 16;
  /// No payload was received yet, or the newest one was held for longer than the other values say.
  static constexpr std::uint16_t no_hold = 0xffff;
  std::uint16_t newest_sequence = 0;   ///< low 16 bits of the newest client payload's sequence
  std::uint16_t hold_steps = no_hold;  ///< from receiving that payload to this send, rounded down
};
inline constexpr std::size_t echo_frame_bytes = 5;
/// The longest block that shares a payload with the echo frame. Workers write none that is longer.
inline constexpr std::size_t block_bytes_max =
    frames_bytes_max - 2 * frame_header_bytes_max - echo_frame_bytes;

template <class Cursor, class Echo>
bool walk_echo(Cursor& cursor, Echo& echo) {
  return walk_constant(cursor, static_cast<std::uint8_t>(GatewayFrame::Echo)) &&
         cursor.number(echo.newest_sequence) && cursor.number(echo.hold_steps);
}

/// False if it does not fit.
inline bool write_echo(ByteWriter& writer, const EchoFrame& echo) {
  return walk_echo(writer, echo);
}
/// None if any byte is malformed.
inline std::optional<EchoFrame> read_echo(std::span<const std::byte> bytes) {
  return read_whole<EchoFrame>(bytes, walk_echo<ByteReader, EchoFrame>);
}

/// A connect token that names one IPv6 address; the 872 bytes after it are zeros.
inline constexpr std::size_t resume_token_bytes_max = 1176;
/// A whole token would be longer than frames_bytes_max.
inline constexpr std::size_t resume_part_bytes_max = 1024;
inline constexpr std::size_t resume_parts_max = 2;
inline constexpr std::size_t resume_frame_bytes_max = 1 + 4 + 1 + 2 + resume_part_bytes_max;

/// A part of the connect token to reconnect with, which is sent without its trailing zeros. All
/// parts are repeated until the client acknowledges the token.
struct ResumeFrame {
  std::uint32_t number = 0;  ///< of this token, within the session
  std::uint8_t part = 0;     ///< begins at byte part * resume_part_bytes_max of the token
  std::uint16_t token_bytes = 0;
  std::span<const std::byte> bytes;

  std::size_t begin() const { return part * resume_part_bytes_max; }
  /// Every part except the last is full, and the last one ends with the token.
  bool valid() const {
    return token_bytes <= resume_token_bytes_max && begin() < token_bytes &&
           bytes.size() == std::min(resume_part_bytes_max, token_bytes - begin());
  }
};
/// `number` as in ResumeFrame; `part` must be one of the token's.
inline ResumeFrame resume_part(std::uint32_t number, std::uint8_t part,
                               std::span<const std::byte> token) {
  ResumeFrame frame{.number = number,
                    .part = part,
                    .token_bytes = static_cast<std::uint16_t>(token.size()),
                    .bytes = {}};
  frame.bytes = token.subspan(frame.begin());
  frame.bytes = frame.bytes.first(std::min(resume_part_bytes_max, frame.bytes.size()));
  return frame;
}
inline std::size_t resume_parts(std::size_t token_bytes) {
  return (token_bytes + resume_part_bytes_max - 1) / resume_part_bytes_max;
}

template <class Cursor, class Resume>
bool walk_resume(Cursor& cursor, Resume& resume) {
  return walk_constant(cursor, static_cast<std::uint8_t>(GatewayFrame::Resume)) &&
         cursor.number(resume.number) && cursor.number(resume.part) &&
         cursor.number(resume.token_bytes) && walk_rest(cursor, resume.bytes) && resume.valid();
}
inline bool write_resume(ByteWriter& writer, const ResumeFrame& resume) {
  return walk_resume(writer, resume);
}
/// The token is a view into `bytes`.
inline std::optional<ResumeFrame> read_resume(std::span<const std::byte> bytes) {
  return read_whole<ResumeFrame>(bytes, walk_resume<ByteReader, ResumeFrame>);
}

/// The client's acknowledgement: kind 2 of its frames to the gateway.
inline constexpr std::uint8_t resume_received_kind = 2;
inline constexpr std::size_t resume_received_bytes = 5;
template <class Cursor, class Number>
bool walk_resume_received(Cursor& cursor, Number& number) {
  return walk_constant(cursor, resume_received_kind) && cursor.number(number);
}
inline bool write_resume_received(ByteWriter& writer, std::uint32_t number) {
  return walk_resume_received(writer, number);
}
inline std::optional<std::uint32_t> read_resume_received(std::span<const std::byte> bytes) {
  return read_whole<std::uint32_t>(bytes, walk_resume_received<ByteReader, std::uint32_t>);
}

}  // namespace perigee
