/// The gateway's own frames towards clients, on stream 255. Bytes: proto/WIRE.md, section "Gateway
/// frame": [kind u8 = 1][newest sequence u32][hold u32][client index u16].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/netcode/bytes.hpp"

namespace perigee {

enum class GatewayFrame : std::uint8_t { Echo = 1, last = Echo };

/// First frame of the first payload of each flush. It measures the network alone: client time now,
/// minus when the payload of that sequence was sent, minus the hold.
struct EchoFrame {
  static constexpr std::uint32_t nothing_received = 0xffff'ffff;
  std::uint32_t newest_sequence =
      0;  ///< low 32 bits of the newest client payload's netcode sequence
  std::uint32_t hold_us = nothing_received;  ///< from receiving that payload to this send
  std::uint16_t client_index = 0;
};
inline constexpr std::size_t echo_frame_bytes = 11;

template <class Cursor, class Echo>
bool walk_echo(Cursor& cursor, Echo& echo) {
  return cursor.number(echo.newest_sequence) && cursor.number(echo.hold_us) &&
         cursor.number(echo.client_index);
}

/// False if it does not fit.
inline bool write_echo(ByteWriter& writer, const EchoFrame& echo) {
  return writer.number(static_cast<std::uint8_t>(GatewayFrame::Echo)) && walk_echo(writer, echo);
}
/// None if any byte is malformed.
inline std::optional<EchoFrame> read_echo(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::uint8_t kind = 0;
  EchoFrame echo;
  if (!reader.number(kind) || kind != static_cast<std::uint8_t>(GatewayFrame::Echo) ||
      !walk_echo(reader, echo) || !reader.at_end()) {
    return std::nullopt;
  }
  return echo;
}

}  // namespace perigee
