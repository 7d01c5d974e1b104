/// The state of a runner, player or NPC, besides its motion: predicted, rolled back and sent like
/// it. And the state of the world, which decided effects change.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/world/game_state.hpp"
#include "rules.hpp"

namespace hover_tag {

/// Teams are 1 and 2. An NPC has team 0, and every runner is its opponent.
struct Runner {
  // Ticks at which its motion changes are announced ahead; 0: none.
  std::uint32_t blow_at = 0;
  std::uint32_t boost_from = 0;  ///< runs fast for boost_ticks
  std::uint32_t torch_from = 0;  ///< runs fast as a carrier ...
  std::uint32_t torch_until = 0;
  std::uint16_t match = 0;  ///< that the score is of
  std::uint16_t score = 0;
  std::uint16_t reported = 0;  ///< the last match with a report of its score
  std::uint16_t blow_yaw = 0;  ///< 1/65536 turn
  std::uint16_t final_score = 0;
  std::uint16_t wins = 0;  ///< in the player's life, as its profile has it
  std::uint16_t matches = 0;
  std::uint8_t team = 0;
  std::uint8_t torch = 0;   ///< 1: carries one
  std::uint8_t tagged = 0;  ///< times in this match
  std::uint8_t powers = 0;  ///< taken in this match
  std::uint8_t fuel = hover_fuel_ticks;
  std::uint8_t throw_wait = 0;  ///< ticks
  std::uint8_t hit_wait = 0;
  std::uint8_t tag_wait = 0;  ///< until a carrier can tag, and a former one can be tagged back
  /// In the table of the match `reported`, from 1 on, until the result is kept.
  std::uint8_t place = 0;
  std::uint8_t won = 0;  ///< 1: by its team

  static void fields(auto&& field, auto& runner) {
    using perigee::world::SeenBy;
    field(runner.blow_at, SeenBy::Owner);
    field(runner.boost_from, SeenBy::Everybody);
    field(runner.torch_from, SeenBy::Owner);
    field(runner.torch_until, SeenBy::Owner);
    field(runner.match, SeenBy::Everybody);
    field(runner.score, SeenBy::Everybody);
    field(runner.reported, SeenBy::Owner);
    field(runner.blow_yaw, SeenBy::Owner);
    field(runner.final_score, SeenBy::Owner);
    field(runner.wins, SeenBy::Owner);
    field(runner.matches, SeenBy::Owner);
    field(runner.team, SeenBy::Everybody);
    field(runner.torch, SeenBy::Everybody);
    field(runner.tagged, SeenBy::Everybody);
    field(runner.powers, SeenBy::Everybody);
    field(runner.fuel, SeenBy::Owner);
    field(runner.throw_wait, SeenBy::Owner);
    field(runner.hit_wait, SeenBy::Owner);
    field(runner.tag_wait, SeenBy::Owner);
    field(runner.place, SeenBy::Owner);
    field(runner.won, SeenBy::Owner);
  }

  bool fast(perigee::Tick tick) const {
    using perigee::Tick;
    return boosted(tick) ||
           (perigee::not_after(Tick{torch_from}, tick) && perigee::before(tick, Tick{torch_until}));
  }
  bool boosted(perigee::Tick tick) const {
    const std::int32_t since = perigee::ticks_between(perigee::Tick{boost_from}, tick);
    return boost_from != 0 && since >= 0 && since < boost_ticks;
  }
  bool opponent(std::uint8_t other_team) const {
    return team == 0 || other_team == 0 || team != other_team;
  }
  bool may_be_tagged_by(std::uint8_t other_team) const {
    return torch == 0 && tag_wait == 0 && opponent(other_team);
  }
};

/// The state of the world: the sizes of the teams, and the table of the last match.
struct Standings {
  static constexpr std::uint8_t rows_max = 24;
  enum Outcome : std::uint8_t { Open, TeamOne, TeamTwo, Draw };

  /// By place, once the outcome is known.
  struct TableRow {
    perigee::Handle runner = 0;
    std::uint32_t points = 0;  ///< score | team << 16
    std::uint16_t score() const { return static_cast<std::uint16_t>(points); }
    std::uint8_t team() const { return static_cast<std::uint8_t>(points >> 16); }
  };

  std::uint16_t match = 0;  ///< of the table
  std::uint8_t rows = 0;
  std::uint8_t outcome = Open;
  std::array<std::uint16_t, 2> runners{};  ///< at present, of each team
  std::array<TableRow, rows_max> table{};

  static void fields(auto&& field, auto& standings) {
    using perigee::world::SeenBy;
    field(standings.match, SeenBy::Everybody);
    field(standings.rows, SeenBy::Everybody);
    field(standings.outcome, SeenBy::Everybody);
    for (auto& runners : standings.runners) field(runners, SeenBy::Everybody);
    for (auto& row : standings.table) {
      field(row.runner, SeenBy::Everybody);
      field(row.points, SeenBy::Everybody);
    }
  }
};

}  // namespace hover_tag
