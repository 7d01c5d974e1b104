// People give each other stones across borders, all the time, while workers die: the sum of all
// purses stays what it was.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <optional>
#include <tuple>

#include "flight.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/worker/cut.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t people = 24;
constexpr std::size_t workers = 3;
constexpr std::uint16_t stones_each = 100;
constexpr std::uint8_t trade = 1;  ///< kind of wish, letter and what is heard: a stone
constexpr std::uint8_t spent = 2;
constexpr std::uint8_t pick = 3;  ///< kind of wish and letter: a crate, for a stone

struct Purse {
  std::uint16_t stones = stones_each;
  static void fields(auto&& field, auto& purse) { field(purse.stones, world::SeenBy::Owner); }
};

/// Skiff's world without its weapons: everybody gives a stone to somebody, again and again.
class Market final : public world::GameModule {
 public:
  std::vector<Handle> everybody, crates;
  bool journals = false;  ///< each gift that is read is an outcome

  std::string_view name() const override { return "market"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return skiff_->types(); }
  const world::ParentingParams& parenting() const override { return skiff_->parenting(); }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    skiff_->populate(world, region, spawner);
  }
  void drive(world::World& world, Tick tick) const override { skiff_->drive(world, tick); }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    return skiff_->spawn_state(world, region, ordinal);
  }
  world::UseOutcome accept_use(const world::World& world,
                               const world::UseAttempt& attempt) const override {
    return skiff_->accept_use(world, attempt);
  }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  void step(world::ActorContext& context, world::GameState&) const override {
    Random random = context.random();
    if (everybody.empty() || random.below(2) != 0) return;
    if (!crates.empty() && random.below(50) == 0) {
      const Handle one = crates[random.below(static_cast<std::uint32_t>(crates.size()))];
      context.propose({.kind = pick, .target = one}, 0);
      return;
    }
    const Handle to = everybody[random.below(static_cast<std::uint32_t>(everybody.size()))];
    context.propose({.kind = trade, .target = to}, 0);
  }
  void hear(const world::GameEvent& event, world::GameState& state) const override {
    auto& purse = state.as<Purse>();
    if (event.kind == trade) ++purse.stones;
    if (event.kind == spent) --purse.stones;
  }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement&) const override {
    if (outcome.wish.kind == pick) {
      journal.send({.tick = outcome.tick,
                    .index = outcome.wish.index,
                    .kind = pick,
                    .from = outcome.actor,
                    .to = outcome.wish.target});
      return {};
    }
    const auto giver = journal.state(outcome.actor);
    const bool pays = giver && giver->as<Purse>().stones > 0 &&
                      journal.tell(outcome.actor, {.kind = spent, .tick = outcome.tick});
    if (!pays) return {.reason = CancelReason::NotAllowed};
    const bool sent = journal.send({.tick = outcome.tick,
                                    .index = outcome.wish.index,
                                    .kind = trade,
                                    .from = outcome.actor,
                                    .to = outcome.wish.target});
    if (!sent) journal.tell(outcome.actor, {.kind = trade, .tick = outcome.tick});
    return {};
  }
  void receive(world::Journal& journal, const world::Letter& letter, bool returned) const override {
    const Handle whose = returned ? letter.from : letter.to;
    if (letter.kind == trade) journal.tell(whose, {.kind = trade, .tick = letter.tick});
    if (letter.kind == trade && journals && !returned) {
      journal.write({.tick = letter.tick,
                     .index = letter.index,
                     .kind = trade,
                     .actor = letter.from,
                     .target = letter.to});
    }
    if (letter.kind != pick || returned || !journal.take(letter.to, skiff::crate_row)) return;
    journal.send({.tick = letter.tick,
                  .index = letter.index,
                  .kind = trade,
                  .from = letter.from,
                  .to = letter.from});
  }

 private:
  std::unique_ptr<world::GameModule> skiff_ = std::make_unique<skiff::Skiff>();
  world::GameStateCodec codec_ = world::codec_of<Purse>();
};

struct Bazaar {
  Market game;
  std::unique_ptr<VirtualCluster> cluster;
  /// By cores that are no more, too.
  std::uint64_t read = 0, lost = 0, taken = 0, journalled = 0, fenced = 0;
  std::map<const worker::Core*, std::array<std::uint64_t, 5>> counted;

  explicit Bazaar(std::uint64_t seed, std::optional<Micros> world_store_us = std::nullopt) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = people;
    options.workers = workers;
    options.seed = seed;
    options.buddies = true;
    options.world_store_us = world_store_us;
    options.balances = true;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 50);
        });
    cluster->run_for(12'000'000);
    open();
    cluster->before_tick = [this](worker::Core& core) { note(core); };
  }
  void open() {
    for (const VirtualPlayer& player : cluster->players()) {
      if (const worker::Player* known = find(player)) game.everybody.push_back(known->avatar);
    }
  }
  /// That nobody has picked up.
  std::vector<Handle> crates() const {
    std::vector<Handle> out;
    for (std::size_t w = 0; w < workers; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.type == skiff::crate_row && !entity.remote) out.push_back(handle);
      }
    }
    return out;
  }
  /// Each outcome that the store has, and under how many names.
  std::map<std::tuple<Handle, std::uint32_t, std::uint8_t>, int> names_in_the_journal() const {
    std::map<std::tuple<Handle, std::uint32_t, std::uint8_t>, int> out;
    world_store::JournalQuery query{.after = Tick{0}};
    while (true) {
      const auto page = cluster->store().read_journal(query);
      EXPECT_TRUE(page.ok());
      for (const world_store::JournalRow& row : *page) {
        const auto entry = worker::entry_of(row.payload);
        EXPECT_TRUE(entry);
        if (entry) ++out[{entry->actor, entry->tick.count, entry->index}];
      }
      if (page->size() < query.rows_max) return out;
      query.beyond = page->back().id;
    }
  }
  void close() {
    game.everybody.clear();
    cluster->run_for(2'000'000);
  }
  void note(const worker::Core& core) {
    auto& before = counted[&core];
    const std::array now{
        core.counts()[worker::Count::LettersRead], core.counts()[worker::Count::LettersLost],
        core.counts()[worker::Count::GroupsIn], core.counts()[worker::Count::JournalEntries],
        core.counts()[worker::Count::OutcomesFenced]};
    if (now[0] < before[0]) before = {};  // another core at that place
    read += now[0] - before[0];
    lost += now[1] - before[1];
    taken += now[2] - before[2];
    journalled += now[3] - before[3];
    fenced += now[4] - before[4];
    before = now;
  }
  const worker::Player* find(const VirtualPlayer& player) const {
    const worker::Player* out = nullptr;
    for (std::size_t w = 0; w < workers; ++w) {
      const worker::Player* known =
          cluster->runs(w) ? cluster->worker(w).player_of(player.client_id) : nullptr;
      if (known == nullptr) continue;
      EXPECT_EQ(out, nullptr) << "somebody is there twice";
      out = known;
    }
    EXPECT_NE(out, nullptr) << "somebody is missing";
    return out;
  }
  std::uint64_t stones() const {
    std::uint64_t sum = 0;
    for (const VirtualPlayer& player : cluster->players()) {
      const worker::Player* known = find(player);
      if (known != nullptr) sum += known->game.as<Purse>().stones;
    }
    return sum;
  }
};

// Done over again with each worker that dies: R5 for what is another worker's.
TEST(ABazaar, HasAsManyStonesAsBeforeWhoeverDies) {
  const bool long_test = long_run();
  Bazaar bazaar(1);
  Random random(1);
  const int deaths = long_test ? 200 : 4;
  for (int i = 0; i < deaths; ++i) {
    bazaar.cluster->run_for(3'000'000 + random.below(4'000'000));
    bazaar.cluster->pause_worker(random.below(workers), 2'050'000);
    bazaar.cluster->run_for(8'000'000);
    bazaar.close();
    ASSERT_EQ(bazaar.stones(), people * stones_each) << "after " << i + 1 << " deaths";
    bazaar.open();
    if (long_test && i % 20 == 0) {
      std::printf("%d deaths, %llu letters read\n", i,
                  static_cast<unsigned long long>(bazaar.read));
      std::fflush(stdout);
    }
  }
  bazaar.close();
  EXPECT_EQ(bazaar.lost, 0U);
  for (std::size_t w = 0; w < workers; ++w) {
    EXPECT_TRUE(bazaar.cluster->worker(w).letters_settled()) << w;
  }
  EXPECT_GE(bazaar.read, long_test ? 1'000'000U : 10'000U);
  std::printf("%d deaths, %llu letters read across borders, %llu groups handed over\n", deaths,
              static_cast<unsigned long long>(bazaar.read),
              static_cast<unsigned long long>(bazaar.taken));
}

// Each crate is somebody's in the end, and one person's.
TEST(ABazaar, HasEachCrateOnceWhoeverDies) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    Bazaar bazaar(seed);
    bazaar.game.crates = bazaar.crates();
    const std::size_t crates = bazaar.game.crates.size();
    ASSERT_GE(crates, 20U);
    Random random(seed);
    std::size_t left = crates;
    for (int i = 0; i < 3; ++i) {
      bazaar.cluster->run_for(500'000 + random.below(1'000'000));
      bazaar.cluster->pause_worker(random.below(workers), 2'050'000);
      bazaar.cluster->run_for(8'000'000);
      bazaar.close();
      left = bazaar.crates().size();
      EXPECT_EQ(bazaar.stones() + left, people * stones_each + crates) << "death " << i + 1;
      bazaar.open();
    }
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(bazaar.lost, 0U);
  }
}

// Many are given something in one tick by people of all workers, and hear of it in several ticks,
// at several workers: all of that has names of its own.
TEST(ABazaar, HasEachGiftInTheJournalWhoeverDies) {
  Bazaar bazaar(1, 20'000);
  bazaar.game.journals = true;
  Random random(1);
  for (int i = 0; i < 3; ++i) {
    bazaar.cluster->run_for(5'000'000);
    bazaar.cluster->pause_worker(random.below(workers), 2'050'000);
    bazaar.cluster->run_for(8'000'000);
  }
  bazaar.close();
  EXPECT_EQ(bazaar.fenced, 0U);
  const auto names = bazaar.names_in_the_journal();
  EXPECT_GT(names.size(), 5'000U);
  EXPECT_LE(names.size(), bazaar.journalled);
  for (const auto& [outcome, count] : names) EXPECT_EQ(count, 1) << "written twice by heirs";
  std::printf("%llu outcomes, %zu in the journal\n",
              static_cast<unsigned long long>(bazaar.journalled), names.size());
  for (std::size_t w = 0; w < workers; ++w) {
    EXPECT_EQ(bazaar.cluster->worker(w).outcomes_waiting(), 0U) << w;
  }
}

// Of one tick everywhere, with what was under way between workers.
TEST(ABazaar, BeginsAgainWithAsManyStonesWhenEverythingDies) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    Bazaar bazaar(seed, 20'000);
    bazaar.cluster->run_for(20'000'000 + static_cast<Micros>(mix64(seed) % 10'000'000));
    EXPECT_GT(bazaar.read, 5'000U);
    bazaar.cluster->restart_everything(1'000'000);
    bazaar.cluster->run_for(4'000'000);
    bazaar.close();
    EXPECT_EQ(bazaar.stones(), people * stones_each);
  }
}

}  // namespace
}  // namespace perigee::lab
