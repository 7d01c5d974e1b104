// States of entities that are not actors, in checkpoints.
#include <gmock/gmock.h>

#include "durability.hpp"
#include "posts.hpp"

namespace perigee::worker {
namespace {

struct Wider {
  std::uint64_t taken_by = 0;
  static void fields(auto&& field, auto& wider) { field(wider.taken_by, world::SeenBy::Everybody); }
};

struct KeptState : Durability {};

// With a newer version than workers and clients may have from the time after it.
TEST_F(KeptState, IsRestoredFromACheckpoint) {
  constexpr std::uint32_t lost = world::ThingState::lost_changes_max;
  OnePost one({.barge = true});
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 30) {
      context.journal().set_state(one.post, post_state({.taken_by = 8, .takes = 2, .secret = 1}));
    }
  };
  Bench bench(one.options, one_worker_map(), without_claims());
  store(bench);
  tick_to(bench, at_checkpoint + 20);
  ASSERT_EQ(parts.size(), 1U);
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), Tick{90'000});
  EXPECT_EQ(after.core->world().state(one.post)->value, bench.core->world().state(one.post)->value);
  EXPECT_EQ(after.core->world().state(one.post)->version, 1 + lost);
  const Handle barge = bench.find(test::barge_row);
  EXPECT_EQ(after.core->world().state(barge)->version, lost) << "unchanged in the checkpoint";
}

TEST_F(KeptState, OfOtherFieldsIsRefusedWithARemedy) {
  const OnePost one;
  Bench bench(one.options, one_worker_map(), without_claims());
  store(bench);
  tick_to(bench, at_checkpoint + 20);
  const world::GameStateCodec wider = world::codec_of<Wider>();
  test::Yard other(one.options);
  other.change_state_of(test::pillar_row, &wider);
  const auto joined = join_parts(at_checkpoint, Parts{parts[0].bytes}, other);
  ASSERT_FALSE(joined.ok());
  EXPECT_THAT(joined.error().message, testing::HasSubstr("'pillar' have other fields"));
  other.change_state_of(test::pillar_row, nullptr);
  EXPECT_FALSE(join_parts(at_checkpoint, Parts{parts[0].bytes}, other).ok());
}

// The outcome of the last ticks before the checkpoint is in the journal alone.
TEST_F(KeptState, GetsTheJournalsLaterEntries) {
  OnePost one;
  one.mischief.step = [&](world::ActorContext& context) {
    const bool last = context.tick() == at_checkpoint - 5;
    if (last || context.tick() == at_checkpoint - 60) {
      context.propose({.kind = tally_wish, .target = one.post}, 0);
    }
  };
  one.mischief.on_commit = [](world::Journal& journal, const world::Outcome& outcome) {
    if (outcome.wish.kind != tally_wish) return;
    auto post = journal.state(outcome.wish.target);
    ASSERT_TRUE(post);
    const auto takes = static_cast<std::uint16_t>(post->as<test::Post>().takes + 1);
    post->as<test::Post>().takes = takes;
    journal.set_state(outcome.wish.target, *post);
    journal.write({.tick = outcome.tick,
                   .kind = tally_wish,
                   .actor = outcome.actor,
                   .target = outcome.wish.target,
                   .amount = takes});
  };
  std::vector<std::optional<std::uint16_t>> recalled;
  one.mischief.recall = [&](world::Recall& recall, const world::JournalEntry& entry) {
    auto post = recall.thing_state(entry.target);
    recalled.push_back(post ? std::optional(post->as<test::Post>().takes) : std::nullopt);
    if (!post) return;
    post->as<test::Post>().takes = static_cast<std::uint16_t>(entry.amount);
    EXPECT_TRUE(recall.set_thing_state(entry.target, *post));
    EXPECT_FALSE(recall.set_thing_state(entry.actor, *post));
  };
  Bench bench(one.options, one_worker_map(), without_claims());
  store(bench);
  bench.join();
  while (before(bench.core->next_tick(), at_checkpoint + 40)) bench.stand(1);
  ASSERT_EQ(rows.size(), 2U);
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), Tick{90'000});
  EXPECT_THAT(recalled, testing::ElementsAre(std::nullopt, 1));
  EXPECT_EQ(post_of(*after.core, one.post).takes, 2);
}

}  // namespace
}  // namespace perigee::worker
