// hover-tag-bots [SETTINGS]: headless players that know the game; --help says which settings.
#include "game.hpp"
#include "perigee/bots/process.hpp"
#include "pilot.hpp"

int main(int argc, char** argv) {
  using perigee::client::Client;
  const hover_tag::Game game;
  return perigee::bots::run_process(argc, argv, game, [](const Client& client, std::uint64_t) {
    return std::make_unique<hover_tag::Pilot>(client);
  });
}
