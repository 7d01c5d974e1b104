/// Streams of a client's payload: which worker a frame is from, or for.
#pragma once

#include <cstdint>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/ids.hpp"

namespace perigee {

using StreamId = std::uint16_t;

inline constexpr StreamId stream_owner = 0;         ///< up: control, to the avatar's owner
inline constexpr StreamId stream_gateway = 0xffff;  ///< both ways: timing echo, telemetry
constexpr StreamId stream_of_worker(WorkerSlot slot) {
  return static_cast<StreamId>(1 + slot.number);
}
/// `workers_max` or more if the stream is not a worker's.
constexpr WorkerSlot worker_of_stream(StreamId stream) {
  return WorkerSlot::at(static_cast<StreamId>(stream - 1));
}
constexpr bool is_worker_stream(StreamId stream) {
  return worker_of_stream(stream).index() < workers_max;
}

/// On the wire a stream has one byte, as most clusters have few workers. From `streams_of_one_byte`
/// on it has two: the first of them from that number up to 253.
inline constexpr StreamId streams_of_one_byte = 200;
inline constexpr std::uint8_t stream_byte_gateway = 255;
static_assert(1 + workers_max <= streams_of_one_byte + (254 - streams_of_one_byte) * 256,
              "every worker's stream must have a number on the wire");

/// Reading refuses a first byte of 254.
template <class Cursor, class Stream>
bool walk_stream(Cursor& cursor, Stream& stream) {
  const auto above = static_cast<StreamId>(stream - streams_of_one_byte);
  std::uint8_t first = stream_byte_gateway;
  std::uint8_t second = static_cast<std::uint8_t>(above);
  if (stream < streams_of_one_byte) {
    first = static_cast<std::uint8_t>(stream);
  } else if (stream != stream_gateway) {
    first = static_cast<std::uint8_t>(streams_of_one_byte + (above >> 8));
  }
  if (!cursor.number(first) || first == 254) return false;
  const bool two_bytes = first >= streams_of_one_byte && first != stream_byte_gateway;
  if (two_bytes && !cursor.number(second)) return false;
  if constexpr (Cursor::reading) {
    stream = first == stream_byte_gateway ? stream_gateway : StreamId{first};
    if (two_bytes) {
      stream = static_cast<StreamId>(streams_of_one_byte +
                                     ((first - streams_of_one_byte) << 8 | second));
    }
  }
  return true;
}

}  // namespace perigee
