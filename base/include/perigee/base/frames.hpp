/// Frames: a payload between client and gateway is a sequence of frames, in both directions:
/// [stream, 1 or 2 bytes][length, a short number][bytes], to the end of the payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/short_number.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/walk.hpp"

namespace perigee {

struct Frame {
  StreamId stream = stream_owner;
  std::span<const std::byte> bytes;
};

inline constexpr std::size_t frame_length_max = (1U << 2 * short_number_bits) - 1;

template <class Cursor, class View>
bool walk_frame_bytes(Cursor& cursor, View& bytes) {
  if (bytes.size() > frame_length_max) return false;
  auto length = static_cast<std::uint16_t>(bytes.size());
  if (!walk_short_number(cursor, length) || length > frame_length_max) return false;
  if constexpr (Cursor::reading) {
    return cursor.view(bytes, length);
  } else {
    return cursor.copy(bytes);
  }
}

template <class Cursor>
bool walk_stream_frame(Cursor& cursor, auto& frame) {
  return walk_stream(cursor, frame.stream) && walk_frame_bytes(cursor, frame.bytes);
}

/// Reads frame by frame. After the last one, ok() distinguishes a clean end from malformed bytes.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> payload) : reader_(payload) {}
  std::optional<Frame> next() {
    if (!ok_ || reader_.at_end()) return std::nullopt;
    Frame frame;
    ok_ = walk_stream_frame(reader_, frame);
    if (!ok_) return std::nullopt;
    return frame;
  }
  bool ok() const { return ok_; }

 private:
  ByteReader reader_;
  bool ok_ = true;
};

/// Header of a frame with that many bytes, if the stream's number has one byte.
constexpr std::size_t frame_header_bytes(std::size_t bytes) {
  return 1 + short_number_bytes(static_cast<std::uint16_t>(bytes));
}
/// Header of the longest frame that a payload has room for, of any stream.
inline constexpr std::size_t frame_header_bytes_max = 4;
/// The longest payload that gateways and clients send. Netcode allows 1200 bytes; with netcode's
/// header and tag, this one still passes as a datagram of a browser's WebTransport.
inline constexpr std::size_t frames_bytes_max = 1150;

class FrameWriter {
 public:
  explicit FrameWriter(std::span<std::byte> out) : writer_(out) {}
  /// Returns false and writes nothing if the frame does not fit.
  bool add(StreamId stream, std::span<const std::byte> bytes) {
    const std::size_t start = writer_.size();
    const Frame frame{stream, bytes};
    const bool fits = walk_stream_frame(writer_, frame);
    if (!fits) writer_.rewind(start);
    return fits;
  }
  bool empty() const { return writer_.size() == 0; }
  std::span<const std::byte> payload() const { return writer_.written(); }

 private:
  ByteWriter writer_;
};

}  // namespace perigee
