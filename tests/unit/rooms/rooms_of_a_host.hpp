/// Rooms in one process: the real gateway, workers and clients, without a network.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "game.hpp"
#include "perigee/client/client.hpp"
#include "perigee/rooms/host.hpp"
#include "perigee/world/think_context.hpp"

namespace perigee::rooms {

inline constexpr Address host_address = Address::v4(10, 0, 0, 1, 40580);

struct LapRunner final : client::InputSampler {
  PlayerInput sample(Tick tick) override {
    const double z = client->prediction().state().position.z;
    back = z > 16 || (back && z > -16);
    return {.tick = tick,
            .forward = 127,
            .yaw = static_cast<std::uint16_t>(back ? 32768 : 0),
            .held = button_run};
  }
  const client::Client* client = nullptr;
  bool back = false;
};

/// The match of this game is over when it has a player.
struct ShortGame final : first_game::Game {
  void think(world::ThinkContext& context) const override {
    context.for_each_actor([&](const world::ThinkActor&) { context.journal().end_world(7); });
    context.for_each_actor([&](const world::ThinkActor&) { context.journal().end_world(8); });
  }
};

/// Each tick takes a core as long as a tick may take, and half as long again.
struct SlowGame final : first_game::Game {
  explicit SlowGame(Micros& clock_us) : clock(clock_us) {}
  void think(world::ThinkContext&) const override { clock += 25'000; }
  Micros& clock;
};

/// Notes for which room its functions are said to run.
struct WatchedJoins final : first_game::Game {
  explicit WatchedJoins(const RoomId& ticking) : running(ticking) {}
  void on_join(world::Journal&, const world::Participant&) const override {
    joined.push_back(running);
  }
  void on_leave(world::Journal&, const world::Participant&) const override {
    left.push_back(running);
  }
  const RoomId& running;
  mutable std::vector<RoomId> joined, left;
};

class RoomsOfAHost : public testing::Test, protected Outputs {
 protected:
  struct Player {
    std::unique_ptr<client::Client> client;
    LapRunner pilot;
    Address address;
    bool unplugged = false;
    bool asleep = false;  ///< its device is
    std::deque<std::vector<std::byte>> inbox;
  };

  using Game = std::shared_ptr<const world::GameModule>;
  explicit RoomsOfAHost(HostSettings wanted = {}, RecordStore store = {},
                        Game plain = std::make_shared<const first_game::Game>())
      : stages{{"plain", std::move(plain)},
               {"other", std::make_shared<const first_game::Game>()},
               {"short", std::make_shared<const ShortGame>()},
               {"slow", std::make_shared<const SlowGame>(clock_us)},
               {"watched", std::make_shared<const WatchedJoins>(ticking)}},
        settings(with_address(std::move(wanted))),
        record_store(std::move(store)) {}
  static HostSettings with_address(HostSettings settings) {
    settings.address = host_address;
    settings.worker.entities_max = 64;
    settings.worker.npcs_max = 4;
    return settings;
  }
  static void SetUpTestSuite() { ASSERT_TRUE(transport::init_crypto()); }

  RoomFigures create(const RoomPlan& plan = {}) {
    const auto created = host.create(now_us, plan);
    EXPECT_TRUE(std::holds_alternative<RoomFigures>(created));
    return std::get<RoomFigures>(created);
  }
  std::optional<Refusal> refusal_of(const RoomPlan& plan) {
    const auto created = host.create(now_us, plan);
    if (const auto* refused = std::get_if<Refusal>(&created)) return *refused;
    return std::nullopt;
  }
  std::variant<transport::ConnectToken, Refusal> invite(RoomId room, std::uint64_t player_id = 0) {
    return host.invite(now_us, room, {.name = "ada", .player_id = player_id, .claims = {}});
  }
  transport::ConnectToken token(RoomId room, std::uint64_t player_id = 0) {
    return std::get<transport::ConnectToken>(invite(room, player_id));
  }
  Player& dial(const transport::ConnectToken& with) {
    Player& player = *players.emplace_back(std::make_unique<Player>());
    player.client = std::make_unique<client::Client>(game(), client::Settings{});
    player.pilot.client = player.client.get();
    player.address = Address::v4(10, 0, 1, static_cast<std::uint8_t>(players.size()), 50000);
    EXPECT_TRUE(player.client->begin(now_us, with));
    return player;
  }
  Player& join(RoomId room) { return dial(token(room)); }
  void run(double seconds) {
    for (const Micros end_us = now_us + static_cast<Micros>(seconds * 1e6); now_us < end_us;) {
      now_us = std::max(now_us + 1, std::min(host.next_deadline_us(), now_us + 4'000));
      host.advance(now_us);
      for (const auto& player : players) turn(*player);
    }
  }
  /// The same on a core that the ticks keep busy: time passes while they run.
  void run_busy(double seconds) {
    for (const Micros end_us = now_us + static_cast<Micros>(seconds * 1e6); now_us < end_us;) {
      const Micros before_us = clock_us;
      now_us = std::max(now_us + 1, std::min(host.next_deadline_us(), now_us + 4'000));
      host.advance(now_us);
      for (const auto& player : players) turn(*player);
      now_us += clock_us - before_us;
    }
  }
  RoomFigures figures(RoomId room) { return host.figures(room).value_or(RoomFigures{}); }
  const world::GameModule& game() const { return *stages.front().game; }
  /// The actors that a client knows of.
  static std::size_t actors_seen(Player& player, Micros now) {
    std::size_t actors = 0;
    for (const auto& entity : player.client->scene(now)) {
      if (entity.type == first_game::runner_row) ++actors;
    }
    return actors;
  }

  // Outputs:
  void to_client(const Address& to, std::span<const std::byte> datagram) override {
    for (const auto& player : players) {
      if (player->address == to && !player->unplugged) {
        player->inbox.emplace_back(datagram.begin(), datagram.end());
      }
    }
  }
  void on_tick_begins(RoomId room) override { ticking = room; }
  void on_tick(Micros, Micros late_us) override {
    if (late_us > latest_us[ticking]) latest_us[ticking] = late_us;
  }
  void on_began(const RoomFigures& room) override { began.push_back(room.id); }
  void on_ended(const RoomFigures& room) override { ended.push_back(room.id); }

  Random random{5};
  Micros now_us = 7'000'000;
  RoomId ticking;
  Micros clock_us = 0;
  plugin::Stages stages;
  std::vector<std::unique_ptr<Player>> players;
  std::vector<RoomId> began, ended;
  std::map<RoomId, Micros> latest_us;
  HostSettings settings;
  RecordStore record_store;
  Host host{settings,
            {.stages = stages,
             .random =
                 [this](std::span<std::byte> out) {
                   for (std::byte& b : out) b = static_cast<std::byte>(random.next());
                 },
             .clock = [this] { return clock_us += 50; },
             .outputs = *this,
             .store = record_store},
            now_us,
            1'800'000'000};

 private:
  void turn(Player& player) {
    if (player.asleep) return player.inbox.clear();
    for (; !player.inbox.empty(); player.inbox.pop_front()) {
      player.client->receive(now_us, host_address, player.inbox.front());
    }
    player.client->advance(now_us, player.pilot);
    while (const auto out = player.client->poll_send()) {
      if (player.unplugged) continue;
      std::vector<std::byte> copy(out->datagram.begin(), out->datagram.end());
      host.receive(now_us, now_us, player.address, copy);
    }
  }
};

}  // namespace perigee::rooms
