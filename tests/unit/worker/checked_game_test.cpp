// The worker refuses invalid values of a game: it reports, counts and replaces them. The bench
// reads every block that is sent, so a block that a client would drop fails the test.
#include <algorithm>
#include <limits>

#include "fixture.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

using world::GameFault;
using world::GameValue;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Vec3 ahead{0, 0, 1};

class AGameBorder : public testing::Test {
 protected:
  void begin() {
    options.mischief = &mischief;
    bench.emplace(options, one_worker_map(), Settings{});
  }
  std::uint64_t refused() { return bench->count(metric.game_values_refused); }
  /// The first fault with that value.
  std::optional<GameFault> sent(GameValue value) {
    for (const GameFault& fault : bench->core->take_game_faults()) all.push_back(fault);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const GameFault& fault) { return fault.value == value; });
    return found == all.end() ? std::nullopt : std::optional(*found);
  }
  /// Two players stand side by side, for a second by default.
  void play(int ticks = 60) {
    begin();
    bench->join(0);
    bench->join(1);
    for (int i = 0; i < ticks; ++i) {
      for (std::uint32_t n = 0; n < 2; ++n) {
        if (bench->core->player_of(100 + n) == nullptr) continue;
        bench->send(PlayerInput{.tick = bench->core->next_tick()}, n);
      }
      bench->tick();
    }
  }
  void use_door() {
    PlayerInput input{.tick = bench->core->next_tick()};
    input.samples.push_back({.action = ActionKind::Use, .target = bench->find(test::door_row)});
    bench->send(input);
    bench->tick(20);
  }

  test::YardMischief mischief;
  test::YardOptions options;
  std::optional<Bench> bench;
  std::vector<GameFault> all;
};

TEST_F(AGameBorder, RefusesAProposalWithANumberThatIsNone) {
  const std::vector<world::Proposal> bad{
      {.from = {nan, 0, 0}, .direction = ahead},
      {.from = {0, 1e9, 0}, .direction = ahead},
      {.direction = {0, nan, 0}},
      {.direction = {0, 0, infinite}, .speed_m_s = 60},
      {.direction = ahead, .speed_m_s = nan},
      {.direction = ahead, .speed_m_s = -1},
      {.direction = ahead, .speed_m_s = 1e6},
  };
  bool proposed = false;
  mischief.step = [&](world::ActorContext& context) {
    for (const world::Proposal& each : bad) proposed |= context.propose(each, test::flash_effect);
  };
  play();
  EXPECT_FALSE(proposed);
  EXPECT_EQ(bench->count(metric.outcomes_committed), 0U);
  EXPECT_TRUE(bench->sent<ProjectileEvent>(session_of(1)).empty());
  EXPECT_EQ(refused(), 2U * 60) << "one for a tick of a player";
  const auto fault = sent(GameValue::ProposalAim);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->type, test::person_row);
  EXPECT_EQ(fault->tick, Bench::start);
  EXPECT_EQ(all.size(), 1U) << "reported once";
}

TEST_F(AGameBorder, RefusesRaysAndPushesOfTheStep) {
  mischief.step = [&](world::ActorContext& context) {
    EXPECT_FALSE(context.ray({nan, 0, 0}, ahead, 1));
    EXPECT_FALSE(context.ray({}, ahead, infinite));
    EXPECT_FALSE(context.dig_ray({}, {nan, 0, 1}, 1));
    EXPECT_FALSE(context.push(1, {0, nan, 0}, {}));
    EXPECT_FALSE(context.push(1, ahead, {infinite, 0, 0}));
  };
  options.ground = true;
  play();
  EXPECT_TRUE(sent(GameValue::RayAim));
  EXPECT_TRUE(sent(GameValue::PushImpulse));
}

TEST_F(AGameBorder, PutsAPlayerInTheMiddleOfTheRegionForAPlaceThatIsNone) {
  struct Bad {
    GameValue value;
    std::string_view field;
    std::function<void(world::ActorSpawn&)> change;
  };
  const std::vector<Bad> bad{
      {GameValue::PlayerState, "position.y", [](auto& spawn) { spawn.state.position.y = nan; }},
      {GameValue::PlayerState, "velocity.x", [](auto& spawn) { spawn.state.velocity.x = 1e30F; }},
      {GameValue::PlayerState, "flags", [](auto& spawn) { spawn.state.flags = 0x80; }},
      {GameValue::PlayerState, "flags", [](auto& spawn) { spawn.state.flags = actor_at_controls; }},
      {GameValue::PlayerParent, "", [](auto& spawn) { spawn.parent = 77'777; }},
      {GameValue::PlayerOutside, "", [](auto& spawn) { spawn.state.position = {0, 0, 9'000}; }},
  };
  for (const auto& [value, field, change] : bad) {
    mischief.spawn = change;
    play(0);
    ASSERT_NE(bench->core->player_of(100), nullptr);
    EXPECT_EQ(bench->player().parent, no_entity);
    EXPECT_EQ(bench->player().state.position, Vec3{}) << "of the region: its centre is the origin";
    const auto fault = sent(value);
    ASSERT_TRUE(fault) << world::row_of(value).name;
    EXPECT_EQ(fault->type, test::person_row);
    EXPECT_EQ(fault->field, field);
    all.clear();
  }
}

TEST_F(AGameBorder, NamesMessagesAndRecordsThatCannotBeSent) {
  Handle npc = no_entity, player = no_entity;  // set in the first tick, and in the second
  mischief.think = [&](world::ThinkContext& context) {
    world::Journal& journal = context.journal();
    if (player != no_entity) return;
    if (npc == no_entity) {
      npc =
          journal.spawn_npc({.type = test::person_row, .place = {no_entity, {2, 0, 2}, {}}}).entity;
      return;
    }
    player = bench->player().avatar;
    const std::vector<std::byte> none, one(1), long_profile(world::profile_bytes_max + 1);
    EXPECT_EQ(journal.tell(player, none), world::TellRefusal::Size);
    EXPECT_EQ(journal.tell(npc, one), world::TellRefusal::NoPlayer);
    EXPECT_EQ(journal.tell(77'777, one), world::TellRefusal::NoPlayer);
    EXPECT_EQ(journal.save(player, long_profile), world::KeepRefusal::Size);
    EXPECT_EQ(journal.keep({.match = 1, .bytes = none}), world::KeepRefusal::Size);
    EXPECT_EQ(journal.keep({.match = 1, .bytes = one}), world::KeepRefusal::NoStore);
  };
  play();
  ASSERT_NE(player, no_entity);
  ASSERT_TRUE(sent(GameValue::MessageSize));
  EXPECT_EQ(sent(GameValue::MessageSize)->entity, player);
  ASSERT_TRUE(sent(GameValue::MessageToNpc));
  EXPECT_EQ(sent(GameValue::MessageToNpc)->entity, npc);
  ASSERT_TRUE(sent(GameValue::RecordSize));
  EXPECT_EQ(sent(GameValue::RecordSize)->entity, player);
  EXPECT_EQ(refused(), 4U)
      << "a player that has left, and a worker without a store, are no mistakes";
}

TEST_F(AGameBorder, TakesAnActorsTypeForOneThatIsNone) {
  for (const world::TypeId type : {world::TypeId{200}, world::TypeId{test::deck_row}}) {
    mischief.spawn = [&](world::ActorSpawn& spawn) { spawn.type = type; };
    play();
    ASSERT_EQ(bench->joined.size(), 2U);
    const world::Entity* avatar = bench->core->world().find(bench->player().avatar);
    EXPECT_EQ(avatar->type, test::person_row);
    EXPECT_TRUE(sent(GameValue::PlayerType));
    all.clear();
  }
}

TEST_F(AGameBorder, RefusesDrivesAndImpulsesThatAreNone) {
  options.barge = true;
  mischief.drive = [&](world::World& world, Tick) {
    const Handle barge = test::Yard::handle_of(world, test::barge_row);
    EXPECT_FALSE(world.set_drive(barge, {nan, 0, 0}, {}));
    EXPECT_FALSE(world.set_drive(barge, {}, {0, 0, 1e9}));
    EXPECT_FALSE(world.set_drive(barge, {3000, 0, 0}, {}));
    EXPECT_FALSE(world.set_drive(77'777, {}, {}));
    EXPECT_FALSE(world.set_drive(test::Yard::handle_of(world, test::deck_row), {}, {}));
    EXPECT_FALSE(world.set_body(barge, {.pose = {{0, nan, 0}, {}}}));
    EXPECT_FALSE(world.apply_impulse_next_tick(barge, {0, 0, infinite}, {}));
    EXPECT_FALSE(world.apply_impulse_next_tick(barge, ahead, {nan, 0, 0}));
    EXPECT_FALSE(world.drive_hinge(barge, barge, nan));
  };
  play();
  const auto at = bench->core->world().motion(bench->find(test::barge_row), Bench::start + 60);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->pose.position.x, 5, 0.1) << "as the game drives it otherwise";
  EXPECT_TRUE(sent(GameValue::DriveVelocity));
  EXPECT_TRUE(sent(GameValue::BodyName));
  ASSERT_TRUE(sent(GameValue::BodyMotion));
  EXPECT_EQ(sent(GameValue::BodyMotion)->field, "position.y");
  EXPECT_TRUE(sent(GameValue::Impulse));
}

TEST_F(AGameBorder, HoldsABodyThatTheEngineLoses) {
  options.barge = true;
  options.barge_velocity = {};
  bool pushed = false;
  mischief.drive = [&](world::World& world, Tick tick) {
    if (tick != Bench::start + 30) return;
    const Handle barge = test::Yard::handle_of(world, test::barge_row);
    for (int i = 0; i < 200; ++i) {
      pushed = world.apply_impulse_next_tick(barge, {1e12, 0, 0}, options.barge_at);
    }
  };
  play(120);
  EXPECT_TRUE(pushed);
  const auto at = bench->core->world().motion(bench->find(test::barge_row), Bench::start + 120);
  ASSERT_TRUE(at);
  EXPECT_TRUE(world::is_pose(at->pose));
  EXPECT_LT(length(at->pose.position), 100);
}

TEST_F(AGameBorder, RefusesWhatAUseCannotMean) {
  const std::vector<std::pair<
      GameValue,
      std::function<void(const world::World&, const world::UseAttempt&, world::UseOutcome&)>>>
      bad{{GameValue::UseVerdict,
           [](auto&, auto&, auto& outcome) { outcome.verdict = world::UseVerdict{99}; }},
          {GameValue::UseVerdict,
           [](auto&, auto&, auto& outcome) { outcome.vehicle = VehicleChange{9}; }},
          {GameValue::UseVehicle,
           [](auto&, auto&, auto& outcome) { outcome.vehicle = VehicleChange::Take; }},
          {GameValue::Change,
           [](auto&, auto& attempt, auto& outcome) {
             outcome.change = world::TimelineChange{attempt.target, attempt.now - 5, 1, 1};
           }},
          {GameValue::Change, [](auto&, auto& attempt, auto& outcome) {
             outcome.change = world::TimelineChange{77'777, attempt.now + 9, 1, 1};
           }}};
  for (const auto& [value, change] : bad) {
    mischief.use = change;
    play(2);
    use_door();
    const auto verdicts = bench->sent<EffectEvent>();
    ASSERT_FALSE(verdicts.empty());
    EXPECT_EQ(verdicts.back().verdict, Verdict::Cancelled) << world::row_of(value).name;
    EXPECT_EQ(bench->core->world().timeline(bench->find(test::door_row))->size(), 0U);
    EXPECT_TRUE(sent(value)) << world::row_of(value).name;
    all.clear();
  }
}

TEST_F(AGameBorder, TakesAReasonThatIsNoneForNotAllowed) {
  options.weapons = true;
  mischief.judge =
      mischief.commit = [](world::Judgement& judgement) { judgement.reason = CancelReason{77}; };
  play(2);
  bench->send(PlayerInput{.tick = bench->core->next_tick(), .held = button_fire});
  bench->tick(40);
  const auto verdicts = bench->sent<EffectEvent>();
  ASSERT_FALSE(verdicts.empty());
  for (const EffectEvent& verdict : verdicts) {
    EXPECT_EQ(verdict.reason, CancelReason::NotAllowed);
  }
  EXPECT_TRUE(sent(GameValue::Judgement));
}

TEST_F(AGameBorder, SaysWhatItDoesNotSpawn) {
  std::size_t spawned = 0, refused_orders = 0;
  std::vector<world::SpawnOrder> bad(9, world::SpawnOrder{.type = test::pillar_row});
  mischief.populate = [&](world::World& world, std::uint32_t spawner) {
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      const Handle made = world.spawn({.id = world::make_entity_id(spawner, Tick{7}, i),
                                       .type = test::pillar_row,
                                       .local = {{0, 0, 500.0 + i}, {}}});
      (made != no_entity ? spawned : refused_orders) += 1;
    }
    bad[0].type = 99;
    bad[1].type = test::person_row;
    bad[2].parent = 1;
    bad[3].local.position.x = nan;
    bad[4].local.rotation = {0, 0, 0, 3};
    bad[5].type = test::barge_row;
    bad[5].velocity.z = infinite;
    bad[6].type = test::barge_row;
    bad[6].angular_velocity.z = nan;
    bad[7].remote = true;
    bad[8].id = world::make_entity_id(spawner, Tick{7}, 0);  // this id is in use
    for (std::size_t i = 0; i < bad.size(); ++i) {
      const auto ordinal = static_cast<std::uint32_t>(i);
      if (i < 8) bad[i].id = world::make_entity_id(spawner, Tick{8}, ordinal);
      EXPECT_EQ(world.spawn(bad[i]), no_entity) << i;
    }
  };
  begin();
  EXPECT_EQ(spawned, 4'096U);
  EXPECT_EQ(refused_orders, 904U);
  bench->tick();
  EXPECT_EQ(refused(), 904U + 9);
  for (const GameValue value :
       {GameValue::SpawnId, GameValue::SpawnType, GameValue::SpawnKind, GameValue::SpawnParent,
        GameValue::SpawnPose, GameValue::SpawnVelocity}) {
    EXPECT_TRUE(sent(value)) << world::row_of(value).name;
  }
}

TEST_F(AGameBorder, KeepsPlayersActorsFromTheGame) {
  mischief.drive = [&](world::World& world, Tick) {
    const Handle person = test::Yard::handle_of(world, test::person_row);
    EXPECT_FALSE(person != no_entity && world.despawn(person));
  };
  play();
  EXPECT_EQ(bench->core->summary().players, 2U);
  EXPECT_TRUE(sent(GameValue::DespawnActor));
}

TEST_F(AGameBorder, PlaysTheSameWhateverIsRefused) {
  std::vector<std::uint64_t> hashes;
  for (const bool bad : {false, true}) {
    options.barge = true;
    if (bad) {
      mischief.step = [](world::ActorContext& context) {
        context.propose({.from = {nan, nan, nan}}, test::flash_effect);
        context.push(3, {nan, 0, 0}, {});
      };
      mischief.drive = [](world::World& world, Tick) {
        world.set_drive(test::Yard::handle_of(world, test::barge_row), {nan, 0, 0}, {});
      };
    }
    play();
    hashes.push_back(bench->core->hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace perigee::worker
