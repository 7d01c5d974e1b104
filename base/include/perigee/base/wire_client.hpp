/// Frames from client to worker: the control frame (inputs) and the acknowledgement frame. Bytes:
/// proto/WIRE.md, sections "Control frame" and "Acknowledgement frame".
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/sequence.hpp"
#include "perigee/base/techniques.hpp"

namespace perigee {

inline constexpr std::uint16_t wire_version = 11;  ///< compared at log-in

enum class ClientFrame : std::uint8_t {
  Control = 1,
  Acknowledge = 2,
  Chunks = 3,   ///< wire_voxels.hpp
  Message = 4,  ///< wire_messages.hpp
  last = Message
};

/// Stream 0, to the avatar's owner, every tick.
struct ControlFrame {
  static constexpr std::size_t inputs_max = 180;  ///< the longest gap that late inputs fill
  static constexpr std::size_t inputs_bytes_max = 1000;

  std::uint8_t reset_epoch = 0;       ///< frames of other epochs are dropped
  SharedTechniques techniques;        ///< in force from the next tick to simulate
  std::uint32_t view_sixteenths = 0;  ///< view tick V in 1/16 tick, modulo 2^32
  /// The client's predicted state after its newest input.
  Handle claimed_parent = no_entity;
  Vec3f claimed_position;
  /// Newest first, consecutive descending ticks: unacknowledged inputs, up to the limits.
  FixedVector<PlayerInput, inputs_max> inputs;
};

/// A bit for each second tick: bit i stands for `newest - 2 * i`. A worker sends an observer blocks
/// in every second tick at most.
struct TickMask {
  static constexpr std::int32_t step_ticks = 2;
  static constexpr std::int32_t ticks = 64;
  std::uint32_t bits = 0;
  friend bool operator==(const TickMask&, const TickMask&) = default;
};

/// Stream 1 + slot, to that worker: acknowledges its events and its tracks.
struct AcknowledgeFrame {
  std::uint16_t stream_epoch = 0;  ///< of the acknowledged blocks; other frames are ignored
  AckWindow events;
  Tick newest_block;
  TickMask complete;  ///< ticks of which all blocks arrived, and all their tracks could be used
};

/// Writes as many of the inputs as fit into inputs_bytes_max; at least one. Empty if `out` is too
/// small. The result is a view into `out`. `own` declares the game's fields of inputs: reader and
/// writer need the same one.
std::span<const std::byte> write_control(const ControlFrame& frame, std::span<std::byte> out,
                                         const InputLayout& own = no_own_input());
/// Number of inputs in a frame that write_control() wrote: the newest ones of those it was given.
std::size_t inputs_in(std::span<const std::byte> control);
std::span<const std::byte> write_acknowledge(const AcknowledgeFrame& frame,
                                             std::span<std::byte> out);

/// The kind of frame that the bytes start with; none if unknown.
std::optional<ClientFrame> client_frame_kind(std::span<const std::byte> bytes);
/// Returns false on any malformed byte; `frame` is then untouched or partly written.
bool read_control(std::span<const std::byte> bytes, ControlFrame& frame,
                  const InputLayout& own = no_own_input());
bool read_acknowledge(std::span<const std::byte> bytes, AcknowledgeFrame& frame);

}  // namespace perigee
