/// Sends the inputs to the worker of the avatar, each as often as the techniques ask for. The
/// position that they lead to is sent with the inputs, and the worker checks it.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/frames.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/client/clocks.hpp"
#include "perigee/client/latency_log.hpp"

namespace perigee::client {

class InputSender {
 public:
  struct Needs {
    const Techniques& techniques;
    const Clocks& clocks;
    LatencyLog& latency;
  };
  explicit InputSender(const Needs& needs) : needs_(needs) {}

  /// Play starts anew at `first`: inputs of the old epoch are void.
  void restart(Tick first, std::uint8_t reset_epoch);
  void forget_world();
  /// The input of a tick that was played.
  void add(const PlayerInput& input);
  /// The worker has really applied this input. Returns the number of ticks since the newest input
  /// that was acknowledged before; 0: it is not newer.
  std::int32_t acknowledge(Tick applied);
  /// Whether a packet may be sent now. If so, the next one waits for the interval of the
  /// techniques.
  bool take_turn(Micros now_us);
  /// The own avatar's place after the newest input.
  struct Claim {
    Handle parent = no_entity;
    Vec3 position;  ///< in the parent's frame
  };
  /// Adds the inputs that are due, if a tick was played since the last call.
  void write(FrameWriter& frames, const Claim& claim, Micros now_us);

  /// The first tick since the start.
  Tick first_tick() const { return first_tick_; }
  /// Number of inputs, not counting repetitions.
  std::uint64_t inputs_sent() const { return inputs_sent_; }

 private:
  void fill_inputs(ControlFrame& frame);

  Needs needs_;
  TickRing<PlayerInput, 64> inputs_;
  Tick first_tick_;
  std::uint8_t reset_epoch_ = 0;
  std::uint32_t ticks_added_ = 0;  ///< since the last packet
  std::optional<Tick> newest_input_;
  std::optional<Tick> newest_sent_;
  std::optional<Tick> ever_sent_;  ///< likewise, but kept across hard resets
  std::optional<Tick> acknowledged_;
  std::uint64_t inputs_sent_ = 0;
  Micros next_packet_us_ = 0;
};

}  // namespace perigee::client
