/// The rules of hover tag, as numbers. Two teams run about in an arena with some torches. A runner
/// with a torch touches opponents: each touch is a point, and hands the torch over.
#pragma once

#include <cstdint>
#include <string_view>

#include "perigee/base/tick.hpp"
#include "perigee/world/ids.hpp"

namespace hover_tag {

/// Durations of a match. Worker and client have the same ones: they are in the schema hash.
struct Rules {
  std::int32_t match_ticks = 3 * 60 * 60;
  std::int32_t break_ticks = 15 * 60;
};
/// With the durations of the CMake variables HOVER_TAG_MATCH_S and HOVER_TAG_BREAK_S.
Rules rules_of_build();

enum class Phase : std::uint8_t { Match, Break };

/// Where a tick is in the timetable of matches. It is a function of the tick alone, so that all
/// workers and clients agree without a message, also when one of them dies.
struct MatchTime {
  std::uint16_t match = 0;  ///< numbered from 1 on
  Phase phase = Phase::Match;
  std::int32_t ticks = 0;  ///< since the phase began
  std::int32_t left = 0;   ///< until it ends
};
constexpr MatchTime match_time(const Rules& rules, perigee::Tick tick) {
  const auto period = static_cast<std::uint32_t>(rules.match_ticks + rules.break_ticks);
  const auto match = static_cast<std::uint16_t>(tick.count / period + 1);
  const auto ticks = static_cast<std::int32_t>(tick.count % period);
  if (ticks < rules.match_ticks) return {match, Phase::Match, ticks, rules.match_ticks - ticks};
  return {match, Phase::Break, ticks - rules.match_ticks,
          static_cast<std::int32_t>(period) - ticks};
}

/// Changes of a motion are announced at most so far ahead.
inline constexpr std::int32_t lead_ticks_max = 60;

// Running and hovering.
inline constexpr double usual_speed_share = 0.75;  ///< of a carrier's speed
inline constexpr std::int32_t boost_ticks = 6 * 60;
inline constexpr std::int32_t boost_gap_ticks = 60;  ///< between two boosts
inline constexpr std::uint8_t hover_fuel_ticks = 75;
inline constexpr double hover_m_s = 0.3;        ///< per tick; gravity takes 0.16
inline constexpr double hover_speed_m_s = 2.5;  ///< upwards, at most
inline constexpr double pad_m_s = 10;           ///< upwards

// Balls fly straight at constant speed, through everything, and end.
inline constexpr double ball_m_s = 9;
inline constexpr std::int32_t ball_ticks = 3 * 60;
/// Clients hear of a new thing that much later than of an announcement.
inline constexpr std::int32_t ball_known_ticks = 6;
inline constexpr double ball_ahead_m = 3.5;  ///< of the place from which it is thrown
inline constexpr std::uint8_t throw_wait_ticks = 240;
inline constexpr std::uint8_t hit_wait_ticks = 45;  ///< a ball pushes a runner once

// Tags.
inline constexpr std::uint8_t tag_wait_ticks = 30;  ///< between two attempts of a carrier
/// A former carrier gets no torch before its change of speed: more than lead_ticks_max.
inline constexpr std::uint8_t no_tag_back_ticks = 90;
inline constexpr double blow_m_s = 7;  ///< of balls and tags, horizontally
inline constexpr double blow_up_m_s = 4;

// Things that come back.
inline constexpr std::uint32_t power_period_ticks = 10 * 60;  ///< empty spots are filled that often
/// After the end of a match, points that are on their way between workers still count. Then each
/// runner reports its score.
inline constexpr std::int32_t count_ticks = 2 * 60;
/// The table is closed: places and the winner are decided.
inline constexpr std::int32_t close_ticks = 4 * 60;
/// In the last ticks of a break the torches lie ready; runners can take them from the match on.
inline constexpr std::int32_t lay_out_ticks = 5 * 60;

/// Rows of the table of types. Those of the level follow.
enum Row : perigee::world::TypeId {
  runner_row,
  pad_row,
  power_row,
  torch_row,
  ball_row,
  seed_row,       ///< an NPC grows from it, once
  standings_row,  ///< the state of the world
  level_row
};

/// Kinds of proposals, of messages between runners and things, of events, and of journal entries.
enum News : std::uint8_t {
  // Proposed by a runner, and sent to its target.
  tag = 1,     ///< amount: yaw of the blow | team of the carrier << 16
  take_torch,  ///< the thing is in the journal at most once
  take_power,
  throw_ball,  ///< amount: yaw
  // To a runner.
  // The tick of an event that changes a motion is ahead of all clients.
  got_torch,   ///< event: runs fast from its tick on; amount: yaw of a blow in that tick, or -1
  lost_torch,  ///< event: it is on its way to another runner
  back_torch,  ///< the tag did not count
  point,       ///< event: the tag counts; runs fast until its tick
  boost,       ///< event: runs fast from its tick on
  joins,       ///< event: amount is the team
  // Between a runner and the standings.
  wants_team,  ///< amount: the team that the player's token names, or 0
  leaves,      ///< amount: the team
  report,      ///< amount: score | team << 16; event: amount is the match
  placed,      ///< also an event; amount: place | won << 8 | score << 16
  career,      ///< event: amount is wins | matches << 16
};

inline constexpr std::string_view npc_name = "Will-o'-the-wisp";

/// First byte of a message to all players.
enum class Call : std::uint8_t {
  Chat = 1,  ///< then "name: text"
  Horn,      ///< the match is over; then its number, u16
};

enum Cue : std::uint8_t { hop_cue = 1, blow_cue, throw_cue, tag_cue, take_cue };

}  // namespace hover_tag
