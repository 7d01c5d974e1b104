/// The own avatar of a thin client: its newest final state, the tick to play next, and the place
/// that it probably reaches until then.
#pragma once

#include <cstdint>

#include "perigee/base/wire_world.hpp"
#include "perigee/client/input_sender.hpp"

namespace perigee::client {

class ThinAvatar {
 public:
  /// True: play starts here, for the first time or after a hard reset.
  bool on_own(const OwnSection& own);
  /// Play continues with the next final state.
  void stop() { running_ = false; }
  /// The tick next() was played.
  void advance() { ++next_; }

  bool running() const { return running_; }
  Tick next() const { return next_; }
  Handle handle() const { return handle_; }
  /// Number of final states so far, each newer than the one before.
  std::uint64_t finals() const { return finals_; }
  std::uint64_t hard_resets() const { return hard_resets_; }
  /// In the frame of parent(), as the server knew it a round trip ago.
  const ActorState& state() const { return state_; }
  Handle parent() const { return parent_; }
  /// At the start of next(): the final state's motion continues in a straight line.
  InputSender::Claim claim() const;

 private:
  bool running_ = false;
  Handle handle_ = no_entity;
  std::uint8_t reset_epoch_ = 0;
  Tick next_;
  Tick final_tick_;  ///< as the client's inputs name it
  Handle parent_ = no_entity;
  ActorState state_;
  std::uint64_t finals_ = 0;
  std::uint64_t hard_resets_ = 0;
};

}  // namespace perigee::client
