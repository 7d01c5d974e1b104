/// One tick of one player's controls. The identity of an input is its target tick. The input is
/// applied once, at that tick, on whichever path and however often it arrives.
#pragma once

#include <cstdint>

#include "perigee/base/own_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

/// Identifies an entity on the wire for its lifetime, also across workers. Granted in blocks.
using Handle = std::uint32_t;
inline constexpr Handle no_entity = 0;

/// Bits of PlayerInput::held and SubSample::pressed. Jump, run, jetpack and dampers move actors.
/// The meaning of the others is the game's, and so is that of the eight bits above these.
enum Button : std::uint16_t {
  button_jump = 1 << 0,
  button_run = 1 << 1,
  button_jetpack = 1 << 2,  ///< an edge switches the jetpack on or off
  button_dampers = 1 << 3,  ///< held: the jetpack brakes along all axes that are not steered
  button_fire = 1 << 4,
  button_alternate = 1 << 5,                       ///< the other weapon
  button_dig = 1 << 6,                             ///< removes the voxel that the player looks at
  button_fill = 1 << 7,                            ///< places a voxel in front of it
  buttons_aimed = button_fire | button_alternate,  ///< see GameModule::buttons_aimed
};

enum class ActionKind : std::uint8_t { None, Use, last = Use };

/// Something that happened inside the tick: a key went down, an action was requested. Samples are
/// consumed in order and happen once only, so `held()` drops them.
struct SubSample {
  std::uint8_t offset = 0;    ///< 1/256 tick after the tick's start
  std::uint16_t pressed = 0;  ///< Button bits that went down
  ActionKind action = ActionKind::None;
  Handle target = no_entity;  ///< of the action
  friend bool operator==(const SubSample&, const SubSample&) = default;
};

struct PlayerInput {
  static constexpr std::size_t sub_samples_max = 8;

  Tick tick;              ///< the tick to apply it in
  std::int8_t right = 0;  ///< -127 .. 127, in the look's horizontal frame
  std::int8_t up = 0;     ///< jetpack only
  std::int8_t forward = 0;
  std::uint16_t yaw = 0;   ///< absolute, 1/65536 turn about the parent's +y; 0 looks along +z
  std::int16_t pitch = 0;  ///< absolute, 1/65536 turn, up positive, within a quarter turn
  std::uint16_t held = 0;  ///< Button bits that are down
  /// The view that the player aimed at: the tick minus the view tick that was on the screen, 1/16
  /// tick.
  std::uint16_t view_age = 0;
  OwnInput own;  ///< the game's fields
  FixedVector<SubSample, sub_samples_max> samples;
};

bool operator==(const PlayerInput& a, const PlayerInput& b);

/// The assumption while an input is missing: axes, held buttons and look stay; edges and actions do
/// not happen again. Own fields of the layout stay or not, as declared; others get their defaults.
PlayerInput held(const PlayerInput& input, Tick for_tick, const InputLayout& own = no_own_input());
/// Nothing pressed, same look. Own fields that are kept stay.
PlayerInput neutral(const PlayerInput& input, Tick for_tick,
                    const InputLayout& own = no_own_input());
inline constexpr bool in_quarter_turn(std::int16_t pitch) {
  return pitch >= -16384 && pitch <= 16384;
}

/// The part of an input that outlasts a reset: the look, and own fields that are kept.
struct RestingInput {
  std::uint16_t yaw = 0;
  std::int16_t pitch = 0;
  OwnInput own;
  friend bool operator==(const RestingInput&, const RestingInput&) = default;
};
/// All edges of the tick in one mask.
std::uint16_t pressed_mask(const PlayerInput& input);
/// Whether the input aims at something on the screen: with one of these buttons.
inline bool aims(const PlayerInput& input, std::uint16_t aimed) {
  return ((input.held | pressed_mask(input)) & aimed) != 0;
}

}  // namespace perigee
