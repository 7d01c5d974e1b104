/// The state that neighbours have of each other: when links are lost, incarnations end, and groups
/// are in flight.
#include <gmock/gmock.h>

#include <cstring>

#include "border.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

// Links have different delays: a former owner's message may arrive after the new owner's.
TEST(WhoHadAThingBefore, IsNotBelievedAnyMoreOnceItsOwnerHasSentIt) {
  constexpr WorkerSlot before{2};
  constexpr std::size_t incarnation_at = 5;  // proto/WIRE.md: Head of Ghosts, after the kind
  Border border;
  std::vector<Bytes> sent;
  for (Bench* bench : {&border.here, &border.there}) {
    bench->core->outputs.to_peer = [&, beside = bench->core->outputs.to_peer](
                                       WorkerSlot to, std::span<const std::byte> bytes) {
      if (to == before) return;
      if (to == WorkerSlot{1} && bytes[0] == std::byte{1})
        sent.emplace_back(bytes.begin(), bytes.end());
      beside(to, bytes);
    };
  }
  const auto map = [&](bool alive) {
    for (Bench* bench : {&border.here, &border.there}) {
      ++bench->map.version;
      bench->map.workers.resize(2);
      bench->map.workers.push_back(
          {before, Address::v4(10, 0, 0, 12, 40042), HandleBase{400'000}, 100'000, alive});
      bench->core->on_map(bench->map, Bench::start);
    }
  };
  map(true);
  border.step(30);
  const std::vector<Handle> all = ghosts_of(*border.there.core);
  ASSERT_FALSE(all.empty());
  for (Bytes& late : sent) {
    const Incarnation incarnation = border.here.map.workers[before.index()].incarnation;
    std::memcpy(late.data() + incarnation_at, &incarnation, sizeof incarnation);
    border.there.core->on_peer(before, late);
  }
  map(false);  // ghosts owned by it would be removed
  EXPECT_EQ(ghosts_of(*border.there.core), all);
}

TEST(TheBorder, KeepsAGroupThatNoLinkCarries) {
  Settings settings = small_settings();
  settings.group_bytes_max = 100;
  Border border(yard_at_the_border({15, person_m, -3}), yard_at_the_border({25, person_m, 0}),
                settings);
  border.here.join();
  border.step(30);
  for (int i = 0; i < 1200; ++i) {
    border.play(0, walking(to_plus_x));
    border.step();
    ASSERT_EQ(border.owner(0), &border.here);
  }
  EXPECT_GT(border.place(0).x, border_x + 40);
  EXPECT_GT(border.here.count(metric.groups_too_large), 2U) << "tried again and again";
  EXPECT_EQ(border.here.count(metric.groups_out), 0U);
  EXPECT_EQ(border.here.count(metric.hard_resets), 0U);
}

// A refused group keeps moving, and a worker without room does not request more.
TEST(TheBorder, IsCrossedOnceThereIsRoomBeyondIt) {
  Settings settings = small_settings();
  settings.players_max = 2;
  test::YardOptions home = yard_at_the_border({15, person_m, -3});
  home.spacing = {0, 0, -3};
  Border border(home, yard_at_the_border({120, person_m, 0}), settings);
  border.step(30);
  for (const std::uint32_t n : {7U, 8U}) border.there.join(n, 1);
  for (const std::uint32_t n : {0U, 1U}) border.here.join(n);
  border.step(30);
  const auto walk = [&](int turns) {
    for (int i = 0; i < turns; ++i) {
      for (const std::uint32_t n : {0U, 1U}) {
        border.play(n, walking(to_plus_x));
      }
      border.step();
      ASSERT_NE(border.owner(0), nullptr) << i;
      ASSERT_NE(border.owner(1), nullptr) << i;
    }
  };
  walk(1000);
  EXPECT_GT(border.place(0).x, border_x + 40);
  EXPECT_EQ(border.owner(0), &border.here);
  EXPECT_EQ(border.here.count(metric.groups_out), 0U);
  border.there.leave(7);
  walk(200);
  EXPECT_NE(border.owner(0) == &border.there, border.owner(1) == &border.there)
      << "the room of one is not promised to two";
  EXPECT_EQ(border.here.count(metric.groups_back), 0U);
  border.there.leave(8);
  walk(200);
  EXPECT_EQ(border.owner(0), &border.there);
  EXPECT_EQ(border.owner(1), &border.there);
  EXPECT_EQ(border.here.count(metric.groups_back), 0U);
  EXPECT_EQ(border.here.count(metric.hard_resets) + border.there.count(metric.hard_resets), 0U);
}

TEST(WhoStandsOnAnotherWorkersShip, GoesToThatWorkerWhereverTheBorderIs) {
  test::YardOptions home = yard_at_the_border({15, person_m, 0});
  home.barge = true;
  home.barge_at = {1015, 20, 0};  // beyond the border, but not far enough to migrate
  Border border(home, yard_at_the_border({1015 - deck_x, 20.91, 0}));
  border.step(30);
  border.there.join(7, 1);
  border.step(5);
  ASSERT_EQ(border.owner(7), &border.there);
  for (int i = 0; i < 240; ++i) {
    border.play(7, {});
    border.step();
    ASSERT_GT(border.place(7).y, 20.8);
  }
  EXPECT_EQ(border.owner(7), &border.here);
}

TEST(AGroup, StaysUntilTheOtherSideHasReceivedWhatIsAroundIt) {
  Border border;
  border.here.join();
  border.step(30);
  bool ghosts_pass = false;
  border.fate = [&](const Border::Word& word) -> std::optional<int> {
    const bool migration = word.bytes[0] == std::byte{0};
    return migration || ghosts_pass ? std::optional(0) : std::nullopt;
  };
  for (int i = 0; i < 1200; ++i) {
    border.play(0, walking(to_plus_x));
    border.step();
    if (border.place(0).x > border_x + 60) break;
  }
  EXPECT_EQ(border.owner(0), &border.here);
  ghosts_pass = true;
  for (int i = 0; i < 200; ++i) {
    border.play(0, {});
    border.step();
    ASSERT_GT(border.place(0).y, 0.85);
  }
  EXPECT_EQ(border.owner(0), &border.there);
}

TEST(AGroup, IsNotTakenIfABitOfItHasChangedOnTheWay) {
  Border border(yard_at_the_border({15, person_m, -3}));
  border.here.join();
  border.step(30);
  int finals = 0;
  border.here.core->outputs.to_peer = [&, send = border.here.core->outputs.to_peer](
                                          WorkerSlot to, std::span<const std::byte> bytes) {
    Bytes word(bytes.begin(), bytes.end());
    const bool is_final = word[0] == std::byte{0} && word.size() > 1'000;
    if (is_final && finals++ == 0) word.back() ^= std::byte{1};
    send(to, word);
  };
  for (int i = 0; i < 1200 && border.owner(0) != &border.there; ++i) {
    if (border.owner(0) != nullptr) border.play(0, walking(to_plus_x));
    border.step();
  }
  EXPECT_EQ(border.owner(0), &border.there) << "it was said again";
  EXPECT_EQ(border.there.count(metric.drop_malformed), 1U);
  EXPECT_EQ(finals, 2);
}

TEST(ALinkThatIsLost, LeavesNothingBehindAfterTwoSeconds) {
  Border border;
  border.step(30);
  const std::size_t there = ghosts_of(*border.there.core).size();
  EXPECT_GT(there, 0U);
  border.fate = [](const Border::Word&) { return std::nullopt; };
  border.step(119);
  EXPECT_EQ(ghosts_of(*border.there.core).size(), there);
  border.step(2);
  EXPECT_EQ(ghosts_of(*border.there.core).size(), 0U);
  border.fate = nullptr;
  border.step(20);
  EXPECT_EQ(ghosts_of(*border.there.core).size(), there);
}

// A door was used, and a player left, while no message arrived.
TEST(ALinkThatIsLost, SendsEverythingAnewAndForgetsTheRest) {
  Border border(yard_at_the_border({2, person_m, 2}));
  border.here.join(0);
  border.here.join(1);
  border.step(30);
  const Handle door = border.here.find(test::door_row);
  const Handle left = border.here.player(1).avatar;
  ASSERT_NE(border.there.core->world().find(left), nullptr);
  border.fate = [](const Border::Word&) { return std::nullopt; };
  PlayerInput use;
  use.samples.push_back({.action = ActionKind::Use, .target = door});
  border.play(0, use);
  border.here.leave(1);
  border.step(30);
  EXPECT_NE(border.there.core->world().find(left), nullptr);
  border.fate = nullptr;
  border.step(20);
  EXPECT_GT(border.there.count(metric.ghost_streams_lost), 0U);
  EXPECT_EQ(border.there.core->world().find(left), nullptr);
  EXPECT_EQ(border.there.core->world().timeline(door)->last_version(), 1);
}

TEST(ANewIncarnationOfAWorker, IsNotHauntedByTheFormerOne) {
  Border border;
  border.here.join();
  border.step(30);
  ASSERT_FALSE(ghosts_of(*border.there.core).empty());
  ClusterMap map = two_worker_map();
  map.version = 2;
  map.workers[0].incarnation = Incarnation{1};
  border.there.core->on_map(map, Bench::start);
  EXPECT_TRUE(ghosts_of(*border.there.core).empty());
  border.step(5);
  EXPECT_TRUE(ghosts_of(*border.there.core).empty()) << "the former incarnation goes on sending";
  border.here.core->on_map(map, Bench::start);
  border.step(20);
  EXPECT_FALSE(ghosts_of(*border.there.core).empty());
}

TEST(AWorkerTakenForDead, IsNotListenedTo) {
  Border border;
  border.step(40);
  Bench& there = border.there;
  ASSERT_FALSE(ghosts_of(*there.core).empty());
  ++there.map.version;
  there.map.workers[0].alive = false;
  there.map.regions[0].owner.reset();
  there.core->on_map(there.map, Bench::start);
  EXPECT_TRUE(ghosts_of(*there.core).empty()) << "at once";
  const std::uint64_t dropped = there.count(metric.drop_unknown_sender);
  border.step(40);
  EXPECT_TRUE(ghosts_of(*there.core).empty());
  EXPECT_GE(there.count(metric.drop_unknown_sender), dropped + 10);
  const std::uint64_t before = there.count(metric.drop_unknown_sender);
  there.core->on_fabric(
      there.now_fine(), worker_address,
      there.datagram(ObserverRecord{session_of(0), there.core->next_tick()}, FabricSender::Worker));
  EXPECT_EQ(there.count(metric.drop_unknown_sender), before + 1);
}

TEST(AGatewayThatKnowsTheFormerOwner, IsNotifiedTenTimesASecondWhileInputsTakeTheDetour) {
  Border border(yard_at_the_border({15, person_m, -3}));
  Bench& there = border.there;
  border.here.join();
  border.step(30);
  for (int i = 0; i < 1200 && border.owner(0) != &there; ++i) {
    border.play(0, walking(to_plus_x));
    border.step();
  }
  ASSERT_EQ(border.owner(0), &there);
  border.step(30);
  const std::size_t sent = there.joined.size();  // all of them were lost
  ASSERT_GE(sent, 5U);
  const auto play = [&](bool detour) {
    PlayerInput input;
    input.tick = there.core->next_tick();
    Bytes bytes(512);
    const auto written = write_control(there.frame_of({input}), bytes);
    const InputRecord record{session_of(0), there.now_fine(), stream_owner, written};
    if (detour) {
      border.here.gateway_says(record);
      there.core->on_fabric(there.now_fine(), worker_address,
                            there.datagram(record, FabricSender::Worker));
    } else {
      there.gateway_says(record);
    }
    border.step();
  };
  for (int i = 0; i < 60; ++i) play(true);
  EXPECT_EQ(border.here.passed_on.size(), 60U);
  EXPECT_EQ(there.joined.size(), sent + 10);
  for (int i = 0; i < 60; ++i) play(false);
  EXPECT_EQ(there.joined.size(), sent + 10) << "now it knows";
}

TEST(WhatIsNoWordOfANeighbour, IsCountedAndDropped) {
  Border border;
  std::vector<Bytes> sent;
  border.fate = [&](const Border::Word& word) {
    if (sent.size() < 300) sent.push_back(word.bytes);
    return 0;
  };
  border.here.join();
  border.step(60);
  border.fate = nullptr;
  Random random(5);
  Core& core = *border.there.core;
  for (int i = 0; i < 20'000; ++i) {
    Bytes bytes = sent[random.below(static_cast<std::uint32_t>(sent.size()))];
    for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes) {
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = std::byte(random.next());
    }
    if (random.below(3) == 0) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
    core.on_peer(WorkerSlot{0}, bytes);
    if (i % 100 == 0) border.step();
  }
  EXPECT_GT(border.there.count(metric.drop_malformed), 1000U);
  core.on_peer(WorkerSlot{0}, {});
  core.on_peer(WorkerSlot{9}, sent.front());
  border.step(150);
  EXPECT_GT(border.there.count(metric.drop_unknown_sender), 0U);
  EXPECT_THAT(ghosts_of(core), testing::IsSupersetOf(border.here.core->world().in_order()));
}

}  // namespace
}  // namespace perigee::worker
