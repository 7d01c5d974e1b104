/// Cues of others in a block: sounds and flashes that an observer sees or hears. Bytes:
/// proto/WIRE.md, section "Block".
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/player_input.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// Entity, tick, effect, subject and place identify it: it is played once, although it may come twice.
struct CueEvent {
  Handle entity = no_entity;  ///< played where it is drawn, unless there is a place
  Tick tick;                  ///< in which it happened
  std::uint8_t effect = 0;    ///< the game's
  std::uint8_t detail = 0;    ///< the game's
  Handle subject = no_entity;
  std::optional<Vec3f> place;  ///< world
  friend bool operator==(const CueEvent&, const CueEvent&) = default;
};

/// A cue that is older when it is sent, or when it arrives, is dropped: it would be too late.
inline constexpr std::int32_t cue_age_ticks_max = 60;
/// Cues with a place beyond this, along an axis, are malformed.
inline constexpr float cue_place_max_m = 1e7F;

}  // namespace perigee
