/// A character's state besides its motion: health, weapons, score.
#pragma once

#include <cstdint>

#include "perigee/world/game_state.hpp"

namespace perigee::skiff {

struct Fighter {
  std::uint32_t died_at = 0;  ///< tick of the last death
  std::uint16_t health = 3;   ///< hits until death; 0: dead
  std::uint16_t kills = 0;
  std::uint16_t deaths = 0;
  std::uint16_t stones = 0;       ///< dug and not placed again
  std::uint16_t tool_ticks = 0;   ///< until the pick can be used again
  std::uint8_t reload_ticks = 0;  ///< until a weapon is loaded again
  std::uint8_t draw_ticks = 0;    ///< since the bow was drawn

  bool dead() const { return health == 0; }
  static void fields(auto&& field, auto& fighter) {
    using world::SeenBy;
    field(fighter.died_at, SeenBy::Everybody);
    field(fighter.health, SeenBy::Everybody);
    field(fighter.kills, SeenBy::Everybody);
    field(fighter.deaths, SeenBy::Everybody);
    field(fighter.stones, SeenBy::Owner);
    field(fighter.tool_ticks, SeenBy::Owner);
    field(fighter.reload_ticks, SeenBy::Owner);
    field(fighter.draw_ticks, SeenBy::Owner);
  }
};

/// Cues, visible and audible.
enum Effect : std::uint8_t {
  shot_effect = 1,
  draw_effect,
  loose_effect,
  dig_effect,
  fill_effect,
  flinch_effect,  ///< an arrow has hit the own avatar
};
/// Details of a shot's verdict; for an arrow it is sent again at the hit.
enum ShotDetail : std::uint8_t { shot_missed, shot_hit };
/// Kinds of proposals and of projectiles.
enum Wish : std::uint8_t { shot_wish, arrow_wish, begin_anew_wish, dig_wish, fill_wish };
/// Kinds of messages to other entities, on any worker.
enum MessageKind : std::uint8_t { hit_message, kill_message };
/// Kinds of events for actors.
enum News : std::uint8_t { hit_news, kill_news, begin_anew_news, stone_news };
/// Kinds of journal entries.
enum JournalKind : std::uint8_t { kill_entry = 1, dig_entry, fill_entry };

}  // namespace perigee::skiff
