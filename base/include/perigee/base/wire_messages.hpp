/// Messages between a game and the client of a player: bytes of the game, reliable and in order,
/// both ways. Bytes: proto/WIRE.md, section "Message frame".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/ring.hpp"

namespace perigee {

/// A message has 1 to this many bytes.
inline constexpr std::size_t message_bytes_max = 1024;
/// Messages that wait for their receiver, each way. Further ones are refused.
inline constexpr std::size_t messages_waiting_max = 32;
using MessageBytes = std::vector<std::byte>;

/// Whether a message of this size is allowed.
constexpr bool is_message_size(std::size_t bytes) {
  return bytes > 0 && bytes <= message_bytes_max;
}

/// Messages of each direction are numbered from 0 on, modulo 2^32. A frame has the oldest messages
/// that its receiver has not acknowledged.
struct MessageFrame {
  /// Together with other frames it still fits a client's payload.
  static constexpr std::size_t bytes_max = 1100;

  /// Names the client's end: numbers of another conversation are unrelated. Never 0.
  std::uint32_t conversation = 0;
  std::uint32_t received = 0;  ///< the sender has all messages of the other way before this number
  std::uint32_t first = 0;     ///< number of the first message below
  FixedVector<std::span<const std::byte>, messages_waiting_max> messages;
  /// From a client: all messages before this number were in a former frame, so the game may have
  /// heard them. At least `first`, and at most messages_waiting_max above it.
  std::uint32_t sent = 0;
  bool asks = false;  ///< from a client: it waits for an answer, also if there is nothing new
};

/// The first byte of a frame from a worker; that of a block is its version, which is below.
inline constexpr std::uint8_t worker_message_kind = 128;

/// later - earlier, of numbers that wrap.
constexpr std::int32_t messages_between(std::uint32_t earlier, std::uint32_t later) {
  return static_cast<std::int32_t>(later - earlier);
}
/// Adds the message, if it fits a frame beside those before it.
bool add_message(MessageFrame& frame, std::span<const std::byte> message);

/// A view into `out`; empty if it is too small. From a client the kind is ClientFrame::Message,
/// from a worker worker_message_kind.
std::span<const std::byte> write_messages(std::uint8_t kind, const MessageFrame& frame,
                                          std::span<std::byte> out);
/// The messages are views of `bytes`. False if any byte is malformed, or of another kind; `frame`
/// is then partly written.
bool read_messages(std::uint8_t kind, std::span<const std::byte> bytes, MessageFrame& frame);

}  // namespace perigee
