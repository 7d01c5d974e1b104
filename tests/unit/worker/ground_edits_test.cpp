// Voxel ground that players dig: at once around them, in the journal when it is final, and on every
// client in the end. (V11, K42, S2, S11)
#include "crowd.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

constexpr std::int16_t down = -16384;
// 56 degrees: hits the cell on which the next player along x stands
constexpr std::int16_t beside = -10285;
constexpr Vec3 on_ground{30.5, test::ground_depth + 0.91, -50.5};

test::YardOptions with_ground() {
  return {.spawn = on_ground, .spacing = {1, 0, 0}, .ground = true};
}
struct Digging : testing::Test {
  Bench bench{with_ground(), one_worker_map(), without_claims()};
  Handle ground() const { return bench.find(test::ground_row); }
  const world::VoxelPatch& patch() const { return *bench.core->world().voxels(ground()); }
  Tick now() const { return bench.core->next_tick(); }
  /// The cell at that depth below the feet of player `n`; 1 is the one on which it stands.
  world::Cell below(std::uint32_t n, std::int32_t depth = 1) const {
    const Vec3 at = on_ground + Vec3{1.0 * n, 0, 0} - test::ground_at;
    return {static_cast<std::int32_t>(at.x), test::ground_depth - depth,
            static_cast<std::int32_t>(at.z)};
  }
  bool solid(const world::Cell& cell) const { return patch().solid(cell, now()); }
  static PlayerInput blow(Tick tick, std::int16_t pitch = down) {
    PlayerInput input{.tick = tick, .yaw = 16384, .pitch = pitch};
    input.samples.push_back({.pressed = button_dig});
    return input;
  }
  void join(std::uint32_t people) {
    for (std::uint32_t n = 0; n < people; ++n) bench.join(n);
    bench.tick(20);
  }
  std::map<std::uint32_t, EffectEvent> verdicts(std::uint32_t n) const {
    std::map<std::uint32_t, EffectEvent> last;
    for (const EffectEvent& e : bench.sent<EffectEvent>(session_of(n))) last[e.target.count] = e;
    return last;
  }
};

TEST_F(Digging, OpensTheGroundAtOnceAndIsWrittenDownWhenItsTickHasLeftTheWindow) {
  join(2);
  const Tick t = now();
  bench.send(blow(t), 0);
  bench.tick();
  EXPECT_FALSE(solid(below(0)));
  bench.tick(2);
  EXPECT_EQ(verdicts(0)[t.count].verdict, Verdict::Confirmed);
  const auto sent = bench.sent<VoxelEvent>(session_of(1));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].patch, ground());
  EXPECT_EQ(sent[0].cell, patch().plan().index_of(below(0)));
  EXPECT_EQ(sent[0].tick, t);
  EXPECT_EQ(sent[0].version, 1);
  EXPECT_FALSE(sent[0].solid || sent[0].withdrawn);
  while (before(now(), t + window_ticks)) bench.tick();
  EXPECT_EQ(bench.core->journal().total(), 0U);
  EXPECT_EQ(bench.player(0).game.as<test::Marksman>().stones, 0);
  bench.tick(2);
  ASSERT_EQ(bench.core->journal().total(), 1U);
  EXPECT_EQ(bench.core->journal()[0].target, ground());
  EXPECT_EQ(bench.player(0).game.as<test::Marksman>().stones, 1);
  EXPECT_EQ(bench.count(metric.edits_committed), 1U);
  bench.tick(40);
  EXPECT_NEAR(bench.player(0).state.position.y, on_ground.y - 1, 0.02) << "it fell in";
}

// Edits can be rewound: a player falls in at the digger's tick, however late the input arrives.
TEST_F(Digging, ReceivedLateLeadsWhereDiggingInTimeLeads) {
  for (const int lateness : {1, 7, window_ticks - 1}) {
    SCOPED_TRACE(lateness);
    Bench late(with_ground(), one_worker_map(), without_claims());
    Bench timely(with_ground(), one_worker_map(), without_claims());
    for (Bench* each : {&late, &timely}) {
      each->join(0);
      each->join(1);
      each->tick(20);
    }
    const Tick t = late.core->next_tick();
    timely.send(blow(t, beside), 0);
    for (int i = 0; i < 60; ++i) {
      if (i == lateness) late.send(blow(t, beside), 0);
      late.tick();
      timely.tick();
    }
    EXPECT_LT(timely.player(1).state.position.y, on_ground.y - 0.5) << "somebody fell";
    for (const std::uint32_t n : {0U, 1U}) {
      EXPECT_EQ(late.player(n).state, timely.player(n).state);
      EXPECT_EQ(late.player(n).game, timely.player(n).game);
    }
    EXPECT_EQ(late.core->world().hash(), timely.core->world().hash());
  }
}

// S2: of two diggers of one cell the one with the lower tick gets it, in any order of arrival
TEST_F(Digging, TheLowerTickHasTheCell) {
  join(2);
  const Tick t = now();
  bench.send(blow(t + 4, beside), 0);
  bench.tick(8);
  EXPECT_FALSE(solid(below(1)));
  bench.send(blow(t), 1);  // eight ticks late, and still the first
  bench.tick(40);
  const JournalLog& journal = bench.core->journal();
  ASSERT_EQ(journal.total(), 2U);
  EXPECT_EQ(journal[0].actor, bench.player(1).avatar);
  EXPECT_EQ(journal[0].tick, t);
  EXPECT_EQ(journal[0].amount, static_cast<std::int32_t>(patch().plan().index_of(below(1))));
  EXPECT_EQ(journal[1].actor, bench.player(0).avatar) << "through the hole, into what is behind";
  EXPECT_NE(journal[1].amount, journal[0].amount);
  EXPECT_EQ(bench.count(metric.edits_withdrawn), 1U);
}

TEST_F(Digging, OfOneCellInOneTickGivesOneStone) {
  join(2);
  const Tick t = now();
  bench.send(blow(t, beside), 0);
  bench.send(blow(t), 1);
  bench.tick(40);
  EXPECT_EQ(bench.core->journal().total(), 1U);
  EXPECT_EQ(bench.count(metric.edits_committed), 1U);
  EXPECT_EQ(bench.count(metric.edits_overruled), 1U);
  const auto stones = [&](std::uint32_t n) {
    return bench.player(n).game.as<test::Marksman>().stones;
  };
  EXPECT_EQ(stones(0) + stones(1), 1);
}

TEST_F(Digging, OutOfReachOrTooOftenChangesNothing) {
  join(1);
  const std::uint64_t before = patch().hash();
  const Tick t = now();
  bench.send(blow(t, 16384), 0);  // at the sky
  bench.tick(3);
  EXPECT_EQ(verdicts(0)[t.count].reason, CancelReason::TooFar);
  EXPECT_EQ(patch().hash(), before);
  bench.tick(20);
  EXPECT_EQ(bench.count(metric.edits_out_of_reach), 1U);
  for (int i = 0; i < 60; ++i) {  // a held pick digs every twelve ticks
    PlayerInput input{.tick = now(), .pitch = down, .held = button_dig};
    bench.send(input, 0);
    bench.tick();
  }
  bench.tick(20);
  EXPECT_LE(bench.core->journal().total(), 5U);
  EXPECT_GE(bench.core->journal().total(), 3U);
}

TEST_F(Digging, NobodyIsWalledIn) {
  join(2);
  bench.send(blow(now(), beside), 0);
  bench.tick(60);  // the other player stands in the hole by now
  const std::uint64_t open = patch().hash();
  PlayerInput fill{.tick = now(), .yaw = 16384, .pitch = beside};
  fill.samples.push_back({.pressed = button_fill});
  bench.send(fill, 0);
  bench.tick(3);
  EXPECT_EQ(patch().hash(), open);
  bench.leave(1);
  bench.tick(12);
  fill.tick = now();
  bench.send(fill, 0);
  bench.tick(20);
  EXPECT_TRUE(solid(below(1)));
}

// --- versions

struct Versions : Digging {
  void dig_one() {
    bench.send(blow(now()), 0);
    bench.tick(3);
  }
  void report(const ChunkReport& what, std::uint32_t n = 0, std::uint16_t epoch_off = 0) {
    ChunkFrame frame;
    frame.stream_epoch = static_cast<std::uint16_t>(epoch_of(n) + epoch_off);
    frame.reports.push_back(what);
    std::array<std::byte, 128> space;
    const auto bytes = write_chunks(frame, space);
    bench.gateway_says(
        InputRecord{session_of(n), bench.now_fine(), stream_of_worker(WorkerSlot{0}), bytes});
  }
  std::uint16_t epoch_of(std::uint32_t n) const {
    for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
      if (it->session == session_of(n)) return it->header.stream_epoch;
    }
    return 0;
  }
  std::vector<ChunkVersion> listed(std::uint32_t n = 0) {
    bench.tick(2);
    for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
      if (it->session == session_of(n) && it->own) {
        return {it->own->chunks.begin(), it->own->chunks.end()};
      }
    }
    return {};
  }
};

TEST_F(Versions, AreListedUntilTheClientHasThem) {
  join(1);
  EXPECT_TRUE(listed().empty()) << "as it was created";
  dig_one();
  ASSERT_EQ(listed().size(), 1U);
  const ChunkVersion changed = listed()[0];
  EXPECT_EQ(changed.version, 1);
  report({changed, false}, 0, 1);
  EXPECT_EQ(listed().size(), 1U) << "said of another stream";
  report({changed, false});
  EXPECT_TRUE(listed().empty());
  bench.tick(12);
  dig_one();
  ASSERT_EQ(listed().size(), 1U);
  EXPECT_EQ(listed()[0].version, 2);
}

TEST_F(Versions, ThatAClientLacksAreSentOnce) {
  join(1);
  dig_one();
  bench.join(1);
  bench.tick(20);
  ASSERT_EQ(listed(1).size(), 1U);
  const ChunkVersion newest = listed(1)[0];
  EXPECT_TRUE(bench.sent<VoxelEvent>(session_of(1)).empty()) << "it came later";
  for (int i = 0; i < 5; ++i) {
    report({{newest.patch, newest.chunk, 0}, true}, 1);
    bench.tick(2);
  }
  const auto sent = bench.sent<ChunkEvent>(session_of(1));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].what, newest);
  EXPECT_EQ(sent[0].bits, patch().chunk(newest.chunk));
  EXPECT_EQ(bench.count(metric.chunks_sent), 1U);
}

TEST_F(Versions, OfWhatIsNotThereOrNotNearAreRefusedAndCounted) {
  join(1);
  dig_one();
  listed();
  report({{ground() + 1, 0, 0}, true});
  report({{ground(), 0xffff, 0}, true});
  report({{bench.find(test::deck_row), 0, 0}, true});
  EXPECT_EQ(bench.count(metric.chunk_reports_refused), 3U);
  Bench far({.spawn = {-60, 0.91, 60}, .ground = true}, one_worker_map(), without_claims());
  far.join(0);
  far.tick(20);
  ChunkFrame frame{far.blocks.back().header.stream_epoch, {}};
  frame.reports.push_back({{far.find(test::ground_row), 0, 0}, true});
  std::array<std::byte, 128> space;
  const auto bytes = write_chunks(frame, space);
  far.gateway_says(
      InputRecord{session_of(0), far.now_fine(), stream_of_worker(WorkerSlot{0}), bytes});
  EXPECT_EQ(far.count(metric.chunk_reports_refused), 1U);
  EXPECT_EQ(far.count(metric.chunks_sent), 0U);
}

TEST_F(Versions, AreNotSentFasterThanTheirRate) {
  join(1);
  listed();
  world::VoxelPatch& cells = const_cast<world::VoxelPatch&>(patch());
  const std::uint16_t chunks = cells.plan().chunks();
  const auto change_all = [&] {
    for (std::uint16_t chunk = 0; chunk < chunks; ++chunk) {
      cells.replace(chunk, static_cast<std::uint16_t>(cells.version(chunk) + 1), {});
    }
  };
  int asked = 0;
  for (int second = 0; second < 4; ++second) {
    for (int tick = 0; tick < 60; ++tick) {
      change_all();
      for (std::uint16_t chunk = 0; chunk < chunks; ++chunk, ++asked) {
        report({{ground(), chunk, 0}, true});
      }
      bench.tick();
    }
  }
  EXPECT_LE(bench.count(metric.chunks_sent), 4 * 30U + 16U);
  EXPECT_GE(bench.count(metric.chunks_sent), 60U);
  EXPECT_GE(bench.count(metric.chunks_deferred), static_cast<std::uint64_t>(asked) / 2);
}

// --- the property: link faults inside the window do not change the ground

constexpr int dig_ticks = 400;

/// Players stay near their spots, or in their holes, and in each other's way.
std::vector<PlayerInput> digs(std::uint64_t seed) {
  Random random(seed);
  std::vector<PlayerInput> inputs;
  PlayerInput input;
  for (int i = 0; i < dig_ticks; ++i) {
    input.tick = Bench::start + i;
    input.samples.clear();
    if (i % 24 == 0) {
      input.yaw = static_cast<std::uint16_t>(random.next());
      input.pitch = static_cast<std::int16_t>(-16000 + static_cast<int>(random.below(15000)));
      const std::uint32_t tool = random.below(4);
      input.held = tool == 0 ? 0 : tool == 1 ? button_fill : button_dig;
      input.forward = static_cast<std::int8_t>(random.below(3) == 0 ? 60 : 0);
    }
    if (random.below(30) == 0) input.samples.push_back({.pressed = button_dig});
    if (random.below(60) == 0) input.samples.push_back({.pressed = button_jump});
    inputs.push_back(input);
  }
  return inputs;
}

struct Quarry : Crowd {
  explicit Quarry(std::uint64_t seed)
      : Crowd({.spawn = on_ground, .spacing = {0.9, 0, 0.3}, .ground = true}, 5, seed, digs) {}
  std::uint64_t ground() const {
    return bench.core->world().voxels(bench.find(test::ground_row))->hash();
  }
};

TEST(AQuarry, LooksTheSameWhateverTheLinksDoInsideTheWindow) {
  std::size_t edits = 0;
  std::uint64_t withdrawn = 0;
  const std::uint64_t seeds = seeds_of(12, 3);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    Quarry expected(seed);
    Quarry got(seed);
    expected.play_in_time();
    got.play_through_weather(seed);
    ASSERT_EQ(got.bench.count(metric.inputs_too_late), 0U);
    EXPECT_EQ(got.ground(), expected.ground());
    EXPECT_EQ(got.journal(), expected.journal());
    for (std::uint32_t n = 0; n < got.people(); ++n) {
      SCOPED_TRACE(n);
      EXPECT_EQ(got.bench.player(n).game, expected.bench.player(n).game);
      EXPECT_EQ(got.bench.player(n).state, expected.bench.player(n).state);
    }
    edits += got.journal().size();
    withdrawn += got.bench.count(metric.edits_withdrawn);
  }
  EXPECT_GT(edits, 25 * seeds);
  EXPECT_GT(withdrawn, 5 * seeds / 2) << "the weather did not matter";
}

}  // namespace
}  // namespace perigee::worker
