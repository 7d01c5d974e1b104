// Entities that an observer receives, their order, and their removal.
#include <gtest/gtest.h>

#include <array>

#include "sanitized.hpp"
#include "sky.hpp"

namespace perigee::replication {
namespace {

/// More than one full sweep of the phase classes: 15 slots of 4 ticks.
constexpr int sweep_ticks = 64;

TEST(AnObserver, ReceivesEverythingInReachWithinOneSweep) {
  Sky sky;
  for (Handle h = 1; h <= 40; ++h) sky.add(h, {h * 70.0, 0, 0});
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  for (Handle h = 1; h <= 40; ++h) EXPECT_EQ(received.spawns_of(h), 1U) << h;
  EXPECT_EQ(observer.known.size(), 40U);
}

// K3: no entity beyond 3 km, nor a small entity beyond its own range
TEST(AnObserver, DoesNotReceiveWhatIsOutOfReach) {
  Sky sky;
  sky.add(1, {3001, 0, 0});
  sky.add(2, {301, 0, 0}).visible_m = 300;
  sky.add(3, {299, 0, 0}).visible_m = 300;
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  EXPECT_EQ(received.spawns_of(1), 0U);
  EXPECT_EQ(received.spawns_of(2), 0U);
  EXPECT_EQ(received.spawns_of(3), 1U);
  for (const auto& r : received.records) EXPECT_EQ(r.record.handle, 3U);
}

// K18: a child's frame has to be known before the child
TEST(AnObserver, ReceivesParentsBeforeTheirChildren) {
  Sky sky;
  const Handle chain[] = {70, 12, 55, 3};  // root first
  Handle parent = no_entity;
  for (const Handle h : chain) {
    sky.add(h, {10, 0, 0}).parent = parent;
    parent = h;
  }
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  ASSERT_EQ(received.events.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::get<SpawnEvent>(received.events[i].event).handle, chain[i]);
  }
}

TEST(AnObserver, ReceivesAParentThatIsOutOfReachItself) {
  Sky sky;
  sky.add(1, {2000, 0, 0}).visible_m = 300;
  sky.add(2, {50, 0, 0}).parent = 1;
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  ASSERT_GE(received.events.size(), 2U);
  EXPECT_EQ(std::get<SpawnEvent>(received.events[0].event).handle, 1U);
  EXPECT_EQ(std::get<SpawnEvent>(received.events[1].event).parent, 1U);
}

// A client orders the events of several workers by it.
TEST(AnObserver, ReceivesWithEachEventWhenItWasMade) {
  Sky sky;
  sky.acknowledges = false;
  sky.add(1, {100, 0, 0});
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  const Tick gone = sky.now;
  sky.remove(1);
  sky.run(2 * sweep_ticks, observer, received);
  int spawns = 0, despawns = 0;
  const Tick made = received.events.front().tick;
  for (const auto& [tick, sequence, event] : received.events) {
    if (const auto* spawn = std::get_if<SpawnEvent>(&event)) {
      EXPECT_EQ(tick_with(spawn->made, tick), made);
      ++spawns;
    }
    if (const auto* despawn = std::get_if<DespawnEvent>(&event)) {
      EXPECT_EQ(tick_with(despawn->made, tick), gone);
      ++despawns;
    }
  }
  EXPECT_GT(spawns, 1) << "repeated";
  EXPECT_GT(despawns, 1) << "repeated";
}

TEST(AnObserver, KeepsWhatHoversAtTheEdge) {
  Sky sky;
  sky.add(1, {299, 0, 0}).visible_m = 300;
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  sky.at(1) = thing(1, {329, 0, 0});  // below 1.1 × 300 m
  sky.at(1).visible_m = 300;
  sky.run(2 * sweep_ticks, observer, received);
  EXPECT_TRUE(sky.publisher.knows(observer, 1));
  EXPECT_EQ(received.events.size(), 1U);
  // It turns all the time. Silence would mean that it goes on as told.
  EXPECT_LE(ticks_between(received.ticks_of(1).back(), sky.now),
            period_ticks_at(sky.settings.rings, 329));
}

TEST(AnObserver, IsNotifiedWhenSomethingHasLeft) {
  Sky sky;
  sky.add(1, {299, 0, 0}).visible_m = 300;
  sky.add(2, {5, 0, 0});
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  sky.at(1) = thing(1, {331, 0, 0});
  sky.at(1).visible_m = 300;
  sky.remove(2);
  sky.run(sweep_ticks, observer, received);
  EXPECT_EQ(observer.known.size(), 0U);
  ASSERT_EQ(received.events.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<DespawnEvent>(received.events[2].event));
  EXPECT_TRUE(std::holds_alternative<DespawnEvent>(received.events[3].event));
}

TEST(AnObserver, ReceivesItsOwnAvatarFirst) {
  Sky sky;
  for (Handle h = 1; h <= 60; ++h) sky.add(h, {h * 1.0, 0, 0});
  Observer observer;
  observer.avatar = 37;
  observer.position = {37, 0, 0};
  Received received;
  OwnSection own;
  own.avatar = 37;
  sky.tick(observer, received, &own);
  ASSERT_FALSE(received.events.empty());
  EXPECT_EQ(std::get<SpawnEvent>(received.events[0].event).handle, 37U);
}

TEST(AnObserver, ReceivesADoorsLogRightAfterTheDoor) {
  Sky sky;
  sky.add(4, {5, 0, 0}).goal = 1;
  sky.publisher.news_of = [](Handle object, const auto& visit) {
    visit(TimelineEvent{object, Tick{1190}, 0, 6});
    visit(TimelineEvent{object, Tick{1210}, 1, 7});
  };
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  ASSERT_EQ(received.events.size(), 3U);
  EXPECT_EQ(std::get<SpawnEvent>(received.events[0].event).goal, 1);
  EXPECT_EQ(std::get<TimelineEvent>(received.events[1].event).version, 6);
  EXPECT_EQ(std::get<TimelineEvent>(received.events[2].event).version, 7);
}

TEST(AnEvent, IsRepeatedUntilItIsAcknowledgedAndNotAfter) {
  Sky sky;
  sky.add(1, {5, 0, 0}).visible_m = 300;
  sky.acknowledges = false;
  Observer observer;
  Received received;
  sky.run(100, observer, received);  // at once, and after a second of silence
  EXPECT_EQ(received.spawns_of(1), 2U);
  for (const auto& e : received.events) EXPECT_EQ(e.sequence, Sequence{0});
  sky.acknowledge(observer, received);
  sky.run(100, observer, received);
  EXPECT_EQ(received.spawns_of(1), 2U);
}

// Such a block would count all events as overtaken in every slot.
TEST(AnAcknowledgement, OfABlockThatWasNotSentIsIgnored) {
  Sky sky;
  sky.add(1, {5, 0, 0}).visible_m = 300;
  sky.acknowledges = false;
  Observer observer;
  EXPECT_EQ(observer.acknowledge({0, {}, sky.now}), Acknowledged::NeverSent);
  Received received;
  sky.tick(observer, received);
  const Tick sent = received.headers.back().tick;
  for (const std::int32_t ahead : {1, 2, 1000, 1'000'000}) {
    EXPECT_EQ(observer.acknowledge({0, {Sequence{1}, 0}, sent + ahead}), Acknowledged::NeverSent)
        << ahead;
  }
  EXPECT_FALSE(observer.received);
  EXPECT_EQ(observer.events.unacknowledged(), 1U);
  sky.run(40, observer, received);
  EXPECT_EQ(received.spawns_of(1), 2U) << "the second copy";
  EXPECT_EQ(observer.acknowledge({7, {Sequence{1}, 0}, sent}), Acknowledged::Nothing);
  EXPECT_EQ(observer.acknowledge({0, {Sequence{1}, 0}, sent}), Acknowledged::NewestBlock);
  EXPECT_EQ(observer.acknowledge({0, {Sequence{1}, 0}, sent}), Acknowledged::Nothing);
  EXPECT_EQ(observer.received, sent);
  EXPECT_EQ(observer.events.unacknowledged(), 0U);
}

// K2: seeded random loss of blocks and of acknowledgements
TEST(Events, ArriveOnceAndInOrderWhateverIsLost) {
  for (std::uint64_t seed = 1; seed <= seeds_of(20, 5); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Sky sky;
    sky.acknowledges = false;
    for (Handle h = 1; h <= 100; ++h) sky.add(h, {h * 2.0, 0, 0});
    Observer observer;
    EventReceiver<WorldEvent> receiver;
    std::vector<Handle> delivered;
    for (int i = 0; i < 1200; ++i) {
      Received received;
      sky.tick(observer, received);
      if (received.blocks.empty() || random.below(3) == 0) continue;
      for (const auto& e : received.events) {
        receiver.receive(e.sequence, e.event);
        if (random.below(4) == 0) receiver.receive(e.sequence, e.event);
      }
      while (const auto event = receiver.take()) {
        delivered.push_back(std::get<SpawnEvent>(*event).handle);
      }
      if (random.below(3) == 0) continue;
      observer.acknowledge({observer.stream_epoch, receiver.acknowledgement(), sky.now - 1});
    }
    std::sort(delivered.begin(), delivered.end());
    ASSERT_EQ(delivered.size(), 100U);
    EXPECT_EQ(std::unique(delivered.begin(), delivered.end()), delivered.end());
    EXPECT_EQ(observer.events.unacknowledged(), 0U);
  }
}

TEST(Events, AreNotAcknowledgedByAnotherIncarnationOfTheStream) {
  Sky sky;
  sky.add(1, {5, 0, 0}).visible_m = 300;
  sky.acknowledges = false;
  Observer observer;
  observer.stream_epoch = 40;
  Received received;
  sky.tick(observer, received);
  EXPECT_EQ(received.headers.at(0).stream_epoch, 40);
  observer.acknowledge({39, {Sequence{1}, 0}, sky.now - 1});
  EXPECT_EQ(observer.events.unacknowledged(), 1U);
  observer.acknowledge({40, {Sequence{1}, 0}, sky.now - 1});
  EXPECT_EQ(observer.events.unacknowledged(), 0U);
}

TEST(AnObserver, ReceivesNoMoreThanItsClientHolds) {
  ReplicationSettings settings;
  Sky sky(settings);
  sky.publisher = Publisher(settings, 8192);
  for (Handle h = 1; h <= known_entities_max + 500; ++h) {
    sky.publication.push_back(thing(h, {h * 0.5, 0, 0}));
  }
  Observer observer;
  Received received;
  const auto run_until_known = [&](std::size_t entities) {
    for (int sweeps = 0; sweeps < 16 && observer.known.size() != entities; ++sweeps) {
      sky.run(sweep_ticks, observer, received);
    }
    sky.run(2 * sweep_ticks, observer, received);  // and no more than that
    EXPECT_EQ(observer.known.size(), entities);
  };
  run_until_known(known_entities_max);
  EXPECT_GT(sky.publisher.counters().known_full, 0U);
  for (Handle h = 1; h <= 600; ++h) sky.remove(h);  // now there is room again
  run_until_known(known_entities_max - 100);
}

TEST(AFullEventWindow, DefersAndRecovers) {
  Sky sky;
  for (Handle h = 1; h <= 700; ++h) sky.add(h, {h * 0.1, 0, 0});
  sky.acknowledges = false;
  Observer observer;
  Received received;
  sky.run(2 * sweep_ticks, observer, received);
  EXPECT_TRUE(observer.events.full());
  EXPECT_GT(observer.events_deferred, 0U);
  EXPECT_EQ(sky.publisher.counters().events_deferred, observer.events_deferred);
  EXPECT_EQ(observer.known.size(), EventSender<WorldEvent>::window);
  sky.acknowledges = true;
  sky.run(20 * sweep_ticks, observer, received);
  EXPECT_EQ(observer.known.size(), 700U);
  for (Handle h = 1; h <= 700; ++h) ASSERT_GE(received.spawns_of(h), 1U) << h;
  EXPECT_EQ(observer.events.unacknowledged(), 0U);
}

/// Another worker has replicated all of them, 100 doors with two changes each, to the client.
struct ADoorsNewSender : testing::Test {
  Sky sky;
  Observer observer;
  Received received;
  ADoorsNewSender() {
    for (Handle h = 1; h <= 100; ++h) sky.add(h, {h * 0.1, 0, 0}).streams = false;
    sky.publisher.news_of = [](Handle object, const auto& visit) {
      for (std::uint16_t v = 1; v <= 2; ++v) visit(TimelineEvent{object, Tick{1190}, 1, v});
    };
    observer.sent_all = true;
    sky.publish();
    for (Handle h = 1; h <= 100; ++h) sky.publisher.adopt_fixture(observer, h);
  }
};

TEST_F(ADoorsNewSender, SendsChangesAtOnceAndAllOfItInTime) {
  EXPECT_TRUE(sky.publisher.knows(observer, 77));
  const std::array<Observer*, 1> everybody{&observer};
  EXPECT_EQ(sky.publisher.broadcast(everybody, 77, TimelineEvent{77, Tick{1260}, 0, 3}, true), 0U);
  sky.tick(observer, received);
  ASSERT_FALSE(received.events.empty());
  EXPECT_EQ(std::get<TimelineEvent>(received.events.front().event).version, 3U);
  sky.run(200, observer, received);
  for (Handle h = 1; h <= 100; ++h) EXPECT_EQ(received.spawns_of(h), 1U) << h;
  EXPECT_TRUE(observer.whole_due.empty());
}

TEST_F(ADoorsNewSender, LetsPromisesComeInBetween) {
  sky.acknowledges = false;
  std::size_t most = 0;
  for (int i = 0; i < 300; ++i) {
    sky.tick(observer, received);
    most = std::max(most, observer.events.unacknowledged());
    if (i % 8 == 7) sky.acknowledge(observer, received);
  }
  EXPECT_GT(most, 8U);
  EXPECT_LE(most, 16U) << "so many are before whatever is promised now";
  for (Handle h = 1; h <= 100; ++h) ASSERT_GE(received.spawns_of(h), 1U) << h;
}

TEST_F(ADoorsNewSender, DoesNotSendWhatHasGoneElsewhereAgain) {
  sky.publisher.let_go(observer, 77);
  for (const Handle h : {77U, 78U}) sky.remove(h);
  sky.run(300, observer, received);
  EXPECT_EQ(received.spawns_of(77), 0U);
  EXPECT_EQ(received.spawns_of(78), 0U);
  EXPECT_EQ(received.spawns_of(79), 1U);
}

/// A client that knows a door, and has no room for the door's changes.
struct AFullEventWindowOfADoorsClient : testing::Test {
  Sky sky;
  Observer observer;
  Received received;
  std::uint16_t version = 0;
  AFullEventWindowOfADoorsClient() {
    for (const Handle h : {1U, 2U}) sky.add(h, {h * 5.0, 0, 0}).visible_m = 300;
    sky.publisher.news_of = [this](Handle object, const auto& visit) {
      if (object == 1 && version != 0) visit(TimelineEvent{1, Tick{1300}, 1, version});
    };
    sky.run(8, observer, received);
    EXPECT_TRUE(sky.publisher.knows(observer, 1));
    sky.acknowledges = false;
    while (observer.events.push(LostEvent{9}, false)) {
    }
  }
  void change() {
    const std::array<Observer*, 1> everybody{&observer};
    const TimelineEvent changed{1, Tick{1300}, 1, ++version};
    EXPECT_EQ(sky.publisher.broadcast(everybody, 1, changed, true), 1U);
  }
  void drain() {
    sky.acknowledges = true;
    sky.run(10 * sweep_ticks, observer, received);
    EXPECT_EQ(observer.events.unacknowledged(), 0U);
  }
  std::size_t despawns_of(Handle handle) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(received.events, [&](const Received::Event& each) {
          const auto* despawn = std::get_if<DespawnEvent>(&each.event);
          return despawn != nullptr && despawn->handle == handle;
        }));
  }
};

TEST_F(AFullEventWindowOfADoorsClient, SendsTheWholeDoorAgainOnce) {
  for (int i = 0; i < 1000; ++i) change();
  EXPECT_EQ(observer.whole_due.size(), 1U);
  drain();
  EXPECT_EQ(received.spawns_of(1), 2U);
  EXPECT_EQ(received.spawns_of(2), 1U);
  EXPECT_EQ(std::get<TimelineEvent>(received.events.back().event).version, version);
  EXPECT_TRUE(observer.whole_due.empty());
}

TEST_F(AFullEventWindowOfADoorsClient, TakesBackADoorThatIsRemovedMeanwhile) {
  change();
  sky.remove(1);
  drain();
  EXPECT_EQ(despawns_of(1), 1U);
  EXPECT_EQ(received.spawns_of(1), 1U);
  EXPECT_TRUE(observer.whole_due.empty());
}

TEST_F(AFullEventWindowOfADoorsClient, TakesBackADoorThatIsOutOfReachMeanwhile) {
  change();
  observer.position = {1000, 0, 0};
  drain();
  EXPECT_EQ(despawns_of(1), 1U);
  EXPECT_FALSE(sky.publisher.knows(observer, 1));
}

TEST_F(AFullEventWindowOfADoorsClient, StaysAWindowOfAClientThatKnowsTheDoor) {
  change();
  EXPECT_TRUE(sky.publisher.knows(observer, 1)) << "a migration has to pass this on";
}

// Unknown entities give way on the list.
TEST_F(AFullEventWindowOfADoorsClient, HasRoomForTheDoorOnAFullList) {
  for (Handle h = 0; h < known_entities_max; ++h) observer.whole_due.push_back(100'000 + h);
  change();
  EXPECT_EQ(observer.whole_due, std::vector<Handle>{1});
}

// A door without its log would stay shut on that client for ever.
TEST(AFullEventWindow, NeverSendsADoorWithoutItsWholeLog) {
  Sky sky;
  for (Handle h = 1; h <= 300; ++h) sky.add(h, {h * 0.1, 0, 0});
  sky.publisher.news_of = [](Handle object, const auto& visit) {
    for (std::uint16_t v = 1; v <= 2; ++v) visit(TimelineEvent{object, Tick{1190}, 1, v});
  };
  sky.acknowledges = false;
  Observer observer;
  Received received;
  sky.run(sweep_ticks, observer, received);
  EXPECT_GT(observer.events_deferred, 0U);
  sky.acknowledges = true;
  sky.run(30 * sweep_ticks, observer, received);
  std::map<Handle, std::map<std::uint16_t, int>> versions;
  for (const auto& e : received.events) {
    if (const auto* t = std::get_if<TimelineEvent>(&e.event)) ++versions[t->object][t->version];
  }
  ASSERT_EQ(versions.size(), 300U);
  for (const auto& [object, seen] : versions) EXPECT_EQ(seen.size(), 2U) << object;
}

TEST(ABroadcast, ReachesThoseWhoKnowTheObject) {
  Sky sky;
  sky.add(1, {5, 0, 0}).visible_m = 300;
  Observer knows;
  Observer does_not;
  Received received;
  sky.tick(knows, received);
  Observer* const both[] = {&knows, &does_not};
  EXPECT_EQ(sky.publisher.broadcast(both, 1, TimelineEvent{1, Tick{1300}, 1, 1}, true), 0U);
  EXPECT_EQ(knows.events.unacknowledged(), 1U);
  EXPECT_EQ(does_not.events.unacknowledged(), 0U);
  while (knows.events.push(DespawnEvent{9, 0}, false)) {
  }
  EXPECT_EQ(sky.publisher.broadcast(both, 1, TimelineEvent{1, Tick{1300}, 0, 2}, true), 1U);
}

}  // namespace
}  // namespace perigee::replication
