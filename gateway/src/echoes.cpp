#include "perigee/gateway/echoes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "perigee/base/assert.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/gateway_frame.hpp"

namespace perigee::gateway {

void Echoes::add(Micros now_us, std::uint32_t slot, FrameWriter& writer) const {
  const Newest& newest = newest_[slot];
  EchoFrame echo;
  if (newest.received) {
    const Micros hold_us = std::max<Micros>(now_us - newest.received_us, 0);
    echo.newest_sequence = static_cast<std::uint16_t>(newest.sequence);
    echo.hold_steps = static_cast<std::uint16_t>(
        std::min<Micros>(hold_us / EchoFrame::hold_step_us, EchoFrame::no_hold));
  }
  std::array<std::byte, echo_frame_bytes> bytes;
  ByteWriter echo_writer(bytes);
  const bool fits = write_echo(echo_writer, echo) && writer.add(stream_gateway, bytes);
  PERIGEE_ASSERT(fits, "the echo frame must fit: it is the first of its payload");
}

}  // namespace perigee::gateway
