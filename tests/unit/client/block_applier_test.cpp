// Contents of blocks, without a client.
#include "perigee/client/block_applier.hpp"

#include "parts.hpp"

namespace perigee::client {
namespace {

constexpr BlockSource first{1, HandServer::start};
constexpr BlockSource second{2, HandServer::start};

struct ABlockApplier : testing::Test, OwnStateParts {
  int searches = 0;
  int worlds = 0;
  HeardCues heard_cues{store};
  BlockApplier applier{{.clocks = clocks,
                        .entities = store,
                        .prediction = prediction,
                        .projectiles = projectiles,
                        .heard_cues = heard_cues,
                        .display = display,
                        .recorder = recorder,
                        .own_state = own_state,
                        .telemetry = telemetry,
                        .forget_world = [this] { ++worlds; },
                        .search_hits = [this] { ++searches; }}};
};

TEST_F(ABlockApplier, KeepsEntitiesPerStream) {
  const Handle handle = 4711;
  applier.on_event(second, SpawnEvent{.handle = handle, .type = test::person_row});
  ASSERT_NE(store.find(handle), nullptr);
  applier.on_stream_restart(first.stream);
  EXPECT_EQ(store.find(server.deck), nullptr);
  EXPECT_NE(store.find(handle), nullptr);
  applier.on_event(second, DespawnEvent{.handle = handle});
  EXPECT_EQ(store.find(handle), nullptr);
}

TEST_F(ABlockApplier, TakesAnnouncedMotionsFromAnOvertakenOwnSection) {
  applier.on_own(first, server.own(server.now()));
  const BlockSource overtaken{first.stream, first.tick - 2};
  OwnSection late;
  ASSERT_TRUE(late.parents.push_back({77, overtaken.tick, {}}));
  applier.on_late_own(overtaken, late);
  EXPECT_EQ(store.parent_motions().tick_of(77), overtaken.tick);
}

// The first copy of the former owner's event was lost.
TEST_F(ABlockApplier, IgnoresLateSpawnsAndDespawnsOfAFormerOwner) {
  const Handle handle = 4711;
  const Tick now = HandServer::start;
  const SpawnEvent spawn{.handle = handle, .type = test::person_row, .made = low_half(now)};
  const std::uint16_t earlier = low_half(now - 5), later = low_half(now + 5);
  applier.on_event(second, spawn);
  applier.on_event(second, GameStateEvent{handle, 3, {}});
  applier.on_event(first, SpawnEvent{.handle = handle, .type = test::person_row, .made = earlier});
  ASSERT_EQ(store.find(handle)->stream, second.stream);
  EXPECT_EQ(store.find(handle)->game_version, 3U);
  applier.on_event(first, DespawnEvent{.handle = handle, .made = earlier});
  ASSERT_NE(store.find(handle), nullptr);
  applier.on_event(first, SpawnEvent{.handle = handle, .type = test::person_row, .made = later});
  EXPECT_EQ(store.find(handle)->stream, first.stream) << "it has migrated back";
  applier.on_event(second, DespawnEvent{.handle = handle, .made = later});
  EXPECT_EQ(store.find(handle), nullptr);
}

TEST_F(ABlockApplier, CountsRecordsOfUnknownEntitiesButIgnoresTheOwnAvatars) {
  applier.on_own(first, server.own(server.now()));
  const Tick newest = store.find(server.avatar)->tracks.newest_tick();
  applier.on_record(first, {}, {.handle = server.avatar});
  EXPECT_EQ(store.find(server.avatar)->tracks.newest_tick(), newest);
  applier.on_record(first, {}, {.handle = 4711});
  EXPECT_EQ(telemetry.unknown_records(), 1U);
}

TEST_F(ABlockApplier, PassesCuesOfOthersOn) {
  const ViewPoint seen{HandServer::start, 0, 0, {}};
  applier.on_cue({server.deck, HandServer::start, 3});
  heard_cues.advance(seen, server.avatar);
  ASSERT_EQ(heard_cues.news().size(), 1U);
  EXPECT_EQ(heard_cues.news()[0].effect, 3);
}

TEST_F(ABlockApplier, NamesParentSwitchesAsTheInputsDo) {
  OwnSection own = server.own(server.now());
  own.delay_ticks = 2;
  applier.on_own(first, own);
  const Tick next = prediction.next();
  applier.on_event(
      first, ParentSwitchEvent{.handle = server.avatar, .parent = no_entity, .effect = next + 2});
  predict();
  EXPECT_EQ(prediction.record(next)->parent, no_entity);
}

TEST_F(ABlockApplier, KeepsVerdictsForAFrameAndOutcomesUntilTheyWereRead) {
  applier.begin_frame();
  applier.on_event(first, EffectEvent{.target = server.now(), .index = 2});
  applier.on_event(first, EffectEvent{.target = server.now(), .index = world::first_cue_index});
  applier.on_event(first, OutcomeEvent{.tick = server.now(), .kind = 5});
  EXPECT_EQ(applier.verdicts().size(), 1U) << "cues have a list of their own";
  applier.end_frame();
  applier.on_event(first, OutcomeEvent{.tick = server.now(), .kind = 6});
  EXPECT_EQ(applier.outcomes().size(), 2U);
  applier.begin_frame();
  EXPECT_TRUE(applier.verdicts().empty());
  ASSERT_EQ(applier.outcomes().size(), 1U) << "arrived since the frame";
  EXPECT_EQ(applier.outcomes()[0].kind, 6);
}

TEST_F(ABlockApplier, SearchesHitsOfANewProjectile) {
  applier.on_event(first, ProjectileEvent{.actor = 77, .tick = server.now()});
  EXPECT_EQ(searches, 1);
}

// A door in the way, without a newer final state: the predicted ticks are stepped again.
TEST_F(ABlockApplier, StepsAgainIfAnObstacleArrives) {
  applier.on_own(first, server.own(server.now()));
  predict();
  server.tick({.tick = server.now()});
  applier.on_own(first, server.own(server.now()));
  applier.on_block_end(first, true);
  predict();
  const std::uint64_t replayed = prediction.replayed_ticks();
  applier.on_block_end(first, false);
  EXPECT_EQ(prediction.replayed_ticks(), replayed) << "nothing has changed";
  applier.on_event(first, SpawnEvent{.handle = 4711,
                                     .identity = 1,
                                     .type = store.find(server.deck)->type,
                                     .pose = store.find(server.deck)->spawn_local});
  applier.on_block_end(first, false);
  EXPECT_GT(prediction.replayed_ticks(), replayed);
}

TEST_F(ABlockApplier, ForgetsAllWithANewClusterId) {
  applier.on_new_cluster_id();
  EXPECT_EQ(worlds, 1);
  applier.on_event(first, OutcomeEvent{});
  applier.forget_world();
  EXPECT_TRUE(applier.outcomes().empty());
}

}  // namespace
}  // namespace perigee::client
