/// One worker's part of a checkpoint has everything once, and a world restored from it continues as
/// before.
#include <gmock/gmock.h>

#include <string>

#include <algorithm>
#include <cstring>

#include "durability.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

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
    while (before(bench.core->next_tick(), at_checkpoint + 20)) {
      const Tick now = bench.core->next_tick();
      for (std::uint32_t n = 0; n < 3; ++n) {
        PlayerInput input = press(now, random.below(9) == 0 ? button_jump : 0,
                                  static_cast<std::uint16_t>(random.below(65536)));
        input.forward = static_cast<std::int8_t>(random.below(255));
        if (n == 0 && before(now, at_checkpoint - 20) && random.below(200) == 0) opens = true;
        if (n == 0 && now == at_checkpoint - 20) opens = true;  // half-way at the checkpoint
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
    EXPECT_EQ(parts[0].tick, at_checkpoint);
    EXPECT_THAT(parts[0].slots, testing::ElementsAre(WorkerSlot{0}));
  }
};

/// The state equals that of the checkpoint, except for the tick.
void expect_same(const WholeCheckpoint& was, const Core& is) {
  const world::World& world = is.world();
  const Tick now = is.next_tick();
  ASSERT_EQ(was.content.entities.size(), world.in_order().size());
  for (std::size_t i = 0; i < was.content.entities.size(); ++i) {
    const CheckpointEntity& checkpoint = was.content.entities[i];
    const world::Entity* entity = world.find(checkpoint.entity.handle);
    ASSERT_NE(entity, nullptr);
    EXPECT_EQ(entity->id, checkpoint.entity.id);
    EXPECT_EQ(entity->type, checkpoint.entity.type);
    EXPECT_EQ(entity->parent, checkpoint.entity.parent);
    EXPECT_FALSE(entity->remote);
    if (world.type_of(*entity).kind == world::EntityKind::Body) {
    }
    const world::TimelineLog* log = world.timeline(entity->handle);
    if (log == nullptr) continue;
    EXPECT_EQ(log->last_version(), checkpoint.log.last_version());
    const world::Travel& travel = world.type_of(*entity).travel;
    for (const std::int32_t later : {0, 5, 100}) {
      EXPECT_EQ(world::travelled(travel, *log, now + later),
                world::travelled(travel, checkpoint.log, was.tick + later))
          << "a door goes on where it was";
    }
  }
  EXPECT_EQ(world.hinges().size(), was.content.hinges.size());
  EXPECT_EQ(is.summary().players, was.content.players.size());
  for (const CheckpointPlayer& checkpoint : was.content.players) {
    const Player* player = is.player_of(checkpoint.client_id);
    ASSERT_NE(player, nullptr);
    EXPECT_EQ(player->avatar, checkpoint.avatar);
    EXPECT_EQ(player->parent, checkpoint.parent);
    EXPECT_EQ(player->state, checkpoint.state);
    EXPECT_EQ(player->game, checkpoint.game);
    EXPECT_EQ(player->ordinal, checkpoint.ordinal);
  }
}

TEST_F(APart, IsTheSameAfterItWasRestored) {
  play();
  const WholeCheckpoint was = checkpoint(bench.game);
  EXPECT_EQ(was.content.players.size(), 3U);
  EXPECT_EQ(was.content.entities.size(), bench.core->world().in_order().size());
  EXPECT_EQ(was.content.hinges.size(), 1U);
  Successor after(bench.game, to_restore(bench.map), was, Tick{91'234});
  expect_same(was, *after.core);
}

TEST_F(APart, OfAnEarlierWorldGoesOnAndIsWrittenAgain) {
  play();
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), Tick{89'000});
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
    refused += !join_parts(at_checkpoint, Parts{part}, bench.game).ok();
  }
  EXPECT_GT(refused, 100);
  for (std::uint64_t n = 0; n < seeds_of(600, 100); ++n) {
    Bytes part = good;
    part[random.below(static_cast<std::uint32_t>(part.size()))] ^=
        static_cast<std::byte>(1U << random.below(8));
    auto joined = join_parts(at_checkpoint, Parts{part}, bench.game);
    if (!joined.ok()) continue;
    Successor after(bench.game, to_restore(bench.map), joined.value(), Tick{90'000});
    for (int tick = 0; tick < 3; ++tick) after.core->tick();
  }
}

TEST_F(APart, OfANewerFormatIsRefusedWithARemedy) {
  play();
  Bytes part = parts[0].bytes;
  part[4] = std::byte{9};
  const auto joined = join_parts(at_checkpoint, Parts{part}, bench.game);
  ASSERT_FALSE(joined.ok());
  EXPECT_THAT(joined.error().message, testing::HasSubstr("start the version"));
}

/// A part of format 3, as it was written for a yard with 7 stones and one player of the client 100
/// with this player id.
constexpr std::uint64_t former_player_id = 0x1122334455667788;
constexpr std::string_view former_part =
    "504355540300201c0000fa3a44e0357eacd90600046465636b04646f6f720670696c6c617205626172676506"
    "706572736f6e0667726f756e640010010000030000000000000000000000e803000000000000000000000000"
    "00000000000000000100000000000000e90300000100e8030000010000000000000000000040000000000000"
    "00000000770100000000ea0300000400e8030000020000001f85eb51b81eed3f000000000000000000000000"
    "0000000001000000640000000000000000000000000000000000770100000000ea030000e803000000000000"
    "0000000000000000001f85eb51b81eed3f000000000000000000000000000000001f85eb51b81eed3f000000"
    "0000000000000000000000000000000000e8030000010600ff03000000000000030007000000000000000000"
    "000000000000000000000000101c0000887766554433221100000200000000";
Bytes former_bytes() {
  Bytes out;
  for (std::size_t i = 0; i < former_part.size(); i += 2) {
    out.push_back(
        static_cast<std::byte>(std::stoi(std::string(former_part.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

/// As format 2 had it: without the account, with which the block of the only player ends.
Bytes in_format_2(Bytes part) {
  constexpr std::uint32_t account_bytes = 8 + 1 + 1;
  const auto id = std::as_bytes(std::span(&former_player_id, 1));
  const auto account = std::search(part.begin(), part.end(), id.begin(), id.end());
  const auto end = static_cast<std::size_t>(account - part.begin()) + account_bytes;
  const auto last_type = std::as_bytes(std::span(std::string_view("ground")));
  const auto head = std::search(part.begin(), part.end(), last_type.begin(), last_type.end());
  std::uint32_t size = 0;
  std::size_t size_at = 0;
  for (auto at = static_cast<std::size_t>(head - part.begin()) + last_type.size() + 1;
       size_at == 0 && at + sizeof size < end; ++at) {
    std::memcpy(&size, part.data() + at, sizeof size);
    if (at + sizeof size + size == end) size_at = at;
  }
  EXPECT_NE(size_at, 0U) << "no block ends with the account";
  size -= account_bytes;
  std::memcpy(part.data() + size_at, &size, sizeof size);
  part.erase(account, account + account_bytes);
  part[4] = std::byte{2};
  return part;
}

TEST_F(APart, OfAFormerFormatIsRead) {
  const test::Yard yard({.stones = 7});
  for (const bool accounts : {true, false}) {
    const Bytes part = accounts ? former_bytes() : in_format_2(former_bytes());
    const auto joined = join_parts(at_checkpoint, Parts{part}, yard);
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    EXPECT_EQ(joined->content.entities.size(), 3U);
    ASSERT_EQ(joined->content.players.size(), 1U);
    const CheckpointPlayer& player = joined->content.players[0];
    EXPECT_EQ(player.client_id, 100U);
    EXPECT_EQ(player.account.player_id, accounts ? former_player_id : 0);
    EXPECT_EQ(player.game, yard.state_codec().initial);
    EXPECT_NEAR(player.state.position.y, 0.91, 0.1);
    Successor after(yard, to_restore(one_worker_map()), joined.value(), Tick{90'000});
    const Handle door = test::Yard::handle_of(after.core->world(), test::door_row);
    EXPECT_EQ(after.core->world().state(door)->version, world::ThingState::lost_changes_max)
        << "its state is new";
  }
}

TEST_F(APart, KeepsAccounts) {
  store(bench);
  bench.gateway_says(JoinRecord{session_of(0), 100, RegionId{0}, 0, {.player_id = 77}});
  tick_to(bench, at_checkpoint + 20);
  ASSERT_EQ(parts.size(), 1U);
  const WholeCheckpoint was = checkpoint(bench.game);
  ASSERT_EQ(was.content.players.size(), 1U);
  EXPECT_EQ(was.content.players[0].account.player_id, 77U);
}

TEST_F(APart, GivesItsAvatarToAClientThatComesBack) {
  play();
  const Handle avatar = bench.player(1).avatar;
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), Tick{90'000});
  after.receive(gateway_address, FabricSender::Gateway, 0,
                JoinRecord{Bench::later_session_of(1), 101, RegionId{0}});
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
  bench.map.regions.push_back(
      {RegionId{1}, Epoch{1}, {1000, -2000, -8000}, {8000, 2000, 8000}, {}});
  bench.core->on_map(bench.map, {});
  tick_to(bench, at_checkpoint + 20);
  EXPECT_TRUE(parts.empty());
}

TEST_F(APart, IsNotMadeWhileSomebodyMayNotKnowOfAWorker) {
  store(bench);
  tick_to(bench, at_checkpoint - 200);
  bench.map.version += 1;
  bench.map.workers.push_back(
      {WorkerSlot{1}, neighbour_address, HandleBase{200'000}, 100'000, true});
  bench.core->on_map(bench.map, {});
  tick_to(bench, at_checkpoint + 920);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].tick, at_checkpoint + 900);
  EXPECT_THAT(parts[0].slots, testing::ElementsAre(WorkerSlot{0}, WorkerSlot{1}));
}

TEST_F(Durability, OfGroundKeepsWhatIsSettledAndGivesBackTheRest) {
  Bench bench({.spawn = {30.5, test::ground_depth + 0.91, -50.5}, .ground = true}, one_worker_map(),
              without_claims());
  store(bench);
  bench.join(0);
  constexpr std::int16_t down = -16384;
  tick_to(bench, at_checkpoint - 60);
  bench.send(press(bench.core->next_tick(), button_dig, to_plus_x, down), 0);
  tick_to(bench, at_checkpoint - 3);  // the next blow waits for its commit at the checkpoint
  bench.send(press(bench.core->next_tick(), button_dig, to_plus_x, down), 0);
  tick_to(bench, at_checkpoint + 10);
  const Handle ground = bench.find(test::ground_row);
  ASSERT_EQ(rows.size(), 1U);
  tick_to(bench, at_checkpoint + 40);
  ASSERT_EQ(rows.size(), 2U);
  const auto solid = [&](Core& core, std::size_t row) {
    const world::VoxelPatch& patch = *std::as_const(core.world()).voxels(ground);
    return patch.solid(patch.plan().cell_of(static_cast<std::uint32_t>(rows[row].entry.amount)),
                       core.next_tick());
  };
  const auto stones = [](Core& core) {
    return core.player_of(100)->game.as<test::Marksman>().stones;
  };
  WholeCheckpoint whole = checkpoint(bench.game);
  Successor all(bench.game, to_restore(bench.map), whole, Tick{90'000});
  EXPECT_FALSE(solid(*all.core, 0) || solid(*all.core, 1));
  EXPECT_EQ(stones(*all.core), 2);
  whole.journal.clear();  // the second outcome was not sent to any player
  Successor less(bench.game, to_restore(bench.map), whole, Tick{90'000});
  EXPECT_FALSE(solid(*less.core, 0));
  EXPECT_TRUE(solid(*less.core, 1));
  EXPECT_EQ(stones(*less.core), 1);
}

}  // namespace
}  // namespace perigee::worker
