// Crash reports can be read again; for an unreadable one the reason is given.
#include "perigee/replay/crash_report.hpp"

#include <gmock/gmock.h>

namespace perigee::replay {
namespace {

CrashReport some() {
  CrashReport report{.game = "skiff",
                     .schema_hash = 7,
                     .build = "1",
                     .cluster_id = 9,
                     .slot = WorkerSlot{3},
                     .incarnation = Incarnation{2},
                     .tick = Tick{600},
                     .written = Tick{604},
                     .fate = Fate::LeftBehind,
                     .input_fields = {{"slot", {.offset = 1, .initial = 1}}},
                     .players = {}};
  CrashReport::Player player{.client_id = 42, .session = 5, .avatar = 77, .parent = 8};
  player.state.position = {1, 2, 3};
  player.game.bytes[9] = std::byte{200};
  player.delay_ticks = 3;
  for (std::uint32_t t = 590; t < 610; ++t) {
    PlayerInput input;
    input.tick = Tick{t};
    input.forward = 127;
    if (t == 600) input.samples.push_back({.pressed = button_jump});
    if (t > 600) input.own.changed[1] = std::byte{5};
    player.inputs.push_back(input);
  }
  report.players = {player, player};
  return report;
}

TEST(CrashReport, AreReadAsTheyWereWritten) {
  const CrashReport report = some();
  const auto bytes = write_crash_report(report);
  EXPECT_TRUE(begins_as_crash_report(bytes));
  const auto read = read_crash_report(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->game, report.game);
  EXPECT_EQ(read->slot, report.slot);
  EXPECT_EQ(read->tick, report.tick);
  EXPECT_EQ(read->fate, report.fate);
  ASSERT_EQ(read->players.size(), 2U);
  const CrashReport::Player& player = read->players[1];
  EXPECT_EQ(player.client_id, 42U);
  EXPECT_EQ(player.state, report.players[1].state);
  EXPECT_EQ(player.game, report.players[1].game);
  EXPECT_EQ(player.inputs, report.players[1].inputs);
  EXPECT_EQ(text_of(read->input_fields, player.inputs.front().own), "slot 1");
  EXPECT_EQ(text_of(read->input_fields, player.inputs.back().own), "slot 4");
  EXPECT_EQ(write_crash_report(*read), bytes);
}

TEST(CrashReport, AreRefusedWithASentenceWhereverTheyAreCut) {
  const auto bytes = write_crash_report(some());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = read_crash_report(std::span(bytes).first(size));
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_FALSE(read.error().message.empty());
  }
}

TEST(CrashReport, AreReadableOrRefusedWhicheverBitIsWrong) {
  const auto bytes = write_crash_report(some());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto other = bytes;
    other[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto read = read_crash_report(other);
    if (read.ok()) write_crash_report(*read);
  }
}

TEST(CrashReport, OfAnotherVersionNameIt) {
  auto bytes = write_crash_report(some());
  bytes[20] = std::byte{9};
  EXPECT_THAT(read_crash_report(bytes).error().message, testing::HasSubstr("version 9"));
}

}  // namespace
}  // namespace perigee::replay
