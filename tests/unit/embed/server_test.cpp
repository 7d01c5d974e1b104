// A server inside another program: the real door, worker and clients, without a network. (K2b)
#include "perigee/embed/server.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "game.hpp"
#include "perigee/client/client.hpp"

namespace perigee::embed {
namespace {

constexpr Address at = Address::v4(10, 0, 0, 1, 40500);
constexpr Address seat_of(std::uint8_t number) { return Address::v4(10, 0, 0, number, 50000); }

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
  struct Seat {
    std::unique_ptr<client::Client> client;
    Runner pilot;
    Address address;
    std::deque<std::vector<std::byte>> inbox;
  };
  static void SetUpTestSuite() { ASSERT_TRUE(transport::init_crypto()); }

  transport::RandomBytes random_bytes() {
    return [this](std::span<std::byte> out) {
      for (std::byte& b : out) b = static_cast<std::byte>(random.next());
    };
  }
  Seat& sit_down(std::string_view name) {
    Seat& seat = *seats.emplace_back(std::make_unique<Seat>());
    seat.client = std::make_unique<client::Client>(game, client::Settings{});
    seat.pilot.client = seat.client.get();
    seat.address = seat_of(static_cast<std::uint8_t>(seats.size() + 1));
    EXPECT_TRUE(seat.client->begin(now_us, server.invite(name)));
    return seat;
  }
  void run(double seconds) {
    for (const Micros end_us = now_us + static_cast<Micros>(seconds * 1e6); now_us < end_us;) {
      now_us = std::max(now_us + 1, std::min(server.next_deadline_us(), now_us + 4'000));
      server.advance(now_us);
      for (const auto& seat : seats) turn(*seat);
    }
  }
  void turn(Seat& seat) {
    for (; !seat.inbox.empty(); seat.inbox.pop_front()) {
      seat.client->receive(now_us, at, seat.inbox.front());
    }
    seat.client->advance(now_us, seat.pilot);
    while (const auto out = seat.client->poll_send()) {
      std::vector<std::byte> copy(out->datagram.begin(), out->datagram.end());
      server.receive(now_us, seat.address, copy);
    }
  }

  Random random{5};
  Micros now_us = 7'000'000;
  first_game::Game game;
  std::vector<std::unique_ptr<Seat>> seats;
  Server server{game,
                {.address = at, .players_max = 3},
                now_us,
                1'800'000'000,
                random_bytes(),
                [this](const Address& to, std::span<const std::byte> datagram) {
                  for (const auto& seat : seats) {
                    if (seat->address == to) {
                      seat->inbox.emplace_back(datagram.begin(), datagram.end());
                    }
                  }
                }};
};

TEST_F(AHost, IsPlayedByWhomItInvites) {
  Seat& one = sit_down("one");
  Seat& other = sit_down("other");
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
  Seat& one = sit_down("one");
  run(2);
  ASSERT_TRUE(one.client->playing());
  Seat& thief = *seats.emplace_back(std::make_unique<Seat>());
  thief.client = std::make_unique<client::Client>(game, client::Settings{});
  thief.pilot.client = thief.client.get();
  thief.address = seat_of(77);
  const transport::ConnectToken token = server.invite("two");
  Seat& two = sit_down("two");
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
  Seat& one = sit_down("one");
  run(2);
  EXPECT_EQ(server.players(), 1U);
  one.client->disconnect(now_us);
  run(1);
  EXPECT_EQ(server.players(), 0U);
}

// A debugger held the whole game for half a minute.
TEST_F(AHost, CatchesUpAfterAStall) {
  Seat& one = sit_down("one");
  run(2);
  now_us += 30'000'000;
  run(10);
  EXPECT_LE(server.next_deadline_us(), now_us + 20'000);
  EXPECT_FALSE(one.client->playing()) << "it was silent for too long";
  Seat& again = sit_down("one");
  run(3);
  EXPECT_TRUE(again.client->playing());
}

TEST_F(AHost, DropsGarbage) {
  Seat& one = sit_down("one");
  for (std::uint32_t size = 1; size < 1500; size += 7) {
    std::vector<std::byte> bytes(size);
    random_bytes()(bytes);
    server.receive(now_us, seat_of(200), bytes);
  }
  run(2);
  EXPECT_TRUE(one.client->playing());
}

}  // namespace
}  // namespace perigee::embed
