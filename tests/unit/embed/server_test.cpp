// A server embedded in another program: the real gateway, worker and clients, without a network.
// (K2b)
#include "perigee/embed/server.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "game.hpp"
#include "perigee/client/client.hpp"

namespace perigee::embed {
namespace {

constexpr Address at = Address::v4(10, 0, 0, 1, 40500);
constexpr Address address_of(std::uint8_t number) { return Address::v4(10, 0, 0, number, 50000); }

struct Runner final : client::InputSampler {
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

class AHost : public testing::Test {
 protected:
  struct Player {
    std::unique_ptr<client::Client> client;
    Runner pilot;
    Address address;
    std::deque<std::vector<std::byte>> inbox;
  };
  explicit AHost(Tick first = {}) : first_tick(first) {}
  static void SetUpTestSuite() { ASSERT_TRUE(transport::init_crypto()); }

  transport::RandomBytes random_bytes() {
    return [this](std::span<std::byte> out) {
      for (std::byte& b : out) b = static_cast<std::byte>(random.next());
    };
  }
  Player& join(std::string_view name) {
    Player& player = *players.emplace_back(std::make_unique<Player>());
    player.client = std::make_unique<client::Client>(game, client::Settings{});
    player.pilot.client = player.client.get();
    player.address = address_of(static_cast<std::uint8_t>(players.size() + 1));
    EXPECT_TRUE(player.client->begin(now_us, server.invite(name)));
    return player;
  }
  void run(double seconds) {
    for (const Micros end_us = now_us + static_cast<Micros>(seconds * 1e6); now_us < end_us;) {
      now_us = std::max(now_us + 1, std::min(server.next_deadline_us(), now_us + 4'000));
      server.advance(now_us);
      for (const auto& player : players) turn(*player);
    }
  }
  void turn(Player& player) {
    for (; !player.inbox.empty(); player.inbox.pop_front()) {
      player.client->receive(now_us, at, player.inbox.front());
    }
    player.client->advance(now_us, player.pilot);
    while (const auto out = player.client->poll_send()) {
      std::vector<std::byte> copy(out->datagram.begin(), out->datagram.end());
      server.receive(now_us, player.address, copy);
    }
  }

  Tick first_tick;
  Random random{5};
  Micros now_us = 7'000'000;
  first_game::Game game;
  std::vector<std::unique_ptr<Player>> players;
  Server server{game,
                {.address = at, .players_max = 3, .first_tick = first_tick},
                now_us,
                1'800'000'000,
                random_bytes(),
                [this](const Address& to, std::span<const std::byte> datagram) {
                  for (const auto& player : players) {
                    if (player->address == to) {
                      player->inbox.emplace_back(datagram.begin(), datagram.end());
                    }
                  }
                }};
};

TEST_F(AHost, IsPlayedByWhomItInvites) {
  Player& one = join("one");
  Player& other = join("other");
  run(30);
  ASSERT_TRUE(one.client->playing());
  ASSERT_TRUE(other.client->playing());
  EXPECT_EQ(server.players(), 2U);
  const Handle own = one.client->prediction().avatar();
  const auto mine = one.client->game_state(own);
  const auto seen = other.client->game_state(own);
  ASSERT_TRUE(mine && seen);
  EXPECT_GE(mine->as<first_game::Runner>().laps, 2U);
  EXPECT_EQ(mine->as<first_game::Runner>().laps, seen->as<first_game::Runner>().laps);
  EXPECT_EQ(one.client->telemetry().totals().corrections, 0U);
}

TEST_F(AHost, LetsNobodyInTwiceWithOneInvitation) {
  Player& one = join("one");
  run(2);
  ASSERT_TRUE(one.client->playing());
  Player& thief = *players.emplace_back(std::make_unique<Player>());
  thief.client = std::make_unique<client::Client>(game, client::Settings{});
  thief.pilot.client = thief.client.get();
  thief.address = address_of(77);
  const transport::ConnectToken token = server.invite("two");
  Player& two = join("two");
  two.client->begin(now_us, token);
  run(2);
  ASSERT_TRUE(two.client->playing());
  EXPECT_TRUE(thief.client->begin(now_us, token));
  run(3);
  EXPECT_FALSE(thief.client->playing());
  EXPECT_TRUE(two.client->playing());
  EXPECT_EQ(server.players(), 2U);
}

TEST_F(AHost, ForgetsWhoLeft) {
  Player& one = join("one");
  run(2);
  EXPECT_EQ(server.players(), 1U);
  one.client->disconnect(now_us);
  run(1);
  EXPECT_EQ(server.players(), 0U);
}

// A debugger stopped the whole game for half a minute.
TEST_F(AHost, CatchesUpAfterAStall) {
  Player& one = join("one");
  run(2);
  now_us += 30'000'000;
  run(10);
  EXPECT_LE(server.next_deadline_us(), now_us + 20'000);
  EXPECT_TRUE(one.client->playing()) << "it has come back to its avatar";
  EXPECT_EQ(server.players(), 1U);
}

// A laptop was asleep: the world goes on from now, instead of catching up for hours.
TEST_F(AHost, GoesOnFromNowAfterALongSleep) {
  for (const Micros hours : {1, 8}) {
    join("one");
    run(2);
    const Tick before = server.worker().next_tick();
    const std::uint64_t skipped = server.ticks_skipped();
    now_us += hours * 3'600'000'000;
    server.advance(now_us);
    EXPECT_LE(ticks_between(before, server.worker().next_tick()), 1);
    EXPECT_LE(server.next_deadline_us(), now_us + 20'000);
    EXPECT_NEAR(static_cast<double>(server.ticks_skipped() - skipped),
                static_cast<double>(hours) * 3'600 * 60, 2);
    run(1);
    EXPECT_NEAR(ticks_between(before, server.worker().next_tick()), 60, 3);
    EXPECT_LE(server.next_deadline_us(), now_us + 20'000);
  }
  Player& again = join("again");
  run(3);
  EXPECT_TRUE(again.client->playing());
}

// The host's machine stalls, alone or together with its guests' machines. No player has to log in
// again.
TEST_F(AHost, IsPlayedOnAfterAShortPause) {
  Player& one = join("one");
  Player& other = join("other");
  run(5);
  for (const Micros paused_us : {1'500'000, 2'500'000, 4'000'000, 6'000'000, 9'000'000}) {
    for (const bool guests_too : {true, false}) {
      SCOPED_TRACE(std::to_string(paused_us) + (guests_too ? " all" : " the host alone"));
      const Micros end_us = now_us + paused_us;
      while (!guests_too && now_us < end_us) {
        now_us += 16'667;
        for (const auto& player : players) {
          player->client->advance(now_us, player->pilot);
          while (player->client->poll_send()) continue;
        }
      }
      now_us = end_us;
      run(10);
      for (const Player* player : {&one, &other}) {
        ASSERT_TRUE(player->client->playing());
        ASSERT_TRUE(player->client->prediction().running());
      }
      const auto laps = [&] {
        return one.client->game_state(one.client->prediction().avatar())
            ->as<first_game::Runner>()
            .laps;
      };
      const auto before = laps();
      run(15);
      EXPECT_GE(laps(), before + 1) << "and runs on";
    }
  }
  EXPECT_GT(server.ticks_skipped(), 0U);
}

/// The tick counter wraps around, or passes half of its range, in play.
class AnOldHost : public AHost, public testing::WithParamInterface<std::uint32_t> {
 protected:
  AnOldHost() : AHost(Tick{GetParam()}) {}
};

TEST_P(AnOldHost, IsPlayedAsAYoungOne) {
  Player& one = join("one");
  Player& other = join("other");
  run(30);
  ASSERT_TRUE(one.client->playing());
  EXPECT_NEAR(ticks_between(Tick{GetParam()}, server.worker().next_tick()), 1'800, 5);
  const Handle own = one.client->prediction().avatar();
  const auto mine = one.client->game_state(own);
  const auto seen = other.client->game_state(own);
  ASSERT_TRUE(mine && seen);
  EXPECT_GE(mine->as<first_game::Runner>().laps, 2U);
  EXPECT_EQ(mine->as<first_game::Runner>().laps, seen->as<first_game::Runner>().laps);
  EXPECT_EQ(one.client->telemetry().totals().corrections, 0U);
}

INSTANTIATE_TEST_SUITE_P(AcrossTheEndsOfTheCounter, AnOldHost,
                         testing::Values(0xffff'fc00U, 0x7fff'fc00U, 0x00ff'fc00U));

TEST_F(AHost, DropsGarbage) {
  Player& one = join("one");
  for (std::uint32_t size = 1; size < 1500; size += 7) {
    std::vector<std::byte> bytes(size);
    random_bytes()(bytes);
    server.receive(now_us, address_of(200), bytes);
  }
  run(2);
  EXPECT_TRUE(one.client->playing());
}

}  // namespace
}  // namespace perigee::embed
