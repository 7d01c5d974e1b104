/// The own section of a player's block: the newest final state of its avatar, the worker's answers
/// to its inputs, and the motions that its prediction needs. A section is written as the difference
/// to an earlier one that the client has. Bytes: proto/WIRE.md, section "Block".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/game_bytes.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/wire_voxels.hpp"
#include "perigee/base/world_time.hpp"

namespace perigee {

/// A rigid body's motion for prediction.
struct ParentMotion {
  Handle handle = no_entity;
  Tick tick;      ///< the motion is that at the start of this tick
  Motion motion;  ///< see rounded()
};

struct ObjectVersion {
  Handle object = no_entity;
  std::uint16_t version = 0;
};

enum class VehiclePrediction : std::uint8_t {
  None,
  Free,     ///< the driver's client predicts the body
  Chained,  ///< it hangs on joints: rendered at the server's state
  last = Chained
};

/// The part of an own section that later ones are compared with.
struct OwnBasis {
  static constexpr std::size_t parents_max = 4;
  /// Both sides keep this many, the newest ones.
  static constexpr std::size_t kept_max = 16;

  Tick tick;  ///< of its block; set by the reader
  Handle avatar = no_entity;
  std::uint8_t reset_epoch = 0;  ///< a new one is a hard reset: older inputs are void
  SharedTechniques techniques;   ///< that the worker uses for this player
  std::int8_t delay_ticks = 0;   ///< delay of inputs behind the tick that they name
  RateNotice rate;               ///< of world time, at the block's tick
  /// The newest final state, at the start of `final_tick`: the client compares its prediction with
  /// it. The parent is that of the step that led to it.
  Tick final_tick;
  Handle final_parent = no_entity;
  ActorState final_state;
  GameBytes final_game;  ///< the game's part of the state
  /// Whether the avatar is at its parent's vehicle controls at the block's tick. The parent is then
  /// the first of `near`, and its motion is in each section, and final: bodies are never rewound.
  VehiclePrediction vehicle = VehiclePrediction::None;
  /// Bodies that the avatar is on or near.
  FixedVector<Handle, parents_max> near;
};

struct OwnSection : OwnBasis {
  static constexpr std::size_t versions_max = 16;
  static constexpr std::size_t chunks_max = ChunkFrame::reports_max;

  bool becomes_basis = false;  ///< the client keeps it for later sections
  /// The final state is carried bit for bit, otherwise rounded(). A client with a rounded one is
  /// exact again after the next exact one.
  bool exact = false;
  /// The newest input tick that was really applied, and the ticks since then.
  bool has_echo = false;
  Tick echo;
  std::uint8_t echo_age_ticks = 0;
  /// Only without an echo: the worker's assumption until the first input.
  RestingInput rest;
  /// The smallest margin of the inputs that the worker judged since the last block, applied or
  /// refused. A margin is the start of the tick that the input names minus the input's arrival, in
  /// even time (a tick is 1/60 s at any rate). Feedback for the client's lead control.
  bool has_margin = false;  ///< an input was judged since the last block
  Tick margin_input;        ///< the tick that it names
  std::int32_t margin_us = 0;
  std::uint8_t late = 0;  ///< inputs that arrived after their tick since the last block, saturating
  std::uint8_t guessed = 0;  ///< ticks that ran with a guess, saturating
  /// Motions of bodies in `near`, in that order: those that do not follow from the motions before.
  FixedVector<ParentMotion, parents_max> parents;
  /// Scheduled objects nearby that were changed a short time ago: the others are as the client
  /// received them.
  FixedVector<ObjectVersion, versions_max> versions;
  /// Chunks of ground nearby, nearest first, until the client reports that it has them. If the list
  /// is not full, all other chunks are as the client reported.
  FixedVector<ChunkVersion, chunks_max> chunks;
  Vec3f vehicle_thrust;  ///< m/s^2 in the body's axes; memory of its drive; see rounded()

  /// The state at the block's own tick may still change.
  bool speculative() const { return final_tick != tick; }
};

/// Values as the wire carries them. A value that was rounded before is carried without loss.
ActorState rounded(const ActorState& state);  ///< 0.03 mm, 0.03 mm/s
Motion rounded(const Motion& motion);         ///< 0.03 mm, 0.7 microradians
Vec3f rounded(const Vec3f& thrust_m_s2);      ///< 0.03 mm/s^2

inline constexpr std::size_t own_section_bytes_max = 936;
/// Sections build on others that are at most this much older.
inline constexpr std::int32_t basis_ticks_max = 255;

/// Writes a section of a block of tick `block`. `basis`: null, or at most basis_ticks_max older.
/// False if it does not fit.
bool write_own(ByteWriter& writer, Tick block, const OwnSection& own, const OwnBasis* basis);
/// Reads a section of a block of tick `block`. `basis_of`: the section of that tick, null if it is
/// not known. False if the section is malformed, or builds on an unknown one.
bool read_own(ByteReader& reader, Tick block, const std::function<const OwnBasis*(Tick)>& basis_of,
              OwnSection& own);

}  // namespace perigee
