/// The counts of the suite: bytes on the wire, and errors of the displayed poses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/common/sealing.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/vec.hpp"

namespace perigee::bench {

/// Bytes in one direction, as the gateway sends blocks: each tick's blocks in as few payloads as
/// possible, the first one with an echo.
class Wire {
 public:
  void add(std::span<const std::vector<std::byte>> blocks) {
    std::size_t room = 0;
    for (const auto& block : blocks) {
      const std::size_t frame = frame_header_bytes(block.size()) + block.size();
      if (frame > room) {
        const std::size_t echo = &block == blocks.data() ? echo_bytes : 0;
        ++datagrams_;
        payload_bytes_ += echo;
        room = frames_bytes_max - echo;
      }
      room -= frame;
      payload_bytes_ += frame;
    }
  }
  std::uint64_t payload_bytes() const { return payload_bytes_; }
  /// With the headers of IP, UDP and netcode.
  std::uint64_t bytes() const {
    return payload_bytes_ + datagrams_ * (ip_udp_bytes + sealing_bytes);
  }

 private:
  static constexpr std::size_t ip_udp_bytes = 20 + 8;
  static constexpr std::size_t echo_bytes = frame_header_bytes(echo_frame_bytes) + echo_frame_bytes;
  std::uint64_t payload_bytes_ = 0, datagrams_ = 0;
};

/// Each body in each frame is a sample.
struct Errors {
  static constexpr double position_bound_m = 0.01;
  static constexpr double rotation_bound = 0.001;  ///< of a component of the quaternion

  std::uint64_t within_position = 0, within_rotation = 0, within = 0;
  std::vector<float> position_m, rotation;

  void add(const Pose& shown, const Pose& real) {
    const Quat &a = shown.rotation, &b = real.rotation;
    const double sign = std::copysign(1.0, dot(a, b));
    const double off = std::max({std::abs(a.x - sign * b.x), std::abs(a.y - sign * b.y),
                                 std::abs(a.z - sign * b.z), std::abs(a.w - sign * b.w)});
    const double off_m = distance(shown.position, real.position);
    position_m.push_back(static_cast<float>(off_m));
    rotation.push_back(static_cast<float>(off));
    within_position += off_m <= position_bound_m;
    within_rotation += off <= rotation_bound;
    within += off_m <= position_bound_m && off <= rotation_bound;
  }
  double share(std::uint64_t samples) const {
    return static_cast<double>(samples) / static_cast<double>(position_m.size());
  }
};

}  // namespace perigee::bench
