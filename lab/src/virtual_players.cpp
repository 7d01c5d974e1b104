#include "perigee/lab/virtual_players.hpp"

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

constexpr Micros second_us = 1'000'000;

/// How late an input may arrive and still be applied.
Micros window_us(const ClusterOptions& options) {
  const bool rollback = options.client.techniques.value_or(Techniques{}).rollback;
  return rollback ? options.worker.inputs.window_ticks * second_us / default_tick_rate_hz : 0;
}

}  // namespace

void VirtualPlayers::start(const Pilot& pilot) {
  const ClusterOptions& options = needs_.options;
  all_.resize(options.players);
  for (std::uint32_t i = 0; i < options.players; ++i) {
    VirtualPlayer& player = all_[i];
    const Micros joins_us = needs_.machines.set_up(player, i);
    player.client =
        std::make_unique<client::Client>(options.game_of_clients(needs_.game), options.client);
    player.pilot = pilot(*player.client, mix64(options.seed, std::uint64_t{i}));
    const LinkProfile& up = options.link.up;
    player.oracle = PlayerOracle(
        needs_.game, static_cast<Micros>((up.delay_ms - up.jitter_ms) * 1e3), window_us(options));
    needs_.queue.after(joins_us, [this, i] {
      const bool admitted = log_in(i);
      PERIGEE_ASSERT(admitted, "every player must be admitted in the lab");
      frame(i);
    });
  }
}

bool VirtualPlayers::log_in(std::size_t number) {
  VirtualPlayer& player = all_[number];
  const auto token = needs_.machines.log_in(player);
  if (token) player.client->begin(needs_.machines.local_us(player), *token);
  return token.has_value();
}

void VirtualPlayers::frame(std::size_t number) {
  VirtualPlayer& player = all_[number];
  const Micros now_us = needs_.queue.now_us();
  const auto up_us = player.up->way_us(now_us);
  const auto down_us = player.down->way_us(now_us);
  const auto round_trip_us = usable_round_trip_us(up_us, down_us);
  player.flow.on_path(now_us, round_trip_us, path_carries(up_us, down_us));
  if (needs_.options.keeps_logged_in &&
      needs_.machines.logs_in_again(player, player.client->transport_state(),
                                    round_trip_us.has_value())) {
    log_in(number);
  }
  const Micros local_us = needs_.machines.local_us(player);
  player.client->advance(local_us, *player.pilot);
  player.oracle.after_advance(now_us, local_us, *player.client);
  if (needs_.after_frame) needs_.after_frame(player);
  send_up(player);
  needs_.queue.after(needs_.machines.frame_pause_us(player), [this, number] { frame(number); });
}

void VirtualPlayers::send_up(VirtualPlayer& player) {
  while (const auto out = player.client->poll_send()) {
    auto fate = player.up->send(needs_.queue.now_us(), out->datagram.size());
    if (needs_.on_way_up) needs_.on_way_up(player, fate);
    needs_.machines.send_up(player, fate, out->datagram);
  }
}

void VirtualPlayers::send_down(const Address& to, std::span<const std::byte> bytes) {
  const std::uint32_t number = PlayerMachines::number_at(to);
  if (number >= all_.size() || all_[number].address != to) return;
  VirtualPlayer& player = all_[number];
  needs_.machines.send_down(player, bytes,
                            [this, &player](std::span<std::byte> data) { receive(player, data); });
}

void VirtualPlayers::receive(VirtualPlayer& player, std::span<std::byte> data) {
  player.oracle.before_receive(*player.client);
  const std::uint64_t corrections = player.client->corrections_shown();
  player.client->receive(needs_.machines.local_us(player), gateway_public, data);
  player.oracle.after_receive(needs_.queue.now_us(), *player.client);
  const bool corrected = player.client->corrections_shown() != corrections;
  if (needs_.options.records && corrected) needs_.flights.on_correction(player);
}

void VirtualPlayers::quit(std::size_t number) {
  VirtualPlayer& player = all_[number];
  player.client->disconnect(needs_.machines.local_us(player));
  send_up(player);
}

void VirtualPlayers::after_tick(const worker::Core& core) {
  const Tick final_tick = core.next_tick() - needs_.options.worker.inputs.window_ticks - 1;
  for (VirtualPlayer& player : all_) {
    player.oracle.judge_drawn(core, final_tick);
    const worker::Player* known = core.player_of(player.client_id);
    if (known == nullptr) continue;
    player.oracle.after_tick(needs_.queue.now_us(), core, *known, core.next_tick());
    player.flow.on_tick(needs_.queue.now_us(), known->inputs.last_applied());
  }
}

void VirtualPlayers::forget(const worker::Core& core) {
  for (VirtualPlayer& player : all_) player.oracle.forget(core);
}

}  // namespace perigee::lab
