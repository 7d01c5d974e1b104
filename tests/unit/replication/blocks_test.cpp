// Update rates of records, their bytes, and priorities under load.
#include <gtest/gtest.h>

#include <set>

#include "perigee/base/gateway_frame.hpp"
#include "sanitized.hpp"
#include "sky.hpp"

namespace perigee::replication {
namespace {

// K3, K4, V4, D4: ten virtual seconds, entities at all distances, several phases of the cycle
TEST(Records, ComeWithinTheirRingsPeriod) {
  Sky sky;
  Random random(3);
  for (Handle h = 1; h <= 400; ++h) {
    const double far = h <= 100 ? 80 : h <= 200 ? 300 : h <= 300 ? 800 : 3000;
    sky.add(h, {random.between(0, far), 0, 0});
  }
  Observer observer;
  Received received;
  const Tick began = sky.now;
  sky.run(600, observer, received);
  std::map<Handle, std::vector<Tick>> seen;
  for (const auto& r : received.records) seen[r.record.handle].push_back(r.tick);
  int late = 0;
  for (const Published& entity : sky.publication) {
    const std::int32_t period = period_ticks_at(sky.settings.rings, entity.position.x);
    Tick last = began - 1;
    for (const Tick t : seen[entity.handle]) {
      if (ticks_between(last, t) > period) ++late;
      last = t;
    }
    if (ticks_between(last, sky.now) > period) ++late;
  }
  EXPECT_EQ(late, 0);
  EXPECT_EQ(received.malformed, 0U);
}

TEST(Records, OfFarThingsAreRarerThanOfNearOnes) {
  Sky sky;
  sky.add(1, {70, 0, 0});
  sky.add(2, {700, 0, 0});
  sky.add(3, {2900, 0, 0});
  Observer observer;
  Received received;
  sky.run(600, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 150U);
  EXPECT_EQ(received.ticks_of(2).size(), 30U);
  EXPECT_EQ(received.ticks_of(3).size(), 10U);
}

TEST(Records, OfRestingBodiesComeOnce) {
  Sky sky;
  for (Handle h = 1; h <= 30; ++h) sky.add(h, {h * 1.0, 0, 0}).resting = true;
  Observer observer;
  Received received;
  sky.run(1440, observer, received);
  for (Handle h = 1; h <= 30; ++h) EXPECT_EQ(received.ticks_of(h).size(), 1U) << h;
}

/// An observer beside the one of a test, which looks first: so the other one's looks can end with
/// one comparison.
struct Witness {
  Observer observer;
  Received received;
};
void run_beside(Sky& sky, Witness& witness, int ticks, Observer& observer, Received& received) {
  for (int i = 0; i < ticks; ++i) {
    sky.publish();
    sky.write(witness.observer, witness.received);
    sky.write(observer, received);
    ++sky.now;
  }
}

// The publisher forgets an observer that has left.
TEST(Records, ComeToAnObserverAsIfNoOtherHadLeft) {
  Sky sky;
  for (Handle h = 1; h <= 30; ++h) sky.add(h, {h * 1.0, 0, 0}).resting = true;
  Witness witness;
  Observer first, second;
  Received by_first, by_second;
  run_beside(sky, witness, 1440, first, by_first);
  const TrackHolders::Column column = first.column;
  sky.publisher.forget(first);
  run_beside(sky, witness, 1440, second, by_second);
  EXPECT_EQ(second.column, column);
  EXPECT_NE(second.column, witness.observer.column);
  for (Handle h = 1; h <= 30; ++h) EXPECT_EQ(by_second.ticks_of(h).size(), 1U) << h;
}

// An observer that has a thing's track is told of it anew after it was out of reach.
TEST(Records, OfWhatComesBackComeAgain) {
  Sky sky;
  sky.restless = [](const Published&) { return false; };
  sky.add(1, {5, 0, 0}).resting = true;
  Witness witness;
  Observer observer;
  Received received;
  for (const double x : {0.0, 9000.0, 0.0}) {
    observer.position = {x, 0, 0};
    run_beside(sky, witness, 600, observer, received);
  }
  EXPECT_EQ(received.spawns_of(1), 2U);
  EXPECT_EQ(received.ticks_of(1).size(), 2U);
}

// The client has one track of a thing: the last one that it was sent, not the finest.
TEST(Records, OfAFinerClassComeAgainAfterOneOfACoarserClass) {
  Sky sky;
  sky.restless = [](const Published&) { return false; };
  sky.add(1, {5, 0, 0});
  Witness witness;
  Observer observer;
  Received received;
  const auto move_all = [&](double observers_x, double thing_y) {
    witness.observer.position.x = observer.position.x = observers_x;
    Published& thing = sky.at(1);
    thing.position.y = thing_y;
    thing.local.position = thing.position;
    thing.bounds = {thing.position, thing.position};
  };
  run_beside(sky, witness, 200, observer, received);
  EXPECT_EQ(received.records.back().frame.precision, Precision::Finest);
  move_all(150, 0.3);
  for (int i = 0; i < 200 && received.records.size() == 1; ++i) {
    run_beside(sky, witness, 1, observer, received);
  }
  EXPECT_EQ(received.records.back().frame.precision, Precision::Fine);
  move_all(0, 0);  // as the first track tells it
  run_beside(sky, witness, 8, observer, received);
  EXPECT_EQ(received.records.back().frame.precision, Precision::Finest);
}

// An entity on its track is not sent again: here one at rest, and one on a straight way.
TEST(Records, ComeOnlyWhenTheEntityHasLeftItsTrack) {
  Sky sky;
  sky.restless = [](const Published&) { return false; };
  sky.add(1, {5, 0, 0});
  sky.add(2, {6, 0, 0}).world_velocity = {1, 0, 0};
  Observer observer;
  Received received;
  const auto run = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      sky.tick(observer, received);
      Published& moves = sky.at(2);
      moves.position += moves.world_velocity * seconds_per_tick;
      moves.bounds = {moves.position, moves.position};
    }
  };
  run(600);
  EXPECT_EQ(received.ticks_of(1).size(), 1U);
  EXPECT_EQ(received.ticks_of(2).size(), 1U);
  sky.at(2).world_velocity = {0, 0, 1};
  run(600);
  EXPECT_EQ(received.ticks_of(2).size(), 2U);
  sky.at(1).position.y += 0.02;
  run(8);
  EXPECT_EQ(received.ticks_of(1).size(), 2U);
}

// The receiver may be anywhere between two looks, so the contract is about the ticks of looks: the
// track that the observer has is never off by more than the bound of its ring.
TEST(Records, KeepEveryObserverWithinTheBoundOfItsRing) {
  Random random(11);
  Sky sky;
  sky.restless = [](const Published&) { return false; };
  for (Handle h = 1; h <= 200; ++h) {
    sky.add(h, {random.between(-900, 900), 0, random.between(-900, 900)}).radius_m = 2;
  }
  Observer observer;
  Received received;
  std::map<Handle, SharedTrack> has;
  std::size_t read = 0;
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    sky.tick(observer, received);
    const Tick at = sky.now - 1;
    for (; read < received.records.size(); ++read) {
      const auto& r = received.records[read];
      SharedTrack& track = has[r.record.handle];
      track.track = r.record.track;
      track.frame = r.frame;
      track.version = 1;
    }
    for (Published& entity : sky.publication) {
      const double away_m = distance(entity.position, observer.position);
      if (observer.turn(at, send_slot_ticks) && i > 60 && away_m < 290) {  // in the near lane
        ASSERT_TRUE(has.contains(entity.handle));
        const double bound = bound_m(away_m < 75 ? Precision::Finest : Precision::Fine);
        EXPECT_LE(error_of(has[entity.handle], entity, at), bound * 1.0001) << entity.handle;
        ++compared;
      }
      const auto push = [&] { return random.between(-1, 1) * 0.5; };
      entity.world_velocity += Vec3{push(), push() / 10, push()};
      entity.position += entity.world_velocity * seconds_per_tick;
      entity.world_angular_velocity = {0, 0.4, 0};
      entity.world_rotation =
          small_rotation(entity.world_angular_velocity * seconds_per_tick) * entity.world_rotation;
      entity.local = {entity.position, entity.world_rotation};
      entity.bounds = {entity.position, entity.position};
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Records, ThatWereLostComeAgainOnce) {
  Sky sky;
  sky.add(1, {20, 0, 0}).resting = true;
  Observer observer;
  Received received;
  sky.acknowledges = false;
  const auto acknowledge = [&](Tick newest, std::uint32_t complete) {
    observer.acknowledge({observer.stream_epoch, {}, newest, {complete}});
  };
  sky.run(60, observer, received);
  ASSERT_EQ(received.ticks_of(1).size(), 1U);
  const Tick first = received.ticks_of(1)[0];
  acknowledge(first + 2, 1);
  sky.run(8, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 1U) << "it may still arrive";
  acknowledge(first + 8, 1);
  sky.run(60, observer, received);
  ASSERT_EQ(received.ticks_of(1).size(), 2U);
  acknowledge(received.ticks_of(1)[1], 1);
  sky.run(600, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 2U);
}

// A collision with it is mispredicted until its track has arrived.
TEST(Records, OfWhatTheObserverMayTouchComeTwice) {
  for (const double away_m : {5.0, 20.0}) {
    Sky sky;
    sky.add(1, {away_m, 0, 0}).resting = true;
    Observer observer;
    Received received;
    sky.acknowledges = false;
    sky.run(60, observer, received);
    ASSERT_EQ(received.ticks_of(1).size(), away_m < 8 ? 2U : 1U);
    if (away_m > 8) continue;
    EXPECT_EQ(ticks_between(received.ticks_of(1)[0], received.ticks_of(1)[1]), send_slot_ticks);
  }
}

// A client that acknowledges nothing costs what it cost to send everything at every look, at most.
TEST(Records, OfAnObserverThatNeverAcknowledgesAreBounded) {
  Sky sky;
  for (Handle h = 1; h <= 20; ++h) sky.add(h, {h * 1.0, 0, 0}).resting = true;
  Observer observer;
  Received received;
  sky.acknowledges = false;
  sky.run(2400, observer, received);
  EXPECT_GE(received.ticks_of(20).size(), 8U);
  EXPECT_LE(received.ticks_of(20).size(), 11U) << "every 4 s";
  EXPECT_LE(received.ticks_of(1).size(), 22U) << "twice, because it is near";
}

TEST(Records, AreNotRefusedToOneWhoAcknowledgesWhatWasNeverSent) {
  Sky sky;
  sky.add(1, {20, 0, 0}).resting = true;
  Observer observer;
  Received received;
  sky.acknowledges = false;
  observer.acknowledge({observer.stream_epoch, {}, sky.now + 1000, {0xffffffff}});
  sky.run(60, observer, received);
  observer.acknowledge({observer.stream_epoch, {}, sky.now + 100'000, {0xffffffff}});
  sky.run(240, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 2U);
}

TEST(Records, OfThingsThatDoNotStreamNeverCome) {
  Sky sky;
  sky.add(1, {5, 0, 0}).streams = false;
  Observer observer;
  Received received;
  sky.run(120, observer, received);
  EXPECT_TRUE(received.records.empty());
  EXPECT_EQ(received.spawns_of(1), 1U);
}

// The contract, with everything in motion: an entity that was within a ring for the ring's period
// has had an update in it. Positions in the index are up to four ticks old. (K4)
TEST(Records, AreNeverLateForWhatMoves) {
  for (std::uint64_t seed = 1; seed <= seeds_of(3); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Sky sky;
    sky.settings.near_m = 100;
    sky.publisher = Publisher(sky.settings, 4096);
    std::map<Handle, Vec3> velocity;
    for (Handle h = 1; h <= 600; ++h) {
      sky.add(h,
              {random.between(-1500, 1500), random.between(-50, 50), random.between(-1500, 1500)});
      velocity[h] = Vec3{random.between(-100, 100), 0, random.between(-100, 100)};
    }
    Observer observer;
    observer.session = random.below(60);
    Received received;
    std::map<Handle, std::array<int, interest_rings>> ticks_within;  // since the last update
    int gaps = 0, late = 0;
    for (int i = 0; i < 900; ++i) {
      const std::size_t before = received.records.size();
      sky.tick(observer, received);
      for (std::size_t r = before; r < received.records.size(); ++r) {
        ticks_within[received.records[r].record.handle] = {};
        ++gaps;
      }
      observer.position.x += 100 * seconds_per_tick;
      for (Published& entity : sky.publication) {
        entity.position = entity.position + velocity[entity.handle] * seconds_per_tick;
        entity.local.position = entity.position;
        entity.bounds = {entity.position, entity.position};
        const double away_m = distance(entity.position, observer.position);
        auto& within = ticks_within[entity.handle];
        for (std::size_t ring = 0; ring < interest_rings; ++ring) {
          within[ring] = away_m <= sky.settings.rings.radius_m[ring] ? within[ring] + 1 : 0;
          // each entity has had a send slot
          if (i > 64 && within[ring] > InterestRings::period_ticks[ring]) ++late;
        }
      }
    }
    EXPECT_GT(gaps, 10'000);
    EXPECT_EQ(late, 0);
    EXPECT_EQ(sky.publisher.counters().records_over_limit, 0U);
  }
}

TEST(Records, AreFinerTheNearerTheyAre) {
  Sky sky;
  sky.add(1, {100.001, 0, 0});
  sky.add(2, {700.03, 0, 0});
  sky.add(3, {2900.2, 0, 0});
  sky.add(4, {10.003, 0, 0});
  Observer observer;
  Received received;
  sky.run(60, observer, received);
  for (const auto& r : received.records) {
    const Precision wanted = r.record.handle == 4   ? Precision::Finest
                             : r.record.handle == 1 ? Precision::Fine
                             : r.record.handle == 2 ? Precision::Middle
                                                    : Precision::Coarse;
    EXPECT_EQ(r.frame.precision, wanted);
    EXPECT_NEAR(origin_of(r.frame).x + r.record.track.position.x,
                sky.at(r.record.handle).position.x, offset_step_m(wanted) / 2);
  }
}

TEST(Records, OverASlotsLimitAreCounted) {
  ReplicationSettings settings;
  settings.near_max = 4000;
  Sky sky(settings);
  sky.publisher = Publisher(settings, 4096);
  for (Handle h = 1; h <= 1500; ++h) sky.add(h, {h * 0.05, 0, 0});
  Observer observer;
  Received received;
  sky.run(600, observer, received);
  EXPECT_GT(sky.publisher.counters().records_over_limit, 0U);
  EXPECT_EQ(sky.publisher.counters().records, received.records.size());
}

TEST(Observers, TakeTurns) {
  Sky sky;
  for (Handle h = 1; h <= 10; ++h) sky.add(h, {h * 1.0, 0, 0});
  std::array<Observer, 4> observers;
  std::array<Received, 4> received;
  for (std::size_t i = 0; i < 4; ++i) observers[i].session = static_cast<SessionId>(i);
  for (int t = 0; t < 40; ++t) {
    sky.publish();
    std::size_t served = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t before = received[i].records.size();
      sky.write(observers[i], received[i]);
      if (received[i].records.size() > before) ++served;
    }
    EXPECT_EQ(served, 1U);
    ++sky.now;
  }
}

TEST(TheNearLane, ShrinksUntilNearMaxAreIn) {
  ReplicationSettings settings;
  settings.near_max = 50;
  Sky sky(settings);
  sky.publisher = Publisher(settings, 4096);
  for (Handle h = 1; h <= 250; ++h) sky.add(h, {100 + h * 0.7, 0, 0});  // from 100 to 275 m
  Observer observer;
  Received received;
  sky.run(choice_ticks, observer, received);
  sky.choose(observer);
  EXPECT_LT(observer.near_radius_m, settings.near_m);
  std::uint32_t within = 0;
  for (const Published& entity : sky.publication) {
    if (entity.position.x <= observer.near_radius_m) ++within;
  }
  EXPECT_LE(within, settings.near_max);
  EXPECT_GE(within, 1U);
  for (Handle h = 20; h <= 250; ++h) sky.remove(h);
  sky.run(choice_ticks, observer, received);
  sky.choose(observer);
  EXPECT_EQ(observer.near_radius_m, settings.near_m);
}

TEST(TheNearLane, IsDueInEverySlot) {
  Sky sky;
  const double settings_near_and_pad_m = sky.settings.near_m + interest_pad_m;
  sky.add(1, {290, 0, 0});
  sky.add(2, {settings_near_and_pad_m + 1, 0, 0});
  Observer observer;
  Received received;
  sky.run(120, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 30U);
  EXPECT_LT(received.ticks_of(2).size(), 10U);
}

// Encoded once, copied to all observers: two observers get the same bytes.
TEST(TwoObservers, GetIdenticalBytesOfTheSameEntities) {
  Sky sky;
  Random random(17);
  for (Handle h = 1; h <= 30; ++h) {
    Published& entity = sky.add(h, {random.between(-200, 200), random.between(-20, 20), h * 1.0});
    entity.velocity = entity.world_velocity = {random.between(-50, 50), 0, 0.37};
    entity.local.rotation = entity.world_rotation = yaw_rotation(random.between(0, 6));
    if (h > 20) entity.parent = 1 + random.below(20);
  }
  Observer a;
  Observer b;
  b.session = send_slot_ticks;  // has the same send slot
  Received received_a;
  Received received_b;
  for (int i = 0; i < 40; ++i) {
    sky.publish();
    sky.write(a, received_a);
    sky.write(b, received_b);
    ++sky.now;
  }
  ASSERT_GT(received_a.records.size(), 200U);
  EXPECT_EQ(received_a.blocks, received_b.blocks);
}

TEST(ABlock, StaysBelowItsLimitAndParses) {
  Sky sky;
  Random random(5);
  for (Handle h = 1; h <= 190; ++h) {
    Published& entity = sky.add(h, {random.between(-2000, 2000), 0, random.between(-200, 200)});
    if (h > 100) entity.parent = 1 + random.below(100);
    if (entity.parent != no_entity) entity.local.position = {1, 2, 3};
  }
  Observer observer;
  observer.avatar = 1;
  OwnSection own;
  own.avatar = 1;
  for (Handle h = 1; h <= OwnSection::parents_max; ++h) {
    own.near.push_back(h);
    own.parents.push_back({.handle = h});
  }
  Received received;
  for (int i = 0; i < 240; ++i) sky.tick(observer, received, &own);
  EXPECT_EQ(received.malformed, 0U);
  EXPECT_EQ(received.owns.size(), 120U);  // one in each own slot of 2 ticks
  std::size_t largest = 0;
  for (const auto& block : received.blocks) largest = std::max(largest, block.size());
  EXPECT_LE(largest, block_bytes_max);
  EXPECT_GT(largest, block_bytes_max / 2);
  EXPECT_EQ(std::count(received.priorities.begin(), received.priorities.end(), 0), 120);
  const auto& counters = sky.publisher.counters();
  EXPECT_EQ(counters.blocks, received.blocks.size());
  EXPECT_EQ(counters.records, received.records.size());
}

// The observer hears that its entities follow their tracks.
TEST(ABlock, ComesInEverySlotWhileAnythingIsKnown) {
  Sky sky;
  sky.restless = [](const Published&) { return false; };
  sky.add(1, {5, 0, 0});
  Observer observer;
  Received received;
  sky.run(120, observer, received);
  EXPECT_EQ(received.records.size(), 1U);
  EXPECT_EQ(received.headers.size(), 30U);
}

TEST(ABlock, IsNotWrittenWhenThereIsNothingToSay) {
  Sky sky;
  Observer observer;
  Received received;
  sky.run(60, observer, received);
  EXPECT_TRUE(received.blocks.empty());
}

TEST(TheStretch, RisesOverBudgetAndFallsBack) {
  ReplicationSettings settings;
  settings.near_max = 10;
  settings.client_budget_bytes_per_s = 8192;
  Sky sky(settings);
  sky.publisher = Publisher(settings, 4096);
  for (Handle h = 1; h <= 600; ++h) sky.add(h, {90 + h * 0.3, 0, 0});
  Observer observer;
  Received received;
  const auto second = [&] {
    const std::size_t before = received.records.size();
    sky.run(60, observer, received);
    sky.choose(observer);
    std::size_t bytes = 0;
    for (std::size_t i = before; i < received.records.size(); ++i) bytes += 16;
    return bytes;
  };
  const std::size_t at_first = second();
  EXPECT_GT(at_first, settings.client_budget_bytes_per_s);
  float highest = 1;
  for (int i = 0; i < 20; ++i) {
    second();
    highest = std::max(highest, observer.stretch);
  }
  EXPECT_GT(highest, 1);
  EXPECT_LT(second(), at_first);
  for (Handle h = 20; h <= 600; ++h) sky.remove(h);
  for (int i = 0; i < 60; ++i) second();
  EXPECT_EQ(observer.stretch, 1);
  sky.choose(observer, 3);
  EXPECT_EQ(observer.stretch, 3) << "K48: while ticks cost too much";
  for (int i = 0; i < 60; ++i) second();
  EXPECT_EQ(observer.stretch, 1);
}

TEST(TheStretch, IncludesTheNearLaneOfANarrowPath) {
  Sky sky;
  const Tally load{.bytes = 3'000};
  const Choice wide = sky.publisher.choose({}, load, {});
  EXPECT_EQ(wide.stretch, 1);
  EXPECT_EQ(wide.near_m, static_cast<float>(near_lane_m));
  const Choice narrow = sky.publisher.choose({}, load, {1, 2'000.0});
  EXPECT_FLOAT_EQ(narrow.stretch, 1.5F);
  EXPECT_FLOAT_EQ(narrow.near_m, static_cast<float>(near_lane_m / 1.5));
  const Choice narrower = sky.publisher.choose(narrow, load, {1, 500.0});
  EXPECT_FLOAT_EQ(narrower.stretch, 3) << "at most twice as much in a second";
  const Choice again = sky.publisher.choose(narrower, {.bytes = 1'000}, {1, 2'000.0});
  EXPECT_LT(again.stretch, narrower.stretch);
}

TEST(TheStretch, LeavesTheInnermostRingAndTheSlowestRefreshAlone) {
  Sky sky;
  sky.add(1, {2, 0, 0});
  sky.add(2, {90, 0, 0});
  Observer observer;
  observer.stretch = 32;
  Received received;
  sky.run(120, observer, received);
  EXPECT_EQ(received.ticks_of(1).size(), 30U);
  EXPECT_GE(received.ticks_of(2).size(), 2U);
}

}  // namespace
}  // namespace perigee::replication
