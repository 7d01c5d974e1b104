/// Sends the inputs to the worker of the avatar, each as often as the techniques ask for. After an
/// outage of the path it sends all those that the worker may still apply. The
/// position that they lead to is sent with the inputs, and the worker checks it.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/frames.hpp"
#include "perigee/base/own_section.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/client/clocks.hpp"
#include "perigee/client/latency_log.hpp"
#include "perigee/client/telemetry_log.hpp"

namespace perigee::client {

class InputSender {
 public:
  struct Needs {
    const Techniques& techniques;
    const Clocks& clocks;
    LatencyLog& latency;
    TelemetryLog& telemetry;
    const InputLayout& own;  ///< the game's fields
  };
  explicit InputSender(const Needs& needs) : needs_(needs) {}

  /// Play starts anew at `first`, as that section says: inputs of an old epoch are void.
  void restart(Tick first, const OwnSection& own);
  void forget_world();
  /// The input of a tick that was played.
  void add(const PlayerInput& input);
  /// What the worker has of the inputs, as its newest own section tells.
  void heard(const OwnSection& own, Micros now_us);
  /// Whether a packet may be sent now. If so, the next packet may be sent after the interval of the
  /// techniques. The interval is at least two ticks while the worker acknowledges nothing, and for
  /// a minute after a queue stood on the path.
  bool take_turn(Micros now_us);
  /// The own avatar's place after the newest input.
  struct Claim {
    Handle parent = no_entity;
    Vec3 position;  ///< in the parent's frame
  };
  /// Adds the inputs that are due, if a tick was played since the last call.
  void write(FrameWriter& frames, const Claim& claim, Micros now_us);

  /// The worker's assumption for a tick after the start that it has already run.
  PlayerInput at_rest(Tick tick) const;
  /// The first tick since the start.
  Tick first_tick() const { return first_tick_; }
  /// Number of inputs, not counting repetitions.
  std::uint64_t inputs_sent() const { return inputs_sent_; }

 private:
  /// Inputs of a usual packet.
  static constexpr std::size_t usual_inputs = 16;
  /// The same while a queue stands: three packets in a row may be lost.
  static constexpr std::size_t inputs_on_narrow_path = 8;
  /// For so long after a standing queue, in which the path shows whether it needs this.
  static constexpr Micros slow_for_us = 60'000'000;
  /// Packets with all inputs that the worker may lack leave this often.
  static constexpr Micros whole_every_us = 100'000;

  std::int32_t acknowledge(Tick applied, Micros now_us);
  void note_echo(const OwnSection& own, Micros now_us);
  bool gives_way(Micros now_us) const { return now_us < slow_until_us_; }
  bool stalled(Micros now_us) const { return now_us - progress_at_us_ > whole_every_us; }
  bool wants_whole(Micros now_us) const;
  void fill_inputs(bool whole);
  void note_sent(std::size_t inputs);

  Needs needs_;
  TickRing<PlayerInput, 256> inputs_;
  Tick first_tick_;
  RestingInput rest_;  ///< of the worker at the start
  std::uint8_t reset_epoch_ = 0;
  std::uint32_t ticks_added_ = 0;  ///< since the last packet
  std::optional<Tick> newest_input_;
  std::optional<Tick> newest_sent_;
  std::optional<Tick> ever_sent_;  ///< likewise, but kept across hard resets
  std::optional<Tick> acknowledged_;
  std::uint64_t inputs_sent_ = 0;
  Micros next_packet_us_ = 0;
  Micros slow_until_us_ = 0;
  /// All older inputs arrived, or are void. The worker lacks some from here on if `lacks_` is set.
  std::optional<Tick> final_;
  bool lacks_ = false;
  Micros heard_at_us_ = 0;     ///< when the last own section arrived
  Micros progress_at_us_ = 0;  ///< when an input was acknowledged last
  Micros next_whole_us_ = 0;
  ControlFrame frame_;  ///< of the packet that is written: 180 inputs are not cleared each time
};

}  // namespace perigee::client
