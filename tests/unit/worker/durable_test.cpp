/// What outlives a worker: outcomes wait for the journal, cuts have everything once, and a world
/// that begins again from one goes on as it was.
#include <gmock/gmock.h>

#include <cstring>
#include <deque>
#include <set>

#include "crowd.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t to_plus_x = 16384;
constexpr Tick at_cut{7200};
using Parts = std::vector<Bytes>;

PlayerInput press(Tick tick, std::uint8_t button, std::uint16_t yaw = 0, std::int16_t pitch = 0) {
  PlayerInput input{.tick = tick, .yaw = yaw, .pitch = pitch};
  input.view_age = 6 * 16;
  input.samples.push_back({.pressed = button});
  return input;
}

ClusterMap to_restore(ClusterMap map) {
  for (RegionEntry& region : map.regions) {
    region.epoch += 1;
    region.born = region.epoch;
    region.from_cut = true;
  }
  for (WorkerEntry& worker : map.workers) {
    ++worker.life;
    worker.handle_base += 10 * worker.handle_count;
  }
  ++map.version;
  return map;
}

/// A worker that begins again.
struct Successor {
  ClusterMap map;
  Settings settings;
  std::vector<CutPart> parts;
  std::unique_ptr<Core> core;
  std::vector<std::pair<Address, Bytes>> sent;

  Successor(const world::GameModule& game, const ClusterMap& with,
            const std::optional<WholeCut>& cut, Tick start, WorkerSlot slot = 0)
      : map(with), settings(without_claims()) {
    core = std::make_unique<Core>(settings, game, slot,
                                  [this](const Address& to, std::span<const std::byte> bytes) {
                                    sent.emplace_back(to, Bytes(bytes.begin(), bytes.end()));
                                  });
    core->to_cut = [this](CutPart part) { parts.push_back(std::move(part)); };
    core->on_map(map, start);
    EXPECT_TRUE(core->awaits_cut());
    EXPECT_FALSE(core->ready());
    core->restore(cut, start);
  }
  void hear(const Address& from, FabricSender kind, std::uint8_t slot, const auto& record) {
    Bytes out(fabric_datagram_bytes_max);
    FabricWriter writer(out, {map.incarnation, kind, slot, 0});
    ASSERT_TRUE(writer.add(record));
    core->on_fabric({core->next_tick().count << 8}, from, writer.datagram());
  }
};

struct Durability : testing::Test {
  std::vector<OutcomeRow> rows;
  std::vector<CutPart> parts;

  void store(Bench& bench) {
    bench.core->to_store = [this](const OutcomeRow& row) { rows.push_back(row); };
    bench.core->to_cut = [this](CutPart part) { parts.push_back(std::move(part)); };
  }
  static void tick_to(Bench& bench, Tick tick) {
    while (before(bench.core->next_tick(), tick)) bench.tick();
  }
  /// The newest part alone, with what the journal has.
  WholeCut cut(const world::GameModule& game) const {
    auto joined = join_parts(parts.back().tick, Parts{parts.back().bytes}, game);
    EXPECT_TRUE(joined.ok()) << joined.error().message;
    WholeCut out = std::move(joined).value();
    for (const OutcomeRow& row : rows) {
      if (before(out.settled, row.entry.tick)) out.journal.push_back(row.entry);
    }
    return out;
  }
};

// ---- outcomes

struct AnOutcome : Durability {
  Bench bench{{.spawn = {0, 0.91, -5}, .weapons = true}, one_worker_map(), without_claims()};

  void kill() {
    store(bench);
    for (std::uint32_t n = 0; n < 2; ++n) bench.join(n);
    bench.tick(20);
    for (int i = 0; i < 3; ++i) {
      bench.send(press(bench.core->next_tick(), button_fire, to_plus_x), 0);
      bench.tick(13);
    }
    bench.tick(20);
    ASSERT_EQ(rows.size(), 1U);
  }
  std::size_t told() const {
    return bench.told<OutcomeEvent>(session_of(0)).size() +
           bench.told<OutcomeEvent>(session_of(1)).size();
  }
};

TEST_F(AnOutcome, IsToldToBothOnceTheJournalHasIt) {
  kill();
  EXPECT_EQ(told(), 0U);
  EXPECT_EQ(bench.told<EffectEvent>().size(), 3U) << "the shooter's marks do not wait";
  EXPECT_EQ(bench.core->outcomes_waiting(), 1U);
  bench.core->on_stored(1, true);
  bench.tick(4);
  EXPECT_EQ(told(), 2U);
  EXPECT_EQ(bench.core->outcomes_waiting(), 0U);
  EXPECT_EQ(bench.count(Count::OutcomesToldUnstored), 0U);
}

TEST_F(AnOutcome, IsToldAfterFiveSecondsWhateverTheJournalDoes) {
  kill();
  bench.tick(260);
  EXPECT_EQ(told(), 0U);
  bench.tick(60);
  EXPECT_EQ(told(), 2U);
  EXPECT_EQ(bench.count(Count::OutcomesToldUnstored), 1U);
  bench.core->on_stored(1, true);
  bench.tick(10);
  EXPECT_EQ(told(), 2U) << "once is enough";
}

TEST_F(AnOutcome, OfAWorkerThatHasASuccessorIsNeverTold) {
  kill();
  bench.core->on_stored(1, false);
  bench.tick(400);
  EXPECT_EQ(told(), 0U);
  EXPECT_EQ(bench.count(Count::OutcomesFenced), 1U);
}

TEST_F(AnOutcome, ComesBackFromItsPayload) {
  kill();
  const auto payload = payload_of(rows[0].entry);
  EXPECT_EQ(entry_of(payload), rows[0].entry);
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(entry_of(std::span(payload).first(size)));
  }
}

TEST_F(AnOutcome, OfAfterTheCutHoldsInTheWorldThatBeginsFromIt) {
  store(bench);
  bench.join(0);
  bench.join(1);
  tick_to(bench, at_cut + 20);
  ASSERT_EQ(parts.size(), 1U);
  kill();
  const Tick died = rows[0].entry.tick;
  Successor after(bench.game, to_restore(bench.map), cut(bench.game), at_cut + 5000);
  const auto& dead = after.core->player_of(101)->game.as<test::Marksman>();
  EXPECT_TRUE(dead.dead());
  EXPECT_EQ(dead.died_at, died.count);
  EXPECT_EQ(after.core->player_of(100)->game.as<test::Marksman>().kills, 1);
}

TEST_F(AnOutcome, ThatTheCutHasDoesNotHappenAgain) {
  kill();
  tick_to(bench, at_cut + 20);
  Successor after(bench.game, to_restore(bench.map), cut(bench.game), at_cut + 5000);
  EXPECT_EQ(after.core->player_of(100)->game.as<test::Marksman>().kills, 1);
}

// ---- one worker's part

const test::YardOptions everything{.spawn = {0, 0.91, 0},
                                   .pillars = true,
                                   .barge = true,
                                   .second_barge = true,
                                   .weapons = true,
                                   .ground = true};

struct APart : Durability {
  Bench bench{everything, one_worker_map(), without_claims()};
  void play() {
    store(bench);
    for (std::uint32_t n = 0; n < 3; ++n) bench.join(n);
    Random random(5);
    bool opens = false;
    while (before(bench.core->next_tick(), at_cut + 20)) {
      const Tick now = bench.core->next_tick();
      for (std::uint32_t n = 0; n < 3; ++n) {
        PlayerInput input = press(now, random.below(9) == 0 ? button_jump : 0,
                                  static_cast<std::uint16_t>(random.below(65536)));
        input.forward = static_cast<std::int8_t>(random.below(255));
        if (n == 0 && before(now, at_cut - 20) && random.below(200) == 0) opens = true;
        if (n == 0 && now == at_cut - 20) opens = true;  // half-way when the cut is made
        if (opens) {
          input = {.tick = now};
          input.samples.push_back(
              {.action = ActionKind::Use, .target = bench.find(test::door_row)});
          opens = false;
        }
        bench.send(input, n);
      }
      bench.tick();
    }
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].tick, at_cut);
    EXPECT_THAT(parts[0].slots, testing::ElementsAre(0));
  }
};

/// As the cut has it, but for the tick.
void expect_same(const WholeCut& was, const Core& is) {
  const world::World& world = is.world();
  const Tick now = is.next_tick();
  ASSERT_EQ(was.content.entities.size(), world.in_order().size());
  for (std::size_t i = 0; i < was.content.entities.size(); ++i) {
    const CutEntity& cut = was.content.entities[i];
    const world::Entity* entity = world.find(cut.entity.handle);
    ASSERT_NE(entity, nullptr);
    EXPECT_EQ(entity->id, cut.entity.id);
    EXPECT_EQ(entity->type, cut.entity.type);
    EXPECT_EQ(entity->parent, cut.entity.parent);
    EXPECT_FALSE(entity->remote);
    if (world.type_of(*entity).kind == world::EntityKind::Body) {
    }
    const world::TimelineLog* log = world.timeline(entity->handle);
    if (log == nullptr) continue;
    EXPECT_EQ(log->last_version(), cut.log.last_version());
    const world::Travel& travel = world.type_of(*entity).travel;
    for (const std::int32_t later : {0, 5, 100}) {
      EXPECT_EQ(world::travelled(travel, *log, now + later),
                world::travelled(travel, cut.log, was.tick + later))
          << "a door goes on where it was";
    }
  }
  EXPECT_EQ(world.hinges().size(), was.content.hinges.size());
  EXPECT_EQ(is.summary().players, was.content.players.size());
  for (const CutPlayer& cut : was.content.players) {
    const Player* player = is.player_of(cut.client_id);
    ASSERT_NE(player, nullptr);
    EXPECT_EQ(player->avatar, cut.avatar);
    EXPECT_EQ(player->parent, cut.parent);
    EXPECT_EQ(player->state, cut.state);
    EXPECT_EQ(player->game, cut.game);
    EXPECT_EQ(player->ordinal, cut.ordinal);
  }
}

TEST_F(APart, IsTheSameAfterItWasRestored) {
  play();
  const WholeCut was = cut(bench.game);
  EXPECT_EQ(was.content.players.size(), 3U);
  EXPECT_EQ(was.content.entities.size(), bench.core->world().in_order().size());
  EXPECT_EQ(was.content.hinges.size(), 1U);
  Successor after(bench.game, to_restore(bench.map), was, Tick{91'234});
  expect_same(was, *after.core);
}

TEST_F(APart, OfAnEarlierWorldGoesOnAndIsCutAgain) {
  play();
  Successor after(bench.game, to_restore(bench.map), cut(bench.game), Tick{89'000});
  while (before(after.core->next_tick(), Tick{90'020})) after.core->tick();
  ASSERT_EQ(after.parts.size(), 1U);
  const auto joined = join_parts(Tick{90'000}, Parts{after.parts[0].bytes}, bench.game);
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined->content.entities.size(), bench.core->world().in_order().size());
  EXPECT_EQ(joined->content.players.size(), 3U);
}

TEST_F(APart, CutShortOrChangedIsRefusedOrHarmless) {
  play();
  const Bytes good = parts[0].bytes;
  Random random(11);
  int refused = 0;
  for (std::size_t size = 0; size < good.size(); size += 1 + random.below(40)) {
    const Bytes part(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    refused += !join_parts(at_cut, Parts{part}, bench.game).ok();
  }
  EXPECT_GT(refused, 100);
  for (int i = 0; i < 600; ++i) {
    Bytes part = good;
    part[random.below(static_cast<std::uint32_t>(part.size()))] ^=
        static_cast<std::byte>(1U << random.below(8));
    auto joined = join_parts(at_cut, Parts{part}, bench.game);
    if (!joined.ok()) continue;
    Successor after(bench.game, to_restore(bench.map), joined.value(), Tick{90'000});
    for (int n = 0; n < 3; ++n) after.core->tick();
  }
}

TEST_F(APart, OfANewerFormatIsRefusedWithARemedy) {
  play();
  Bytes part = parts[0].bytes;
  part[4] = std::byte{9};
  const auto joined = join_parts(at_cut, Parts{part}, bench.game);
  ASSERT_FALSE(joined.ok());
  EXPECT_THAT(joined.error().message, testing::HasSubstr("start the version"));
}

TEST_F(APart, GivesItsAvatarToAClientThatComesBack) {
  play();
  const Handle avatar = bench.player(1).avatar;
  Successor after(bench.game, to_restore(bench.map), cut(bench.game), Tick{90'000});
  after.hear(gateway_address, FabricSender::Gateway, 0,
             JoinRecord{Bench::later_session_of(1), 101, 0});
  EXPECT_EQ(after.core->player_of(101)->avatar, avatar);
  EXPECT_EQ(after.core->player_of(101)->session, Bench::later_session_of(1));
  EXPECT_EQ(after.core->summary().players, 3U);
  for (int i = 0; i < 1900; ++i) after.core->tick();
  EXPECT_EQ(after.core->summary().players, 0U) << "nobody came back for the others";
}

TEST_F(APart, IsNotMadeWhileARegionIsNobodys) {
  store(bench);
  bench.map.version += 1;
  bench.map.regions[0].high.x = 1000;
  bench.map.regions.push_back({1, 1, {1000, -2000, -8000}, {8000, 2000, 8000}, {}});
  bench.core->on_map(bench.map, {});
  tick_to(bench, at_cut + 20);
  EXPECT_TRUE(parts.empty());
}

TEST_F(APart, IsNotMadeWhileSomebodyMayNotKnowOfAWorker) {
  store(bench);
  tick_to(bench, at_cut - 200);
  bench.map.version += 1;
  bench.map.workers.push_back({1, neighbour_address, 200'000, 100'000, true});
  bench.core->on_map(bench.map, {});
  tick_to(bench, at_cut + 920);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].tick, at_cut + 900);
  EXPECT_THAT(parts[0].slots, testing::ElementsAre(0, 1));
}

// ---- ground

TEST_F(Durability, OfGroundKeepsWhatIsSettledAndGivesBackTheRest) {
  Bench bench({.spawn = {30.5, test::ground_depth + 0.91, -50.5}, .ground = true}, one_worker_map(),
              without_claims());
  store(bench);
  bench.join(0);
  constexpr std::int16_t down = -16384;
  tick_to(bench, at_cut - 60);
  bench.send(press(bench.core->next_tick(), button_dig, to_plus_x, down), 0);
  tick_to(bench, at_cut - 3);  // this one waits for its commit when the cut is made
  bench.send(press(bench.core->next_tick(), button_dig, to_plus_x, down), 0);
  tick_to(bench, at_cut + 10);
  const Handle ground = bench.find(test::ground_row);
  ASSERT_EQ(rows.size(), 1U);
  tick_to(bench, at_cut + 40);
  ASSERT_EQ(rows.size(), 2U);
  const auto solid = [&](Core& core, std::size_t row) {
    const world::VoxelPatch& patch = *std::as_const(core.world()).voxels(ground);
    return patch.solid(patch.plan().cell_of(static_cast<std::uint32_t>(rows[row].entry.amount)),
                       core.next_tick());
  };
  const auto stones = [](Core& core) {
    return core.player_of(100)->game.as<test::Marksman>().stones;
  };
  WholeCut whole = cut(bench.game);
  Successor all(bench.game, to_restore(bench.map), whole, Tick{90'000});
  EXPECT_FALSE(solid(*all.core, 0) || solid(*all.core, 1));
  EXPECT_EQ(stones(*all.core), 2);
  whole.journal.clear();  // nobody was told of the second one
  Successor less(bench.game, to_restore(bench.map), whole, Tick{90'000});
  EXPECT_FALSE(solid(*less.core, 0));
  EXPECT_TRUE(solid(*less.core, 1));
  EXPECT_EQ(stones(*less.core), 1);
}

// ---- several workers

/// A barge with people crosses the border at about the tick of the cut, in any weather, between
/// workers whose ticks are some apart.
struct Crossing {
  struct Word {
    int at_turn;
    Bytes bytes;
  };
  static constexpr std::uint32_t people = 3;
  static constexpr double m_s = 3;
  static constexpr std::size_t group_bytes = 10'000;  ///< what is larger brings a group
  std::vector<std::vector<CutPart>> parts{2};
  Bench here, there;
  std::vector<std::deque<Word>> to{2};
  Random random;
  int turn = 0;
  int skew = 0;      ///< turns that the second worker is behind; negative: ahead
  int late_max = 0;  ///< turns a word may be late
  int lost = 0;      ///< of 100 words
  int cut_off_at = -1, cut_off_until = -1;

  static test::YardOptions plan(double x) {
    return {.spawn = {x, 20.91, 0},
            .spacing = {1.2, 0, 0.4},
            .barge = true,
            .barge_at = {x, 20, 0},
            .barge_velocity = {m_s, 0, 0}};
  }
  Crossing(double x, std::uint64_t seed)
      : here(plan(x), two_worker_map(), without_claims()),
        there(plan(x), two_worker_map(), without_claims(), 1),
        random(seed) {
    const auto connect = [this](Bench& from, std::size_t slot) {
      from.core->to_peer = [this, slot](WorkerSlot peer, std::span<const std::byte> bytes) {
        if (turn >= cut_off_at && turn < cut_off_until) return;
        if (static_cast<int>(random.below(100)) < lost) return;
        int late = static_cast<int>(random.below(static_cast<std::uint32_t>(late_max + 1)));
        if (bytes.size() > group_bytes) late += static_cast<int>(random.below(14));
        const int in_order = to[peer].empty() ? 0 : to[peer].back().at_turn;
        to[peer].push_back({std::max(in_order, turn + late), Bytes(bytes.begin(), bytes.end())});
      };
      from.core->to_cut = [this, slot](CutPart part) { parts[slot].push_back(std::move(part)); };
    };
    connect(here, 0);
    connect(there, 1);
    for (std::uint32_t n = 0; n < people; ++n) here.join(n);
  }
  void deliver(std::size_t slot) {
    Core& core = slot == 0 ? *here.core : *there.core;
    while (!to[slot].empty() && to[slot].front().at_turn <= turn) {
      const Word word = to[slot].front();
      to[slot].pop_front();
      core.on_peer(static_cast<WorkerSlot>(1 - slot), word.bytes);
    }
  }
  void play() {
    const int turns = ticks_between(Bench::start, at_cut) + 60;
    while (turn < turns) {
      deliver(0);
      if (turn >= -skew) here.tick();
      deliver(1);
      if (turn >= skew) there.tick();
      ++turn;
    }
  }
};

TEST(ACutOfTwoWorkers, HasEachThingOnceWhateverIsBetweenThem) {
  int in_doubt = 0;
  int late = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    // 32 m beyond the border it is offered, and six ticks later it goes.
    const double since_s = (static_cast<double>(random.below(50)) - 15) / 60;
    Crossing two(1032 + Crossing::m_s * (since_s - 20), seed);
    two.skew = static_cast<int>(random.below(13)) - 6;
    two.late_max = static_cast<int>(random.below(3));
    two.lost = seed % 3 == 0 ? 3 : 0;
    if (seed % 5 == 0) {
      two.cut_off_at = 1190 + static_cast<int>(random.below(20));
      two.cut_off_until = two.cut_off_at + static_cast<int>(random.below(60));
    }
    two.play();
    ASSERT_EQ(two.parts[0].size(), 1U) << "seed " << seed;
    ASSERT_EQ(two.parts[1].size(), 1U) << "seed " << seed;
    const Parts bytes{two.parts[0][0].bytes, two.parts[1][0].bytes};
    const auto cut = join_parts(at_cut, bytes, two.here.game);
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    std::set<Handle> handles;
    for (const CutEntity& each : cut->content.entities) handles.insert(each.entity.handle);
    EXPECT_EQ(cut->content.entities.size(), 3 + Crossing::people) << "seed " << seed;
    EXPECT_EQ(handles.size(), cut->content.entities.size()) << "seed " << seed;
    EXPECT_EQ(cut->content.players.size(), Crossing::people) << "seed " << seed;
    EXPECT_EQ(cut->twice, 0U) << "seed " << seed;
    const auto alone = join_parts(at_cut, Parts{bytes[1]}, two.here.game);
    const auto giver = join_parts(at_cut, Parts{bytes[0]}, two.here.game);
    in_doubt += alone->content.entities.size() + giver->content.entities.size() >
                cut->content.entities.size();
    late += giver->content.entities.size() < 3 + Crossing::people;
    // Both begin again, and everybody is with exactly one of them.
    ClusterMap map = to_restore(two_worker_map());
    Successor first(two.here.game, map, cut.value(), Tick{90'000});
    Successor second(two.here.game, map, cut.value(), Tick{90'003}, 1);
    EXPECT_EQ(first.core->world().in_order().size() + second.core->world().in_order().size(),
              cut->content.entities.size());
    EXPECT_EQ(first.core->summary().players + second.core->summary().players, Crossing::people);
    for (std::uint32_t n = 0; n < Crossing::people; ++n) {
      const bool left = first.core->player_of(100 + n) != nullptr;
      Core& core = left ? *first.core : *second.core;
      EXPECT_NE(core.world().find(core.player_of(100 + n)->parent), nullptr) << "with its barge";
    }
  }
  EXPECT_GT(in_doubt, 3) << "groups of which nobody knew who has them";
  EXPECT_GT(late, 3) << "groups that were with the second worker";
}

TEST(AClientThatComesBack, FindsItsAvatarAtWhicheverWorkerHasIt) {
  Crossing two(1032 - Crossing::m_s * 15, 1);
  two.play();
  const auto cut =
      join_parts(at_cut, Parts{two.parts[0][0].bytes, two.parts[1][0].bytes}, two.here.game);
  ASSERT_TRUE(cut.ok());
  const ClusterMap map = to_restore(two_worker_map());
  Successor home(two.here.game, map, cut.value(), Tick{90'000});
  Successor away(two.here.game, map, cut.value(), Tick{90'000}, 1);
  ASSERT_NE(away.core->player_of(101), nullptr);
  const Handle avatar = away.core->player_of(101)->avatar;
  const auto pass = [&](Successor& from, Successor& to, const Address& sender, std::uint8_t slot,
                        const Address& receiver) {
    from.core->tick();
    int passed = 0;
    for (const auto& [address, bytes] : std::exchange(from.sent, {})) {
      if (address != receiver) continue;
      to.core->on_fabric({to.core->next_tick().count << 8}, sender, bytes);
      ++passed;
    }
    EXPECT_GE(passed, 1) << int{slot};
  };
  const JoinRecord join{Bench::later_session_of(1), 101, 0};
  home.hear(gateway_address, FabricSender::Gateway, 0, join);
  EXPECT_EQ(home.core->player_of(101), nullptr) << "not a second one";
  pass(home, away, worker_address, 0, neighbour_address);
  EXPECT_EQ(away.core->player_of(101)->session, join.session);
  EXPECT_EQ(away.core->player_of(101)->avatar, avatar);
  // Another one has left for good meanwhile: then home begins anew with the client.
  away.hear(gateway_address, FabricSender::Gateway, 0,
            LeaveRecord{away.core->player_of(102)->session});
  const JoinRecord late{Bench::later_session_of(2), 102, 0};
  home.hear(gateway_address, FabricSender::Gateway, 0, late);
  pass(home, away, worker_address, 0, neighbour_address);
  pass(away, home, neighbour_address, 1, worker_address);
  home.hear(gateway_address, FabricSender::Gateway, 0, late);
  EXPECT_NE(home.core->player_of(102), nullptr);
}

}  // namespace
}  // namespace perigee::worker
