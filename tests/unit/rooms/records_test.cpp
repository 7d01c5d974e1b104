// Profiles and results of rooms: on their way to a store that is slow, away, or wrong.
#include <gmock/gmock.h>

#include <array>
#include <map>

#include "rooms_of_a_host.hpp"

namespace perigee::rooms {
namespace {

using worker::Journalled;
using worker::LastingKind;
using worker::LastingRow;

/// Counts in each player's profile how often it has left, and writes that as its result.
struct CountingGame final : first_game::Game {
  void on_leave(world::Journal& journal, const world::Participant& who) const override {
    const auto profile = journal.profile(who.actor);
    const int before = profile && !profile->empty() ? static_cast<int>((*profile)[0]) : 0;
    const std::array now{static_cast<std::byte>(before + 1)};
    (void)journal.save(who.actor, now);
    (void)journal.keep({.origin = origin, .match = 1, .bytes = now});
  }
  std::uint64_t origin = 0;
};

/// The store answers when the test says so.
struct StoreOfRooms {
  RecordStore calls() {
    return {.keep = [this](const LastingRow& row) { rows.push_back(row); },
            .take = [this](std::uint64_t number,
                           std::uint64_t owner) { readings.push_back({number, owner}); }};
  }
  struct Reading {
    std::uint64_t number = 0, owner = 0;
  };
  std::deque<LastingRow> rows;
  std::deque<Reading> readings;
  std::uint64_t leases = 0;
  std::map<std::uint64_t, worker::StoredProfile> profiles;
  std::vector<LastingRow> results;
  std::shared_ptr<CountingGame> counting_game = std::make_shared<CountingGame>();
};

struct RoomsWithAStore : StoreOfRooms, RoomsOfAHost {
  explicit RoomsWithAStore(HostSettings wanted = {})
      : RoomsOfAHost(std::move(wanted), calls(), counting_game) {}
  /// Answers the next reading.
  void read() {
    ASSERT_FALSE(readings.empty());
    const Reading reading = readings.front();
    readings.pop_front();
    const auto found = profiles.find(reading.owner);
    host.on_profile(
        reading.number,
        {++leases, found == profiles.end() ? std::nullopt : std::optional(found->second)});
  }
  /// Stores all rows that the store has, and those that follow.
  void write() {
    for (; !rows.empty(); host.advance(now_us)) {
      const LastingRow row = rows.front();
      rows.pop_front();
      if (row.kind == LastingKind::Profile) {
        profiles[row.owner] = {row.version, row.bytes};
      } else {
        results.push_back(row);
      }
      host.on_kept(now_us, row.number, Journalled::Stands);
    }
  }
  Player& enter(RoomId room, std::uint64_t player_id) {
    Player& player = dial(token(room, player_id));
    run(1);
    EXPECT_FALSE(player.client->playing()) << "the join waits for the profile";
    read();
    run(2);
    EXPECT_TRUE(player.client->playing());
    return player;
  }
};

TEST_F(RoomsWithAStore, EndWhenTheStoreHasTheirRecords) {
  const RoomId room = create({.key = "final"}).id;
  Player& one = enter(room, 11);
  enter(room, 12);
  const auto ending = std::get<RoomFigures>(host.end(now_us, room));
  EXPECT_EQ(ending.state, RoomState::Ending);
  EXPECT_EQ(ending.end_reason, EndReason::Asked);
  run(3);
  EXPECT_FALSE(one.client->in_session());
  EXPECT_EQ(rows.size(), 4U) << "a profile and a result of each";
  EXPECT_EQ(figures(room).state, RoomState::Ending);
  EXPECT_EQ(host.ending(), 1U);
  EXPECT_TRUE(ended.empty());
  EXPECT_EQ(create({.key = "final"}).id, room);
  EXPECT_EQ(std::get<Refusal>(invite(room, 11)), Refusal::RoomEnded);
  EXPECT_EQ(std::get<RoomFigures>(host.end(now_us, room)).state, RoomState::Ending);
  write();
  EXPECT_EQ(figures(room).state, RoomState::Ended);
  EXPECT_EQ(figures(room).records_lost, 0U);
  EXPECT_EQ(host.ending(), 0U);
  EXPECT_EQ(ended, std::vector{room});
  EXPECT_EQ(results.at(0).owner, room.number) << "a result without an origin has the room's";
  EXPECT_EQ(host.records()[RecordEnd::Stored], 4U);
}

TEST_F(RoomsWithAStore, KeepTheOriginThatTheGameHasChosen) {
  counting_game->origin = 77;
  const RoomId room = create().id;
  enter(room, 11);
  (void)host.end(now_us, room);
  run(0.1);
  write();
  EXPECT_EQ(results.at(0).owner, 77U);
}

TEST_F(RoomsWithAStore, GoTenSecondsAfterTheirEndIfTheStoreIsAway) {
  const RoomId room = create().id;
  enter(room, 11);
  (void)host.end(now_us, room);
  run(9.5);
  EXPECT_EQ(figures(room).state, RoomState::Ending);
  run(1);
  EXPECT_EQ(figures(room).state, RoomState::Ended);
  EXPECT_EQ(figures(room).records_lost, 2U);
  EXPECT_EQ(host.records()[RecordEnd::Lost], 2U);
  write();  // the answers come late, and change nothing
  EXPECT_EQ(host.records()[RecordEnd::Stored], 0U);
}

TEST_F(RoomsWithAStore, AllEndWhenTheProcessStops) {
  for (int i = 0; i < 3; ++i) enter(create().id, 11U + static_cast<std::uint64_t>(i));
  host.stop(now_us);
  EXPECT_EQ(host.rooms(), 0U);
  EXPECT_EQ(host.ending(), 3U);
  run(0.1);
  write();
  EXPECT_EQ(host.ending(), 0U);
  EXPECT_EQ(results.size(), 3U);
}

TEST_F(RoomsWithAStore, EndAtOnceWithoutRecords) {
  const RoomId room = create().id;
  EXPECT_EQ(std::get<RoomFigures>(host.end(now_us, room)).state, RoomState::Ended);
}

// The client quits one room and is at once in the next: what the first room saves is read.
TEST_F(RoomsWithAStore, HandAProfileOnToTheNextRoom) {
  const RoomId first = create().id, second = create().id;
  enter(first, 11);
  Player& again = dial(token(second, 11));
  run(1);
  EXPECT_TRUE(readings.empty()) << "the player is still in the first room";
  (void)host.end(now_us, first);
  run(1);
  EXPECT_TRUE(readings.empty()) << "the save is not in the store yet";
  write();
  run(0.1);
  read();
  run(1);
  EXPECT_TRUE(again.client->playing());
  (void)host.end(now_us, second);
  run(0.1);
  write();
  EXPECT_EQ(profiles.at(11).bytes, std::vector{std::byte{2}});
}

TEST_F(RoomsWithAStore, ReadAfterFourSecondsIfTheFormerAvatarStays) {
  enter(create().id, 11);
  dial(token(create().id, 11));
  run(4.5);
  EXPECT_EQ(readings.size(), 1U);
}

TEST_F(RoomsWithAStore, HaveNoProfileForAPlayerWhileTheStoreIsAway) {
  Player& player = dial(token(create().id, 11));
  run(8);
  EXPECT_FALSE(player.client->playing());
  EXPECT_LE(readings.size(), 2U) << "the store has one reading of a player at a time";
}

struct OneRoomWithAStore : RoomsWithAStore {
  OneRoomWithAStore() : RoomsWithAStore({.rooms_max = 1}) {}
};

TEST_F(OneRoomWithAStore, KeepsItsPlaceUntilItIsGone) {
  const RoomId room = create().id;
  enter(room, 11);
  (void)host.end(now_us, room);
  run(1);
  EXPECT_EQ(refusal_of({}), Refusal::RoomsFull);
  write();
  EXPECT_EQ(refusal_of({}), std::nullopt);
}

}  // namespace
}  // namespace perigee::rooms
