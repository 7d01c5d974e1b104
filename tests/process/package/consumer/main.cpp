// Hosts the first game, plays it for ten virtual seconds, and prints where the player is, bit for
// bit.
#include <cstdio>
#include <deque>
#include <vector>

#include "game.hpp"
#include "perigee/client/client.hpp"
#include "perigee/embed/server.hpp"

namespace {

using namespace perigee;

struct Runner final : client::InputSampler {
  PlayerInput sample(Tick tick) override {
    return {.tick = tick, .forward = 127, .yaw = 500, .held = button_run};
  }
};

}  // namespace

int main() {
  if (!transport::init_crypto()) return 1;
  constexpr Address at = Address::v4(127, 0, 0, 1, 40500);
  const first_game::Game game;
  std::deque<std::vector<std::byte>> to_player;
  Micros now_us = 1'000'000;
  unsigned char random = 0;
  embed::Server server(
      game, {.address = at}, now_us, 1'800'000'000,
      [&](std::span<std::byte> bytes) {
        for (std::byte& each : bytes) each = std::byte{random += 7};
      },
      [&](const Address&, std::span<const std::byte> datagram) {
        to_player.emplace_back(datagram.begin(), datagram.end());
      });
  client::Client player(game, {});
  player.begin(now_us, server.invite("player"));
  Runner runner;
  for (int frame = 0; frame < 600; ++frame, now_us += 16'667) {
    server.advance(now_us);
    for (; !to_player.empty(); to_player.pop_front()) player.receive(now_us, at, to_player.front());
    player.advance(now_us, runner);
    while (const auto out = player.poll_send()) {
      std::vector<std::byte> copy(out->datagram.begin(), out->datagram.end());
      server.receive(now_us, Address::v4(127, 0, 0, 1, 1), copy);
    }
  }
  if (!player.playing()) return 1;
  const ActorState& state = player.prediction().state();
  std::printf("%016llx %a %a %a\n", static_cast<unsigned long long>(game.schema_hash()),
              state.position.x, state.position.y, state.position.z);
}
