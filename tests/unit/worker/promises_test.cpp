// Changes that a worker announces ahead: switches of parents and doors; and the verdicts on uses.
#include <algorithm>

#include "fixture.hpp"

namespace perigee::worker {
namespace {

/// The player stands on a barge, and the deck far below is still its parent.
const test::YardOptions on_barge{
    .spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {1, 0, 0}};

/// Runs until the worker has promised a switch; the client's view is behind by `ahead_ticks`.
void run_to_promise(Bench& bench, std::uint32_t ahead_ticks) {
  for (int i = 0; i < 120 && !bench.player().pending; ++i) {
    PlayerInput input;
    input.tick = bench.core->next_tick();
    ControlFrame frame = bench.frame_of({input});
    frame.view_sixteenths = (input.tick.count - ahead_ticks) << 4;
    bench.send(frame);
    bench.tick();
  }
  ASSERT_TRUE(bench.player().pending);
}

// K34, K36: decided by the worker, sent to the client, applied by both at the same tick
TEST(AChangeOfParent, IsPromisedAheadAndTakenExactlyAtItsTick) {
  Bench bench(on_barge);
  bench.join();
  const Handle deck = bench.find(test::deck_row);
  const Handle barge = bench.find(test::barge_row);
  run_to_promise(bench, 0);
  const Tick effect = bench.player().pending->effect;
  EXPECT_EQ(ticks_between(bench.core->next_tick(), effect), bench.settings.announce_ticks_min);
  bench.stand(30);
  const auto sent = bench.sent<ParentSwitchEvent>();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].handle, bench.player().avatar);
  EXPECT_EQ(sent[0].parent, barge);
  EXPECT_EQ(sent[0].effect, effect);
  EXPECT_EQ(bench.player().records.find(effect - 1)->parent, deck);
  const world::StepRecord& first = *bench.player().records.find(effect);
  EXPECT_EQ(first.parent, barge);
  ASSERT_TRUE(first.switched_from);
  EXPECT_FALSE(bench.player().records.find(effect + 1)->switched_from);
  EXPECT_EQ(bench.count(metric.parent_switches), 1U);
  EXPECT_EQ(bench.player().parent, barge);
  EXPECT_FALSE(bench.player().pending);
}

TEST(AChangeOfParent, IsPromisedEarlierToASlowerLink) {
  Bench slow(on_barge);
  slow.join();
  run_to_promise(slow, 30);
  EXPECT_EQ(ticks_between(slow.core->next_tick(), slow.player().pending->effect), 34);
  Bench slowest(on_barge);
  slowest.join();
  run_to_promise(slowest, 600);
  EXPECT_EQ(ticks_between(slowest.core->next_tick(), slowest.player().pending->effect),
            slowest.settings.announce_ticks_max);
}

TEST(AGamesAnnouncement, NamesItsTickAndTheTimeThatTheActorsPathTakes) {
  std::optional<Tick> named;
  std::int32_t actor_ticks = 0, nobody_ticks = 0;
  test::YardMischief mischief;
  Bench bench({.spawn = {0, 0.91, 0}, .barge = true, .mischief = &mischief});
  bench.acknowledges = false;
  bench.join();
  mischief.think = [&](world::ThinkContext& context) {
    named = context.journal().tick();
    EXPECT_EQ(named, context.tick());
    actor_ticks = context.journal().lead_ticks(bench.player().avatar);
    nobody_ticks = context.journal().lead_ticks(99'999);
  };
  for (int i = 0; i < 20; ++i) {
    ControlFrame frame = bench.frame_of({PlayerInput{.tick = bench.core->next_tick()}});
    frame.view_sixteenths = (bench.core->next_tick().count - 60) << 4;
    bench.send(frame);
    bench.tick();
  }
  ASSERT_TRUE(named);
  EXPECT_EQ(actor_ticks, 64);
  EXPECT_EQ(nobody_ticks, world::announce_ticks_default);
}

TEST(ATimetable, IsAnnouncedInTimeForTheSlowestPlayerNear) {
  const test::YardOptions on_deck{.spawn = {0, 0.91, 0}, .barge = true};
  const auto lead_ticks = [](Bench& bench) {
    return bench.core->world().lead_ticks(bench.find(test::deck_row));
  };
  Bench bench(on_deck);
  bench.acknowledges = false;
  EXPECT_EQ(lead_ticks(bench), world::announce_ticks_default) << "nobody is near";
  bench.join();
  const auto play = [&](std::uint32_t ahead_ticks) {
    for (int i = 0; i < 20; ++i) {
      ControlFrame frame = bench.frame_of({PlayerInput{.tick = bench.core->next_tick()}});
      frame.view_sixteenths = (bench.core->next_tick().count - ahead_ticks) << 4;
      bench.send(frame);
      bench.tick();
    }
  };
  play(0);
  EXPECT_EQ(lead_ticks(bench), world::announce_ticks_default);
  play(60);
  EXPECT_EQ(lead_ticks(bench), 64);
  play(600);
  EXPECT_EQ(lead_ticks(bench), bench.settings.announce_ticks_max);
  EXPECT_EQ(bench.core->world().lead_ticks(99'999), world::announce_ticks_default);

  Bench far({.spawn = {0, 0.91, 130}, .barge = true});
  far.acknowledges = false;
  far.join();
  for (int i = 0; i < 20; ++i) {
    ControlFrame frame = far.frame_of({PlayerInput{.tick = far.core->next_tick()}});
    frame.view_sixteenths = (far.core->next_tick().count - 60) << 4;
    far.send(frame);
    far.tick();
  }
  EXPECT_EQ(lead_ticks(far), world::announce_ticks_default) << "130 m away";
}

TEST(AChangeOfParent, IsRepeatedUntilAcknowledged) {
  Bench bench(on_barge);
  bench.join();
  bench.stand(2);
  bench.acknowledges = false;
  run_to_promise(bench, 0);
  bench.stand(64);
  int blocks = 0;
  for (const ReadBlock& block : bench.blocks) {
    for (const auto& [sequence, event] : block.events) {
      if (std::holds_alternative<ParentSwitchEvent>(event)) ++blocks;
    }
  }
  EXPECT_GE(blocks, 6) << "after 2, 4, 12, 28 and 60 ticks";
  EXPECT_EQ(bench.sent<ParentSwitchEvent>().size(), 1U);
}

// A rewind across the switch applies it at the same tick again.
TEST(AChangeOfParent, SurvivesARewindAcrossIt) {
  Bench in_time(on_barge);
  Bench late(on_barge);
  for (Bench* bench : {&in_time, &late}) {
    bench->join();
    run_to_promise(*bench, 0);
  }
  const Tick effect = in_time.player().pending->effect;
  ASSERT_EQ(late.player().pending->effect, effect);
  PlayerInput walk;
  for (int i = 0; i < 14; ++i) {
    walk.tick = in_time.core->next_tick();
    walk.forward = 60;
    in_time.send(walk);
    in_time.tick();
    if (walk.tick == effect - 4) {
      late.tick();
      continue;
    }
    late.send(walk);
    late.tick();
  }
  walk.tick = effect - 4;
  late.send(walk);
  walk.tick = in_time.core->next_tick();
  for (Bench* bench : {&in_time, &late}) {
    bench->send(walk);
    bench->tick();
  }
  EXPECT_GT(late.count(metric.rollback_ticks), 4U);
  EXPECT_EQ(late.player().parent, in_time.player().parent);
  EXPECT_EQ(late.player().state, in_time.player().state);
}

TEST(AChangeOfParent, ComesWithTheFullMotionOfTheNewOneBefore) {
  Bench bench(on_barge);
  bench.join();
  run_to_promise(bench, 0);
  bench.stand(2);
  const Handle barge = bench.find(test::barge_row);
  const auto& near = bench.last_own().near;
  EXPECT_NE(std::find(near.begin(), near.end(), barge), near.end());
  bool found = false;
  for (const ReadBlock& block : bench.blocks) {
    if (!block.own) continue;
    for (const ParentMotion& parent : block.own->parents) found = found || parent.handle == barge;
  }
  EXPECT_TRUE(found);
}

// Its memory is empty, if another page was opened.
TEST(AReturningClient, IsToldTheMotionsNearItAnew) {
  Bench bench(on_barge);
  bench.join();
  run_to_promise(bench, 0);
  bench.stand(2);
  const Handle barge = bench.find(test::barge_row);
  bench.join_again();
  bench.tick(4);
  bool told = false;
  for (const ReadBlock& block : bench.blocks) {
    if (!block.own || block.session != Bench::later_session_of(0)) continue;
    for (const ParentMotion& parent : block.own->parents) told = told || parent.handle == barge;
  }
  EXPECT_TRUE(told);
}

PlayerInput using_it(Tick tick, Handle target) {
  PlayerInput input;
  input.tick = tick;
  input.samples.push_back({.action = ActionKind::Use, .target = target});
  return input;
}

struct AUse : testing::Test {
  Bench bench;
  Handle door = no_entity;
  AUse() {
    bench.join();
    bench.stand(70);  // by then all entities nearby have been sent
    door = bench.find(test::door_row);
  }
  std::size_t changes() const { return bench.core->world().timeline(door)->size(); }
};

// S4, K31: judged at its target tick, answered by its name
TEST_F(AUse, IsConfirmedAndAnnounced) {
  const Tick t = bench.core->next_tick();
  bench.send(using_it(t, door));
  bench.tick(4);
  ASSERT_EQ(changes(), 1U);
  const world::TimelineChange change = (*bench.core->world().timeline(door))[0];
  EXPECT_GE(ticks_between(t, change.effect), world::announce_ticks_default);
  const auto verdicts = bench.sent<EffectEvent>();
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].target, t);
  EXPECT_EQ(verdicts[0].index, 0);
  EXPECT_EQ(verdicts[0].verdict, Verdict::Confirmed);
  const auto sent = bench.sent<TimelineEvent>();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].object, door);
  EXPECT_EQ(sent[0].effect, change.effect);
  EXPECT_EQ(sent[0].goal, 1);
}

TEST_F(AUse, IsJudgedOnceEvenAfterARewind) {
  const Tick t = bench.core->next_tick();
  bench.tick();  // t stays open: its input is late
  bench.send(using_it(t + 1, door));
  bench.tick(3);
  ASSERT_EQ(changes(), 1U);
  PlayerInput walk;
  walk.tick = t;
  walk.forward = 127;
  bench.send(walk);
  bench.send(using_it(t + 1, door));  // and once more by redundancy
  bench.tick(6);
  EXPECT_GT(bench.count(metric.rollback_ticks), 3U);
  EXPECT_EQ(changes(), 1U);
  EXPECT_EQ(bench.sent<EffectEvent>().size(), 1U);
}

TEST_F(AUse, ThatComesLateIsJudgedInTheRewind) {
  const Tick t = bench.core->next_tick();
  bench.tick(8);
  bench.send(using_it(t + 2, door));
  bench.tick(2);
  ASSERT_EQ(changes(), 1U);
  // the promised tick is still ahead of all clients
  EXPECT_GE(ticks_between(t + 8, (*bench.core->world().timeline(door))[0].effect),
            world::announce_ticks_default);
}

TEST_F(AUse, NamesEveryActionOfATickByItsIndex) {
  PlayerInput input = using_it(bench.core->next_tick(), door);
  input.samples.push_back({.pressed = button_jump});
  input.samples.push_back({.action = ActionKind::Use, .target = door});
  bench.send(input);
  bench.tick(4);
  const auto verdicts = bench.sent<EffectEvent>();
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].index, 0);
  EXPECT_EQ(verdicts[1].index, 2);
  EXPECT_EQ(changes(), 2U);
}

TEST(ARefusedUse, SaysWhy) {
  Bench bench({.spawn = {30, 0.91, 0}, .barge = true});
  bench.join();
  bench.stand(10);
  const std::pair<Handle, CancelReason> cases[] = {
      {bench.find(test::door_row), CancelReason::TooFar},
      {bench.find(test::barge_row), CancelReason::NotAllowed},
      {0xdead, CancelReason::NotThere},
      {no_entity, CancelReason::NotThere},
  };
  for (const auto& [target, reason] : cases) {
    bench.send(using_it(bench.core->next_tick(), target));
    bench.tick(4);
    const auto verdicts = bench.sent<EffectEvent>();
    ASSERT_FALSE(verdicts.empty());
    EXPECT_EQ(verdicts.back().verdict, Verdict::Cancelled);
    EXPECT_EQ(verdicts.back().reason, reason) << target;
  }
  EXPECT_EQ(bench.core->world().timeline(bench.find(test::door_row))->size(), 0U);
}

// S2: the order of arrival does not make the second use fail
TEST(TwoUsesOfOneDoor, BothCountInTheOrderOfTheirVersions) {
  Bench bench({.spacing = {0.5, 0, 0}});
  bench.join(0);
  bench.join(1);
  bench.tick(10);
  const Handle door = bench.find(test::door_row);
  const Tick t = bench.core->next_tick();
  bench.send(using_it(t, door), 0);
  bench.send(using_it(t, door), 1);
  bench.tick(4);
  const world::TimelineLog& log = *bench.core->world().timeline(door);
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log.last_goal(), 0);  // opened and shut: no use was lost
  EXPECT_EQ(bench.sent<EffectEvent>(session_of(0)).size(), 1U);
  EXPECT_EQ(bench.sent<EffectEvent>(session_of(1)).size(), 1U);
}

// Players press its button in every tick: it reverses as often as its log has room, answers Busy
// otherwise, and never jumps; later it is at rest and can be used again.
TEST(AMashedDoor, MovesNoFasterThanItsTravel) {
  Bench bench;
  bench.join();
  bench.stand(5);
  const Handle door = bench.find(test::door_row);
  const world::World& world = bench.core->world();
  const auto use = [&] {
    PlayerInput input{.tick = bench.core->next_tick()};
    input.samples.push_back({.action = ActionKind::Use, .target = door});
    bench.send(input);
    bench.tick();
  };
  Pose before = *world.pose(door, world.now());
  double moved_m = 0;
  for (int i = 0; i < 900; ++i) {
    use();
    const Pose now = *world.pose(door, world.now());
    const double step_m = distance(now.position, before.position);
    ASSERT_LE(step_m, 2 / 30.0 + 1e-9) << i;
    moved_m += step_m;
    before = now;
  }
  EXPECT_GT(moved_m, 1);
  const auto verdicts = bench.sent<EffectEvent>();
  const auto busy = std::count_if(verdicts.begin(), verdicts.end(), [](const EffectEvent& e) {
    return e.verdict == Verdict::Cancelled && e.reason == CancelReason::NotAllowed;
  });
  EXPECT_GT(busy, 500);
  EXPECT_GT(bench.sent<TimelineEvent>().size(), 60U);
  bench.stand(300);
  EXPECT_EQ(world.timeline(door)->size(), 0U) << "finished changes are forgotten";
  const auto version = world.timeline(door)->last_version();
  use();
  bench.stand(30);
  EXPECT_EQ(world.timeline(door)->last_version(), static_cast<std::uint16_t>(version + 1));
  // A newcomer gets the newest version: it lacks nothing of the door.
  bench.stand(300);
  bench.join(1);
  bench.stand(30);
  const auto events = bench.sent<TimelineEvent>(session_of(1));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].version, world.timeline(door)->last_version());
  EXPECT_LE(ticks_between(world.now(), events[0].effect), -30);
}

}  // namespace
}  // namespace perigee::worker
