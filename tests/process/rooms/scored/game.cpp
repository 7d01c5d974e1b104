// The first game, which counts in each player's profile how often it has left, and keeps that as a
// result of match 1.
#include <array>

#include "game.hpp"
#include "perigee/plugin/game_plugin.hpp"

namespace {

class ScoredGame final : public first_game::Game {
 public:
  void on_leave(perigee::world::Journal& journal,
                const perigee::world::Participant& who) const override {
    const auto profile = journal.profile(who.actor);
    const int before = profile && !profile->empty() ? static_cast<int>((*profile)[0]) : 0;
    const std::array now{static_cast<std::byte>(before + 1)};
    (void)journal.save(who.actor, now);
    (void)journal.keep({.match = 1, .place = static_cast<std::uint16_t>(who.actor), .bytes = now});
  }
};

}  // namespace

PERIGEE_GAME(ScoredGame)
