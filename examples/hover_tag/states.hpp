/// The state of a runner, player or NPC, besides its motion: predicted, rolled back and sent like
/// it.
#pragma once

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
  std::uint16_t counted = 0;   ///< the last match with a result in the journal
  std::uint16_t blow_yaw = 0;  ///< 1/65536 turn
  std::uint8_t team = 0;
  std::uint8_t torch = 0;   ///< 1: carries one
  std::uint8_t tagged = 0;  ///< times in this match
  std::uint8_t powers = 0;  ///< taken in this match
  std::uint8_t fuel = hover_fuel_ticks;
  std::uint8_t throw_wait = 0;  ///< ticks
  std::uint8_t hit_wait = 0;
  std::uint8_t tag_wait = 0;  ///< until a carrier can tag, and a former one can be tagged back

  static void fields(auto&& field, auto& runner) {
    using perigee::world::SeenBy;
    field(runner.blow_at, SeenBy::Owner);
    field(runner.boost_from, SeenBy::Everybody);
    field(runner.torch_from, SeenBy::Owner);
    field(runner.torch_until, SeenBy::Owner);
    field(runner.match, SeenBy::Everybody);
    field(runner.score, SeenBy::Everybody);
    field(runner.counted, SeenBy::Owner);
    field(runner.blow_yaw, SeenBy::Owner);
    field(runner.team, SeenBy::Everybody);
    field(runner.torch, SeenBy::Everybody);
    field(runner.tagged, SeenBy::Everybody);
    field(runner.powers, SeenBy::Everybody);
    field(runner.fuel, SeenBy::Owner);
    field(runner.throw_wait, SeenBy::Owner);
    field(runner.hit_wait, SeenBy::Owner);
    field(runner.tag_wait, SeenBy::Owner);
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

}  // namespace hover_tag
