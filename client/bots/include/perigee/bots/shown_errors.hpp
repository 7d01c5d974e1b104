/// How far from where it turned out to be the own avatar was drawn, frame by frame: what a client
/// can know of it by itself, from the server's final states and its replay between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/netcode/ring.hpp"

namespace perigee::bots {

class ShownErrors {
 public:
  static constexpr std::size_t samples_max = 4'096;  ///< of every fourth frame: the first 4 min
  static constexpr std::uint32_t every_frames = 4;

  /// After each frame.
  void on_frame(const client::Client& client, Micros now_us);
  /// Metres, in the frame of the avatar's parent.
  std::span<const float> meters() const { return meters_; }
  void restart() { meters_.clear(); }

 private:
  /// The state of `part` of a tick after the start of `tick`, as it was drawn.
  struct Shown {
    Tick tick;
    double part = 0;
    Handle parent = no_entity;
    Vec3 position;
    std::uint8_t reset_epoch = 0;
  };
  void judge(const client::Client& client, const Shown& shown);

  FixedVector<Shown, 64> shown_;  ///< whose states are not final yet
  std::uint32_t frames_ = 0;
  std::vector<float> meters_;
};

}  // namespace perigee::bots
