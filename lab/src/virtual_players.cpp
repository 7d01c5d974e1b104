// The virtual cluster's players: their clocks and frames, and the links between them and the
// gateway.
#include "perigee/base/hash.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Address client_address(std::uint32_t number) {
  return Address::v4(10, 1, static_cast<std::uint8_t>(number / 200),
                     static_cast<std::uint8_t>(1 + number % 200), 50000);
}

/// How late an input may arrive and still be applied.
Micros window_us(const ClusterOptions& options) {
  const bool rollback = options.client.techniques.value_or(Techniques{}).rollback;
  return rollback ? options.worker.inputs.window_ticks * 1'000'000 / default_tick_rate_hz : 0;
}

}  // namespace

void VirtualCluster::start_players(const Pilot& pilot) {
  players_.resize(options_.players);
  for (std::uint32_t i = 0; i < options_.players; ++i) {
    VirtualPlayer& player = players_[i];
    Random random(mix64(options_.seed, std::uint64_t{i}, std::uint64_t{0xb07}));
    const world::GameModule& clients_game =
        options_.clients_game != nullptr ? *options_.clients_game : game_;
    player.client = std::make_unique<client::Client>(clients_game, options_.client);
    player.pilot = pilot(*player.client, mix64(options_.seed, std::uint64_t{i}));
    player.address = client_address(i);
    player.clock_rate = 1 + random.between(-1, 1) * options_.drift_ppm_max * 1e-6;
    player.clock_offset_us = static_cast<Micros>(random.between(-1, 1) *
                                                 static_cast<double>(options_.clock_offset_us_max));
    player.frame_us = 1'000'000 / options_.frames_per_s[i % options_.frames_per_s.size()];
    player.up = std::make_unique<LinkSimulator>(options_.link.up, options_.seed, i, 0);
    player.down = std::make_unique<LinkSimulator>(options_.link.down, options_.seed, i, 1);
    const LinkProfile& up = options_.link.up;
    player.oracle = PlayerOracle(game_, static_cast<Micros>((up.delay_ms - up.jitter_ms) * 1e3),
                                 window_us(options_));
    player.next_hitch_us =
        queue_.now_us() +
        static_cast<Micros>(random.between(0.2, 1) * static_cast<double>(options_.hitch_every_us));
    const Micros joins_us = static_cast<Micros>(random.between(0, 1) * 500'000);
    queue_.after(joins_us, [this, i] {
      const bool admitted = connect(i);
      PERIGEE_ASSERT(admitted, "every player must be admitted in the lab");
      player_frame(i);
    });
  }
}

/// False: not possible now.
bool VirtualCluster::connect(std::size_t number) {
  VirtualPlayer& player = players_[number];
  const ClusterMap& map = directory_->map();
  const auto answer = sessions_->log_in("player-" + std::to_string(number), player.address,
                                        map.regions[number % map.regions.size()].region, map);
  const auto* admitted = std::get_if<session::Admitted>(&answer);
  if (admitted == nullptr) return false;
  player.client_id = admitted->client_id;
  player.client->begin(local_us(player), admitted->token);
  return true;
}

// Like the program around the client when its player wants to continue.
void VirtualCluster::keep_logged_in(std::size_t index, bool path_is_usable) {
  constexpr Micros second_us = 1'000'000;
  VirtualPlayer& player = players_[index];
  const Micros now_us = queue_.now_us();
  if (player.client->transport_state() > transport::ClientState::Disconnected) {
    player.next_log_in_us = now_us + second_us;
  } else if (now_us >= player.next_log_in_us && path_is_usable) {
    player.next_log_in_us = now_us + second_us;
    connect(index);
  }
}

void VirtualCluster::player_frame(std::size_t index) {
  VirtualPlayer& player = players_[index];
  const Micros now_us = queue_.now_us();
  const auto round_trip_us =
      usable_round_trip_us(player.up->way_us(now_us), player.down->way_us(now_us));
  player.flow.on_path(now_us, round_trip_us);
  if (options_.keeps_logged_in) keep_logged_in(index, round_trip_us.has_value());
  player.client->advance(local_us(player), *player.pilot);
  player.oracle.after_advance(queue_.now_us(), local_us(player), *player.client);
  if (after_frame) after_frame(player);
  client_sends(player);
  Micros pause_us = player.frame_us;
  if (queue_.now_us() >= player.next_hitch_us) {
    player.next_hitch_us = queue_.now_us() + options_.hitch_every_us;
    pause_us = options_.hitch_us;
  }
  pause_us += std::exchange(player.stands_still_us, 0);
  queue_.after(pause_us, [this, index] { player_frame(index); });
}

void VirtualCluster::client_sends(VirtualPlayer& player) {
  const auto arrive = [this](const Address& from, Bytes data) {
    if (!gateway_) return;
    gateway::ClientDatagram datagram{from, queue_.now_us(), fine_now(), data};
    gateway_->on_client_datagram(queue_.now_us(), clock_.unix_s(), datagram);
    gateway_->flush();
  };
  while (const auto out = player.client->poll_send()) {
    auto fate = player.up->send(queue_.now_us(), out->datagram.size());
    if (on_way_up) on_way_up(player, fate);
    if (queue_.now_us() < player.dark_until_us) continue;
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      queue_.at(
          *when + player.up_extra_us,
          [arrive, from = player.address, data = copy_of(out->datagram)] { arrive(from, data); });
    }
  }
}

void VirtualCluster::gateway_sends(const Address& to, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < players_.size(); ++i) {
    if (!(players_[i].address == to)) continue;
    const auto fate = players_[i].down->send(queue_.now_us(), bytes.size());
    if (queue_.now_us() < players_[i].dark_until_us) return;
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      queue_.at(*when + players_[i].down_extra_us, [this, i, data = copy_of(bytes)]() mutable {
        VirtualPlayer& player = players_[i];
        player.oracle.before_receive(*player.client);
        const std::uint64_t corrections = player.client->corrections_shown();
        player.client->receive(local_us(player), gateway_public, data);
        player.oracle.after_receive(queue_.now_us(), *player.client);
        const bool corrected = player.client->corrections_shown() != corrections;
        if (options_.records && corrected) notice_worst(i);
      });
    }
    return;
  }
}

std::variant<std::uint64_t, session::OrderRefused> VirtualCluster::order(
    const session::SessionName& name, std::string_view settings) {
  return sessions_->order(
      name, settings,
      [this](std::uint64_t client_id, std::uint64_t order, const TechniqueOrder& techniques) {
        if (gateway_) gateway_->order_techniques(queue_.now_us(), client_id, order, techniques);
      });
}

void VirtualCluster::quit(std::size_t index) {
  VirtualPlayer& player = players_[index];
  player.client->disconnect(local_us(player));
  client_sends(player);
}

}  // namespace perigee::lab
