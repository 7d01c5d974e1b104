/// Frames: a payload between client and gateway is a sequence of frames, in both directions:
/// [stream u8][length u16][bytes], to the end of the payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"

namespace perigee {

struct Frame {
  std::uint8_t stream = 0;
  std::span<const std::byte> bytes;
};

/// Reads frame by frame. After the last one, ok() distinguishes a clean end from malformed bytes.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> payload) : reader_(payload) {}
  std::optional<Frame> next() {
    if (!ok_ || reader_.at_end()) return std::nullopt;
    Frame frame;
    std::uint16_t length = 0;
    ok_ =
        reader_.number(frame.stream) && reader_.number(length) && reader_.view(frame.bytes, length);
    if (!ok_) return std::nullopt;
    return frame;
  }
  bool ok() const { return ok_; }

 private:
  ByteReader reader_;
  bool ok_ = true;
};

inline constexpr std::size_t frame_header_bytes = 3;

class FrameWriter {
 public:
  explicit FrameWriter(std::span<std::byte> out) : writer_(out) {}
  /// Returns false and writes nothing if the frame does not fit.
  bool add(std::uint8_t stream, std::span<const std::byte> bytes) {
    const std::size_t start = writer_.size();
    if (bytes.size() <= 0xffff && writer_.number(stream) &&
        writer_.number(static_cast<std::uint16_t>(bytes.size())) && writer_.copy(bytes)) {
      return true;
    }
    writer_.rewind(start);
    return false;
  }
  bool empty() const { return writer_.size() == 0; }
  std::span<const std::byte> payload() const { return writer_.written(); }

 private:
  ByteWriter writer_;
};

}  // namespace perigee
