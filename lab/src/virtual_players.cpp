#include "perigee/lab/virtual_players.hpp"

#include <string>
#include <utility>
#include <variant>

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

constexpr Micros second_us = 1'000'000;

constexpr Address client_address(std::uint32_t number) {
  return Address::v4(10, 1, static_cast<std::uint8_t>(number / 200),
                     static_cast<std::uint8_t>(1 + number % 200), 50000);
}

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
    Random random(mix64(options.seed, std::uint64_t{i}, std::uint64_t{0xb07}));
    const world::GameModule& clients_game =
        options.clients_game != nullptr ? *options.clients_game : needs_.game;
    player.client = std::make_unique<client::Client>(clients_game, options.client);
    player.pilot = pilot(*player.client, mix64(options.seed, std::uint64_t{i}));
    player.address = client_address(i);
    player.clock_rate = 1 + random.between(-1, 1) * options.drift_ppm_max * 1e-6;
    player.clock_offset_us = static_cast<Micros>(random.between(-1, 1) *
                                                 static_cast<double>(options.clock_offset_us_max));
    player.frame_us = second_us / options.frames_per_s[i % options.frames_per_s.size()];
    player.up = std::make_unique<LinkSimulator>(options.link.up, options.seed, i, 0);
    player.down = std::make_unique<LinkSimulator>(options.link.down, options.seed, i, 1);
    const LinkProfile& up = options.link.up;
    player.oracle = PlayerOracle(
        needs_.game, static_cast<Micros>((up.delay_ms - up.jitter_ms) * 1e3), window_us(options));
    player.next_hitch_us =
        needs_.queue.now_us() +
        static_cast<Micros>(random.between(0.2, 1) * static_cast<double>(options.hitch_every_us));
    const Micros joins_us = static_cast<Micros>(random.between(0, 1) * 500'000);
    needs_.queue.after(joins_us, [this, i] {
      const bool admitted = log_in(i);
      PERIGEE_ASSERT(admitted, "every player must be admitted in the lab");
      frame(i);
    });
  }
}

Micros VirtualPlayers::local_us(const VirtualPlayer& player) const {
  return player.clock_offset_us +
         static_cast<Micros>(static_cast<double>(needs_.queue.now_us()) * player.clock_rate);
}

bool VirtualPlayers::log_in(std::size_t number) {
  VirtualPlayer& player = all_[number];
  const ClusterMap& map = needs_.directory.core().map();
  const auto answer = needs_.sessions.log_in("player-" + std::to_string(number), player.address,
                                             map.regions[number % map.regions.size()].region, map);
  const auto* admitted = std::get_if<session::Admitted>(&answer);
  if (admitted == nullptr) return false;
  player.client_id = admitted->client_id;
  player.client->begin(local_us(player), admitted->token);
  return true;
}

// Acts like the program around the client when the player wants to continue.
void VirtualPlayers::keep_logged_in(std::size_t number, bool path_is_usable) {
  VirtualPlayer& player = all_[number];
  const Micros now_us = needs_.queue.now_us();
  if (player.client->transport_state() > transport::ClientState::Disconnected) {
    player.next_log_in_us = now_us + second_us;
  } else if (now_us >= player.next_log_in_us && path_is_usable) {
    player.next_log_in_us = now_us + second_us;
    log_in(number);
  }
}

void VirtualPlayers::frame(std::size_t number) {
  VirtualPlayer& player = all_[number];
  const Micros now_us = needs_.queue.now_us();
  const auto up_us = player.up->way_us(now_us);
  const auto down_us = player.down->way_us(now_us);
  const auto round_trip_us = usable_round_trip_us(up_us, down_us);
  player.flow.on_path(now_us, round_trip_us, path_carries(up_us, down_us));
  if (needs_.options.keeps_logged_in) keep_logged_in(number, round_trip_us.has_value());
  player.client->advance(local_us(player), *player.pilot);
  player.oracle.after_advance(now_us, local_us(player), *player.client);
  if (needs_.after_frame) needs_.after_frame(player);
  send_up(player);
  Micros pause_us = player.frame_us;
  if (now_us >= player.next_hitch_us) {
    player.next_hitch_us = now_us + needs_.options.hitch_every_us;
    pause_us = needs_.options.hitch_us;
  }
  pause_us += std::exchange(player.stands_still_us, 0);
  needs_.queue.after(pause_us, [this, number] { frame(number); });
}

void VirtualPlayers::send_up(VirtualPlayer& player) {
  while (const auto out = player.client->poll_send()) {
    auto fate = player.up->send(needs_.queue.now_us(), out->datagram.size());
    if (needs_.on_way_up) needs_.on_way_up(player, fate);
    if (needs_.queue.now_us() < player.dark_until_us) continue;
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      needs_.queue.at(*when + player.up_extra_us,
                      [this, from = player.address, data = copy_of(out->datagram)]() mutable {
                        needs_.gateway.on_client(from, data);
                      });
    }
  }
}

void VirtualPlayers::send_down(const Address& to, std::span<const std::byte> bytes) {
  for (VirtualPlayer& player : all_) {
    if (!(player.address == to)) continue;
    const auto fate = player.down->send(needs_.queue.now_us(), bytes.size());
    if (needs_.queue.now_us() < player.dark_until_us) return;
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      needs_.queue.at(*when + player.down_extra_us,
                      [this, &player, data = copy_of(bytes)]() mutable { receive(player, data); });
    }
    return;
  }
}

void VirtualPlayers::receive(VirtualPlayer& player, std::span<std::byte> data) {
  player.oracle.before_receive(*player.client);
  const std::uint64_t corrections = player.client->corrections_shown();
  player.client->receive(local_us(player), gateway_public, data);
  player.oracle.after_receive(needs_.queue.now_us(), *player.client);
  const bool corrected = player.client->corrections_shown() != corrections;
  if (needs_.options.records && corrected) needs_.flights.on_correction(player);
}

void VirtualPlayers::quit(std::size_t number) {
  VirtualPlayer& player = all_[number];
  player.client->disconnect(local_us(player));
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
