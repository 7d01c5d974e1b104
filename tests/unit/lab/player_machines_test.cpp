#include "perigee/lab/player_machines.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomePlayerMachines : testing::Test, PlayerParts {};

TEST_F(SomePlayerMachines, AreFoundByTheirAddresses) {
  for (const std::uint32_t number : {0U, 1U, 199U, 200U, 2'007U, 51'199U}) {
    PlayerMachine machine;
    machines.set_up(machine, number);
    EXPECT_EQ(PlayerMachines::number_at(machine.address), number);
  }
}

TEST_F(SomePlayerMachines, AreTheSameForTheSameSeed) {
  PlayerMachine first, second, other;
  EXPECT_EQ(machines.set_up(first, 3), machines.set_up(second, 3));
  machines.set_up(other, 4);
  EXPECT_EQ(first.clock_rate, second.clock_rate);
  EXPECT_EQ(first.clock_offset_us, second.clock_offset_us);
  EXPECT_NE(first.clock_offset_us, other.clock_offset_us);
}

TEST_F(SomePlayerMachines, HitchNowAndThen) {
  PlayerMachine machine;
  machines.set_up(machine, 0);
  EXPECT_EQ(machines.frame_pause_us(machine), machine.frame_us);
  run_for(options.hitch_every_us);
  EXPECT_EQ(machines.frame_pause_us(machine), options.hitch_us);
  machine.stands_still_us = 7'000;
  EXPECT_EQ(machines.frame_pause_us(machine), machine.frame_us + 7'000);
  EXPECT_EQ(machines.frame_pause_us(machine), machine.frame_us);
}

TEST_F(SomePlayerMachines, LogInAgainOnceASecondOnAUsablePath) {
  using transport::ClientState;
  PlayerMachine machine;
  EXPECT_FALSE(machines.logs_in_again(machine, ClientState::Connected, true));
  EXPECT_FALSE(machines.logs_in_again(machine, ClientState::TimedOut, true)) << "not at once";
  run_for(second_us);
  EXPECT_FALSE(machines.logs_in_again(machine, ClientState::TimedOut, false));
  EXPECT_TRUE(machines.logs_in_again(machine, ClientState::TimedOut, true));
  EXPECT_FALSE(machines.logs_in_again(machine, ClientState::TimedOut, true));
  run_for(second_us);
  EXPECT_TRUE(machines.logs_in_again(machine, ClientState::Disconnected, true));
}

TEST_F(SomePlayerMachines, DeliverEachCopyOfADatagram) {
  PlayerMachine machine;
  machines.set_up(machine, 0);
  const std::vector<std::byte> data(100, std::byte{7});
  std::size_t bytes = 0;
  const auto receive = [&](std::span<std::byte> received) { bytes += received.size(); };
  for (int i = 0; i < 50; ++i) machines.send_down(machine, data, receive);
  EXPECT_EQ(bytes, 0U) << "still on its way";
  run_for(second_us);
  EXPECT_GE(bytes, 40U * data.size());
  const std::size_t before = bytes;
  machine.dark_until_us = queue.now_us() + second_us;
  machines.send_down(machine, data, receive);
  run_for(second_us);
  EXPECT_EQ(bytes, before);
}

}  // namespace
}  // namespace perigee::lab
