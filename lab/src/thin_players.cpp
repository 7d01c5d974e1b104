#include "perigee/lab/thin_players.hpp"

#include "perigee/base/hash.hpp"
#include "perigee/bots/stroller.hpp"
#include "perigee/lab/input_flow.hpp"

namespace perigee::lab {
namespace {

std::unique_ptr<client::InputSampler> stroller(const client::ThinAvatar& avatar,
                                               std::uint64_t seed) {
  return std::make_unique<bots::Stroller>(avatar, seed);
}

}  // namespace

void ThinPlayers::start() {
  const ClusterOptions& options = needs_.options;
  const ThinPilot pilot = options.thin_pilot ? options.thin_pilot : stroller;
  all_.resize(options.thin_players);
  for (std::uint32_t i = 0; i < options.thin_players; ++i) {
    ThinPlayer& player = all_[i];
    const std::uint32_t number = options.players + i;
    const Micros joins_us = needs_.machines.set_up(player, number);
    player.client =
        std::make_unique<client::ThinClient>(options.game_of_clients(needs_.game), options.client);
    player.pilot = pilot(player.client->avatar(), mix64(options.seed, std::uint64_t{number}));
    needs_.queue.after(joins_us, [this, i] {
      const bool admitted = log_in(i);
      PERIGEE_ASSERT(admitted, "every player must be admitted in the lab");
      frame(i);
    });
  }
}

bool ThinPlayers::log_in(std::size_t number) {
  ThinPlayer& player = all_[number];
  const auto token = needs_.machines.log_in(player);
  return token && player.client->begin(needs_.machines.local_us(player), *token);
}

void ThinPlayers::frame(std::size_t number) {
  ThinPlayer& player = all_[number];
  if (needs_.options.keeps_logged_in) {
    const Micros now_us = needs_.queue.now_us();
    const bool usable =
        usable_round_trip_us(player.up->way_us(now_us), player.down->way_us(now_us)).has_value();
    if (needs_.machines.logs_in_again(player, player.client->transport_state(), usable))
      log_in(number);
  }
  player.client->advance(needs_.machines.local_us(player), *player.pilot);
  send_up(player);
  needs_.queue.after(needs_.machines.frame_pause_us(player), [this, number] { frame(number); });
}

void ThinPlayers::send_up(ThinPlayer& player) {
  while (const auto out = player.client->poll_send()) {
    const auto fate = player.up->send(needs_.queue.now_us(), out->datagram.size());
    needs_.machines.send_up(player, fate, out->datagram);
  }
}

void ThinPlayers::send_down(const Address& to, std::span<const std::byte> bytes) {
  const std::uint32_t first = needs_.options.players;
  const std::uint32_t number = PlayerMachines::number_at(to);
  if (number < first || number - first >= all_.size()) return;
  ThinPlayer& player = all_[number - first];
  if (player.address != to) return;
  needs_.machines.send_down(player, bytes, [this, &player](std::span<std::byte> data) {
    player.client->receive(needs_.machines.local_us(player), gateway_public, data);
  });
}

}  // namespace perigee::lab
