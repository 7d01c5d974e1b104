/// Headless players of any game:
///
///   int main(int argc, char** argv) {
///     return perigee::bots::run_process(argc, argv, MyGame{});
///   }
///
/// With the settings and figures of perigee-bots. The bots walk, look around, jump and use objects,
/// like players without any knowledge of the game. Bots that know the game have a pilot of it:
///
///   return perigee::bots::run_process(argc, argv, MyGame{}, [](const auto& client, auto) {
///     return std::make_unique<MyPilot>(client);
///   });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "perigee/client/client.hpp"
#include "perigee/world/game.hpp"

namespace perigee::game_library {
class GameChoice;
}

namespace perigee::bots {

/// Makes the controls of one bot: not null. `seed` differs for each bot. Called and used on the bot's
/// thread.
using PilotOf = std::function<std::unique_ptr<client::InputSampler>(const client::Client& client,
                                                                    std::uint64_t seed)>;

/// Returns the exit code: 0 if all joined and none was disconnected.
int run_process(int argc, char** argv, const world::GameModule& game, const PilotOf& pilot = {});
/// The same with the setting `game`, which loads the game of a library. `choice` has declared no
/// setting yet.
int run_process(int argc, char** argv, game_library::GameChoice& choice);

}  // namespace perigee::bots
