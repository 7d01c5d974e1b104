#include "perigee/lab/player_machines.hpp"

#include <string>
#include <utility>
#include <variant>

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

constexpr Micros log_in_pause_us = 1'000'000;
constexpr std::uint32_t machines_per_net = 200;

constexpr Address machine_address(std::uint32_t number) {
  return Address::v4(10, 1, static_cast<std::uint8_t>(number / machines_per_net),
                     static_cast<std::uint8_t>(1 + number % machines_per_net), 50000);
}

}  // namespace

std::uint32_t PlayerMachines::number_at(const Address& address) {
  return address.ip[2] * machines_per_net + address.ip[3] - 1U;
}

Micros PlayerMachines::set_up(PlayerMachine& machine, std::uint32_t number) const {
  const ClusterOptions& options = needs_.options;
  Random random(mix64(options.seed, std::uint64_t{number}, std::uint64_t{0xb07}));
  machine.number = number;
  machine.address = machine_address(number);
  machine.clock_rate = 1 + random.between(-1, 1) * options.drift_ppm_max * 1e-6;
  machine.clock_offset_us =
      static_cast<Micros>(random.between(-1, 1) * static_cast<double>(options.clock_offset_us_max));
  machine.frame_us = 1'000'000 / options.frames_per_s[number % options.frames_per_s.size()];
  machine.up = std::make_unique<LinkSimulator>(options.link.up, options.seed, number, 0);
  machine.down = std::make_unique<LinkSimulator>(options.link.down, options.seed, number, 1);
  machine.next_hitch_us =
      needs_.queue.now_us() +
      static_cast<Micros>(random.between(0.2, 1) * static_cast<double>(options.hitch_every_us));
  return static_cast<Micros>(random.between(0, 1) * 500'000);
}

Micros PlayerMachines::local_us(const PlayerMachine& machine) const {
  return machine.clock_offset_us +
         static_cast<Micros>(static_cast<double>(needs_.queue.now_us()) * machine.clock_rate);
}

Micros PlayerMachines::frame_pause_us(PlayerMachine& machine) const {
  const Micros now_us = needs_.queue.now_us();
  Micros pause_us = machine.frame_us;
  if (now_us >= machine.next_hitch_us) {
    machine.next_hitch_us = now_us + needs_.options.hitch_every_us;
    pause_us = needs_.options.hitch_us;
  }
  return pause_us + std::exchange(machine.stands_still_us, 0);
}

std::optional<transport::ConnectToken> PlayerMachines::log_in(PlayerMachine& machine) {
  const ClusterMap& map = needs_.directory.core().map();
  const auto answer =
      needs_.sessions.log_in("player-" + std::to_string(machine.number), machine.address,
                             map.regions[machine.number % map.regions.size()].region, map);
  const auto* admitted = std::get_if<session::Admitted>(&answer);
  if (admitted == nullptr) return std::nullopt;
  machine.client_id = admitted->client_id;
  return admitted->token;
}

// Acts like the program around the client.
bool PlayerMachines::logs_in_again(PlayerMachine& machine, transport::ClientState client,
                                   bool path_is_usable) const {
  const Micros now_us = needs_.queue.now_us();
  const bool ended = client <= transport::ClientState::Disconnected;
  if (ended && (now_us < machine.next_log_in_us || !path_is_usable)) return false;
  machine.next_log_in_us = now_us + log_in_pause_us;
  return ended;
}

void PlayerMachines::send_up(const PlayerMachine& machine, const LinkSimulator::Fate& fate,
                             std::span<const std::byte> bytes) {
  if (needs_.queue.now_us() < machine.dark_until_us) return;
  for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
    if (!when) continue;
    needs_.queue.at(*when + machine.up_extra_us,
                    [this, from = machine.address, data = copy_of(bytes)]() mutable {
                      needs_.gateway.on_client(from, data);
                    });
  }
}

void PlayerMachines::send_down(PlayerMachine& machine, std::span<const std::byte> bytes,
                               const std::function<void(std::span<std::byte>)>& receive) {
  const auto fate = machine.down->send(needs_.queue.now_us(), bytes.size());
  if (needs_.queue.now_us() < machine.dark_until_us) return;
  for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
    if (!when) continue;
    needs_.queue.at(*when + machine.down_extra_us,
                    [receive, data = copy_of(bytes)]() mutable { receive(data); });
  }
}

}  // namespace perigee::lab
