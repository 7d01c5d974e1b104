/// Errors of the own avatar's rendered position, frame by frame, as far as a client can know them:
/// from the server's final states and its replay between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/client/client.hpp"

namespace perigee::bots {

class ShownErrors {
 public:
  static constexpr std::size_t samples_max = 4'096;  ///< of every fourth frame: the first 4 min
  static constexpr std::uint32_t every_frames = 4;

  /// Called after each frame.
  void on_frame(const client::Client& client, Micros now_us);
  /// Metres, in the frame of the avatar's parent.
  std::span<const float> meters() const { return meters_; }
  void restart() { meters_.clear(); }

 private:
  /// The state at `part` of a tick after the start of `tick`, as rendered.
  struct Shown {
    Tick tick;
    double part = 0;
    Handle parent = no_entity;
    Vec3 position;
    std::uint8_t reset_epoch = 0;
  };
  void judge(const client::Client& client, const Shown& shown);

  FixedVector<Shown, 64> shown_;  ///< frames with states that are not final yet
  std::uint32_t frames_ = 0;
  std::vector<float> meters_;
};

}  // namespace perigee::bots
