#include "perigee/directory_leadership/leadership.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ground.hpp"

namespace perigee::directory {
namespace {

using coordination::Ground;
using coordination::GroundSide;
using testing::HasSubstr;

constexpr Micros second = 1'000'000;
constexpr Micros tenth = second / 10;

WorkerIntroduction worker(int i) {
  const auto port = static_cast<std::uint16_t>(40'040 + i);
  return {"sim-" + std::to_string(i), Address::v4(127, 0, 0, 1, port),
          Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port - 20)), 5,
          static_cast<std::uint64_t>(100 + i)};
}

/// One directory of several: a side of the store, and its leadership.
struct Directory {
  explicit Directory(Ground& ground, LeadershipOptions options = {.store_name = "the store",
                                                                  .boot_id = "a boot",
                                                                  .drawn_cluster_id = 7,
                                                                  .alone = false})
      : side(ground), leadership(side, std::move(options)) {}
  GroundSide side;
  Leadership leadership;
  bool leads() { return leadership.core() != nullptr; }
  const ClusterMap& sent() const { return leadership.sent()->map; }
  std::string why() const {
    const auto may = leadership.may_decide();
    return may ? std::string() : may.error().message;
  }
};

struct ASeat : testing::Test {
  Ground ground;
  host::ClockPair now{.monotonic_us = 50 * second, .wall_us = 1'700'000'000 * second};
  std::vector<Directory*> running;

  /// As in a directory's process: poll, then perform the duties.
  void pass(Micros us) {
    for (const Micros end_us = now.monotonic_us + us; now.monotonic_us < end_us;) {
      now.monotonic_us += tenth;
      now.wall_us += tenth;
      for (Directory* directory : running) turn(*directory);
    }
  }
  void turn(Directory& directory) {
    directory.leadership.poll(now);
    if (!directory.leadership.may_decide()) return;
    directory.leadership.core()->advance(directory.leadership.now_us());
    directory.leadership.keep();
  }
  static bool beats(Directory& directory, int i) {
    Core& core = *directory.leadership.core();
    return core.heartbeat(directory.leadership.now_us(), MemberKind::Worker,
                          static_cast<std::uint32_t>(i), worker(i).name, core.map().cluster_id,
                          worker(i).instance);
  }
  /// Both workers own a region each, in the map as sent to members.
  void begin(Directory& directory) {
    running = {&directory};
    pass(second);
    ASSERT_TRUE(directory.leads()) << directory.why();
    for (const int i : {0, 1}) {
      directory.leadership.core()->register_worker(directory.leadership.now_us(), worker(i));
    }
    directory.leadership.keep();
    pass(second);
    ASSERT_TRUE(directory.sent().regions.at(0).owner && directory.sent().regions.at(1).owner);
  }
};

TEST_F(ASeat, SendsNothingThatTheStoreDoesNotHave) {
  Directory one(ground);
  begin(one);
  const std::uint64_t version = one.sent().version;
  const auto moved = one.leadership.core()->drain(one.leadership.now_us(), "sim-1");
  ASSERT_TRUE(moved) << moved.error().message;
  const Leadership::Ticket ticket = one.leadership.keep();
  EXPECT_EQ(one.leadership.fate(ticket), Leadership::Fate::Open);
  EXPECT_EQ(one.sent().version, version);
  EXPECT_FALSE(one.sent().workers[1].draining);
  one.leadership.poll(now);
  EXPECT_EQ(one.leadership.fate(ticket), Leadership::Fate::Stored);
  EXPECT_TRUE(one.sent().workers[1].draining);
}

TEST_F(ASeat, DecidesNothingWhileTheStoreIsAwayAndLosesNothing) {
  Directory one(ground);
  begin(one);
  const ClusterMap before = one.sent();
  ground.away = true;
  for (int i = 0; i < 4; ++i) {
    pass(second);
    EXPECT_THAT(one.why(), HasSubstr("away"));
    ASSERT_TRUE(one.leads()) << "its lease has not run out yet";
    EXPECT_TRUE(beats(one, 0));
    EXPECT_EQ(one.sent(), before) << "sim-1 is silent, and nobody is buried";
  }
  pass(60 * second);
  EXPECT_FALSE(one.leads()) << "its lease has run out";
  ground.away = false;
  pass(second);
  ASSERT_TRUE(one.leads()) << one.why();
  EXPECT_EQ(one.why(), "");
  EXPECT_TRUE(one.sent().workers[1].alive) << "its heartbeats could not arrive";
  for (const int i : {0, 1}) EXPECT_TRUE(beats(one, i));
  ClusterMap after = one.sent();
  EXPECT_GT(after.version, before.version);
  after.version = before.version;
  EXPECT_EQ(after, before);
}

TEST_F(ASeat, TriesAgainWhatTheStoreRefused) {
  Directory one(ground);
  begin(one);
  ground.refuses = true;
  ASSERT_TRUE(one.leadership.core()->drain(one.leadership.now_us(), "sim-1"));
  const Leadership::Ticket ticket = one.leadership.keep();
  pass(3 * second);
  EXPECT_THAT(one.why(), HasSubstr("the store accepts no changes: the disk is full; make room"));
  EXPECT_TRUE(beats(one, 0)) << "it goes on";
  EXPECT_FALSE(one.sent().workers[1].draining);
  EXPECT_GE(one.leadership.save_failures(), 5U);
  ground.refuses = false;
  pass(second);
  EXPECT_EQ(one.leadership.fate(ticket), Leadership::Fate::Stored);
  EXPECT_TRUE(one.sent().workers[1].draining);
}

TEST_F(ASeat, GoesToAnotherDirectoryWithTheWorldAsItIs) {
  Directory one(ground);
  Directory two(ground);
  begin(one);
  running = {&one, &two};
  pass(second);
  EXPECT_FALSE(two.leads());
  EXPECT_TRUE(two.leadership.well());
  EXPECT_THAT(two.why(), HasSubstr("ask the one that leads"));
  const ClusterMap before = one.sent();
  const Micros ahead_us = one.leadership.now_us() - now.wall_us;
  running = {&two};  // SIGKILL
  pass(4 * second);
  EXPECT_FALSE(two.leads()) << "the other's lease holds";
  pass(3 * second);
  ASSERT_TRUE(two.leads()) << two.why();
  for (const int i : {0, 1}) EXPECT_TRUE(beats(two, i)) << i;
  ClusterMap after = two.sent();
  EXPECT_GT(after.version, before.version);
  after.version = before.version;
  EXPECT_EQ(after, before) << "incarnations, epochs, world time";
  EXPECT_EQ(two.leadership.now_us() - now.wall_us, ahead_us);
}

TEST_F(ASeat, OfOneThatWasStoppedChangesNothingOnceItGoesOn) {
  Directory one(ground);
  Directory two(ground);
  begin(one);
  running = {&two};  // SIGSTOP
  pass(7 * second);
  ASSERT_TRUE(two.leads());
  const auto entries = ground.entries;
  // SIGCONT in the middle of a call, before it can detect the loss.
  ASSERT_TRUE(one.leads());
  ASSERT_TRUE(one.leadership.core()->drain(one.leadership.now_us(), "sim-0"));
  const Leadership::Ticket ticket = one.leadership.keep();
  const auto received = one.sent();
  one.leadership.poll(now);
  EXPECT_EQ(one.leadership.fate(ticket), Leadership::Fate::Lost);
  EXPECT_FALSE(one.leads());
  EXPECT_EQ(one.leadership.sent(), nullptr);
  EXPECT_FALSE(received.workers[0].draining);
  EXPECT_EQ(ground.entries, entries);
  running = {&one, &two};
  pass(2 * second);
  EXPECT_TRUE(two.leads());
  EXPECT_FALSE(two.sent().workers[0].draining);
}

TEST_F(ASeat, DoesNotAnnounceAChangeOfTheRateThatComesTooLate) {
  Directory one(ground);
  begin(one);
  const WorldTime before = one.sent().time;
  ASSERT_TRUE(one.leadership.core()->set_rate(one.leadership.now_us(), 80));
  one.leadership.keep(true);
  ground.away = true;
  pass(3 * second);
  ground.away = false;
  pass(tenth);
  EXPECT_EQ(one.sent().time, before) << "its tick is over by now";
  pass(second);
  EXPECT_EQ(one.leadership.core()->percent(), 80U) << "announced anew";
  ASSERT_TRUE(one.sent().time.change);
  EXPECT_GT(one.sent().time.change->wall_us, one.leadership.now_us() - second);
}

TEST_F(ASeat, EndsWhatTheOperatorMustMend) {
  {
    Directory one(ground);
    begin(one);
  }
  const auto entries = ground.entries;
  ground.entries.begin()->second.value = "what is this?";
  Directory damaged(ground);
  running = {&damaged};
  pass(second);
  ASSERT_TRUE(damaged.leadership.hopeless());
  EXPECT_THAT(damaged.leadership.hopeless()->message, HasSubstr("--new-world"));

  ground.entries = entries;
  ground.entries.erase(ground.entries.begin());
  ground.term.reset();
  Directory partial(ground);
  running = {&partial};
  pass(second);
  ASSERT_TRUE(partial.leadership.hopeless());
  EXPECT_THAT(partial.leadership.hopeless()->message, HasSubstr("records of"));
}

TEST_F(ASeat, DoesNotTakeAnEmptyStoreForANewWorldOnceThereWasOne) {
  Directory one(ground);
  begin(one);
  ground.entries.clear();
  ground.term.reset();
  pass(second);
  ASSERT_TRUE(one.leadership.hopeless());
  EXPECT_THAT(one.leadership.hopeless()->message, HasSubstr("restore its backup"));
  EXPECT_TRUE(ground.entries.empty());
}

TEST_F(ASeat, DoesNotTakeItForOneEitherWhereItOnlyStoodBy) {
  Directory one(ground);
  begin(one);
  Directory two(ground);
  running = {&one, &two};
  pass(second);
  ground.entries.clear();
  running = {&two};
  pass(7 * second);
  ASSERT_TRUE(two.leadership.hopeless());
  EXPECT_TRUE(ground.entries.empty());
}

TEST_F(ASeat, BeginsANewWorldWhereAnotherOneWas) {
  {
    Directory one(ground);
    begin(one);
  }
  Directory two(ground, {.store_name = "the store",
                         .boot_id = "a boot",
                         .drawn_cluster_id = 8,
                         .new_world = true,
                         .alone = false});
  running = {&two};
  pass(second);
  ASSERT_TRUE(two.leads());
  EXPECT_EQ(two.sent().cluster_id, 8U);
  EXPECT_TRUE(two.sent().workers.empty());
  EXPECT_FALSE(ground.entries.contains("directory/workers/00"));
  ground.term.reset();
  pass(second);
  EXPECT_EQ(two.sent().cluster_id, 8U) << "once";
}

TEST_F(ASeat, EndsNoWorldInWhichAnotherDirectoryLeads) {
  Directory one(ground);
  begin(one);
  Directory two(ground, {.store_name = "the store", .drawn_cluster_id = 8, .new_world = true});
  running = {&one, &two};
  pass(Leadership::new_world_us_max + 2 * tenth);
  ASSERT_TRUE(two.leadership.hopeless());
  EXPECT_THAT(two.leadership.hopeless()->message, HasSubstr("stop all of them first"));
  EXPECT_EQ(one.sent().cluster_id, 7U);
}

}  // namespace
}  // namespace perigee::directory
