// Players give each other stones across borders, and pick up crates for a stone each, all the time,
// while workers die: the sum of all purses and crates stays the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "flight.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/world_store/store.hpp"
#include "under_way.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t traders = 24;
constexpr std::size_t market_workers = 3;
constexpr std::uint16_t stones_each = 100;
constexpr std::uint8_t trade = 1;  ///< kind of wish, message and event: a stone
constexpr std::uint8_t spent = 2;
constexpr std::uint8_t pick = 3;  ///< kind of wish and message: a crate, for a stone

struct Purse {
  std::uint16_t stones = stones_each;
  static void fields(auto&& field, auto& purse) { field(purse.stones, world::SeenBy::Owner); }
};

/// Skiff's world without its weapons: players keep giving stones to random players.
class Market final : public world::GameModule {
 public:
  /// Crates that a world gets in its next tick.
  struct Delivery {
    std::uint32_t number = 0;  ///< unique
    std::uint32_t crates = 0;
    Vec3 at;
  };
  std::vector<Handle> everybody, crates;
  std::uint32_t wishes_of_100 = 50;  ///< percentage of ticks with a wish
  /// percentage of wishes that pick a crate, while there are crates
  std::uint32_t picks_of_100 = 2;
  /// From `opened` on, each tick offers this many crates of its own, so that few players want a
  /// crate that is taken; 0: each tick offers all crates.
  std::size_t shelf = 0;
  Tick opened;
  mutable std::map<const world::World*, Delivery> deliveries;
  /// By players of the receiver's worker, and of other workers; some counted again by successors of
  /// dead workers.
  mutable std::array<std::uint64_t, 2> picked{}, given{};
  bool journals = false;  ///< each gift that is received is written as an outcome

  std::string_view name() const override { return "market"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return skiff_->types(); }
  const world::ParentingParams& parenting() const override { return skiff_->parenting(); }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    skiff_->populate(world, region, spawner);
  }
  void drive(world::World& world, Tick tick) const override {
    skiff_->drive(world, tick);
    const auto order = deliveries.extract(&world);
    if (order) deliver(world, order.mapped());
  }
  /// Each region has players: those of one without a station float.
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
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
    if (everybody.empty() || random.below(100) >= wishes_of_100) return;
    if (!crates.empty() && random.below(100) < picks_of_100) {
      const auto all = shelf == 0 ? std::span(crates) : of_tick(context.tick());
      if (all.empty()) return;
      const Handle one = all[random.below(static_cast<std::uint32_t>(all.size()))];
      context.propose({.kind = pick, .target = one}, 0);
      return;
    }
    const Handle to = everybody[random.below(static_cast<std::uint32_t>(everybody.size()))];
    context.propose({.kind = trade, .target = to}, 0);
  }
  void apply_event(const world::GameEvent& event, world::GameState& state) const override {
    auto& purse = state.as<Purse>();
    if (event.kind == trade) ++purse.stones;
    if (event.kind == spent) --purse.stones;
  }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override {
    if (judged.reason != CancelReason::None) return judged;
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
                      journal.notify(outcome.actor, {.kind = spent, .tick = outcome.tick});
    if (!pays) return {.reason = CancelReason::NotAllowed};
    const bool sent = journal.send({.tick = outcome.tick,
                                    .index = outcome.wish.index,
                                    .kind = trade,
                                    .from = outcome.actor,
                                    .to = outcome.wish.target});
    if (!sent) journal.notify(outcome.actor, {.kind = trade, .tick = outcome.tick});
    return {};
  }
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override {
    const Handle whose = returned ? message.from : message.to;
    if (message.kind == trade && !returned && message.from != message.to) {
      ++given[journal.state(message.from) ? 0 : 1];
    }
    if (message.kind == trade) journal.notify(whose, {.kind = trade, .tick = message.tick});
    if (message.kind == trade && journals && !returned) {
      journal.write({.tick = message.tick,
                     .index = message.index,
                     .kind = trade,
                     .actor = message.from,
                     .target = message.to});
    }
    if (message.kind != pick || returned || !journal.take(message.to, skiff::crate_row)) return;
    ++picked[journal.state(message.from) ? 0 : 1];
    journal.send({.tick = message.tick,
                  .index = message.index,
                  .kind = trade,
                  .from = message.from,
                  .to = message.from});
  }

 private:
  std::span<const Handle> of_tick(Tick tick) const {
    const auto first = static_cast<std::size_t>(std::max(ticks_between(opened, tick), 0)) * shelf;
    if (first + shelf > crates.size()) return {};
    return std::span(crates).subspan(first, shelf);
  }
  static void deliver(world::World& world, const Delivery& order) {
    constexpr std::uint32_t first_spawner = 500'000, per_row = 64;
    constexpr double apart_m = 3;
    for (std::uint32_t i = 0; i < order.crates; ++i) {
      const Vec3 beside{apart_m * (i % per_row), 0, apart_m * (i / per_row)};
      world.spawn({.id = world::make_entity_id(first_spawner + order.number, Tick{1}, i),
                   .type = skiff::crate_row,
                   .local = {order.at + beside, {}},
                   .rests = true});
    }
  }

  std::unique_ptr<world::GameModule> skiff_ = std::make_unique<skiff::Skiff>();
  world::GameStateCodec codec_ = world::codec_of<Purse>();
};

struct Bazaar {
  Market game;
  std::unique_ptr<VirtualCluster> cluster;
  /// Sums, including cores that no longer exist.
  std::uint64_t read = 0, lost = 0, taken = 0, journalled = 0, fenced = 0;
  std::uint32_t deliveries = 0;
  std::map<const worker::Core*, std::array<std::uint64_t, 5>> counted;

  explicit Bazaar(std::uint64_t seed, std::optional<Micros> world_store_us = std::nullopt) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = traders;
    options.workers = market_workers;
    options.seed = seed;
    options.standbys = true;
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
    for (std::size_t w = 0; w < market_workers; ++w) {
      if (cluster->runs(w)) game.opened = cluster->worker(w).next_tick();
    }
  }
  /// Crates that are not picked up yet.
  std::vector<Handle> crates() const {
    std::set<Handle> out;
    for (std::size_t w = 0; w < market_workers; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.type == skiff::crate_row && !entity.remote) out.insert(handle);
      }
    }
    return {out.begin(), out.end()};
  }
  /// Waits until all groups in flight have arrived, then fills up to this many crates, at the
  /// places of all workers; no player trades meanwhile.
  void restock(std::uint32_t crates_max) {
    const std::size_t left = crates().size();
    const auto& regions = cluster->directory().map().regions;
    for (const RegionEntry& region : regions) {
      const bool stands = region.owner && cluster->lives_by_the_map(region.owner->index()) &&
                          cluster->worker(region.owner->index()).ready();
      if (!stands || left >= crates_max) continue;
      const auto share = (crates_max - static_cast<std::uint32_t>(left)) /
                         static_cast<std::uint32_t>(regions.size());
      constexpr Vec3 above_all{0, 900, 0};
      const Vec3 at = world::Bounds{region.low, region.high}.center() + above_all;
      game.deliveries[&cluster->worker(region.owner->index()).world()] = {deliveries++, share, at};
    }
    cluster->run_for(1'000'000);
    EXPECT_TRUE(game.deliveries.empty());
    game.deliveries.clear();
    let_arrive();
    game.crates = crates();
  }
  /// By outcome in the store: the number of journal keys under which it is written.
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
    let_arrive();
  }
  /// Waits until no group is in flight: neither worker owns such a group, and a successor may know
  /// it as bytes only.
  void let_arrive() {
    for (int i = 0; i < 1'200 && groups_under_way(*cluster) > 0; ++i) cluster->run_for(16'667);
    EXPECT_EQ(groups_under_way(*cluster), 0U);
  }
  void note(const worker::Core& core) {
    auto& before = counted[&core];
    const std::array now{
        core.counts()[worker::metric.messages_read], core.counts()[worker::metric.messages_lost],
        core.counts()[worker::metric.groups_in], core.counts()[worker::metric.journal_entries],
        core.counts()[worker::metric.outcomes_fenced]};
    if (now[0] < before[0]) before = {};  // another core in the same memory
    read += now[0] - before[0];
    lost += now[1] - before[1];
    taken += now[2] - before[2];
    journalled += now[3] - before[3];
    fenced += now[4] - before[4];
    before = now;
  }
  const worker::Player* find(const VirtualPlayer& player) const {
    const worker::Player* out = nullptr;
    for (std::size_t w = 0; w < market_workers; ++w) {
      const worker::Player* known =
          cluster->runs(w) ? cluster->worker(w).player_of(player.client_id) : nullptr;
      if (known == nullptr) continue;
      EXPECT_EQ(out, nullptr) << "somebody is there twice";
      out = known;
    }
    EXPECT_NE(out, nullptr) << "somebody is missing";
    return out;
  }
  void print(unsigned deaths, std::uint64_t picked) const {
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::printf(
        "%u deaths: %llu crates picked up; with what successors repeated, %llu across borders and "
        "%llu "
        "not; gifts: %llu and %llu; %llu messages read, %llu groups migrated\n",
        deaths, number(picked), number(game.picked[1]), number(game.picked[0]),
        number(game.given[1]), number(game.given[0]), number(read), number(taken));
    std::fflush(stdout);
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

/// Trades across borders, in all bazaars.
struct Traded {
  std::uint64_t picked = 0, given = 0;
};

// Repeated with each worker that dies: R5 for messages to other workers.
void hold_bazaar(std::uint64_t seed, unsigned deaths, Traded& all) {
  SCOPED_TRACE(seed);
  Bazaar bazaar(seed);
  bazaar.game.picks_of_100 = 66;
  bazaar.game.wishes_of_100 = long_run() ? 50 : 25;
  bazaar.game.shelf = long_run() ? 8 : 4;
  Random random(seed);
  std::uint64_t picked = 0;
  bazaar.close();
  for (unsigned i = 0; i < deaths; ++i) {
    bazaar.restock(long_run() ? 6'000 : 3'000);
    const std::uint64_t stones = bazaar.stones();
    const std::size_t crates = bazaar.game.crates.size();
    bazaar.open();
    bazaar.cluster->run_for(3'000'000 + random.below(4'000'000));
    bazaar.cluster->pause_worker(random.below(market_workers), 2'050'000);
    bazaar.cluster->run_for(11'500'000);
    bazaar.close();
    const std::size_t left = bazaar.crates().size();
    ASSERT_EQ(bazaar.stones() + left, stones + crates) << "after " << i + 1 << " deaths";
    picked += crates - left;
  }
  EXPECT_EQ(bazaar.stones(), traders * stones_each + picked);
  EXPECT_EQ(bazaar.lost, 0U);
  bazaar.cluster->run_for(25'000'000);  // messages to crates that are taken are returned
  for (std::size_t w = 0; w < market_workers; ++w) {
    EXPECT_TRUE(bazaar.cluster->worker(w).messages_settled()) << w;
  }
  EXPECT_LE(picked, bazaar.game.picked[0] + bazaar.game.picked[1]);
  all.picked += bazaar.game.picked[1];
  all.given += bazaar.game.given[1];
  bazaar.print(deaths, picked);
}

TEST(ABazaar, HasAsManyStonesAsBeforeWhoeverDies) {
  // New bazaars after some deaths: the more incarnations a cluster has had, the less it trades per
  // hour.
  const std::uint64_t bazaars = long_run() ? 24 : 1;
  const unsigned deaths_each = long_run() ? 20 : shortened() ? 2 : 5;
  Traded all;
  for (std::uint64_t seed = 1; seed <= bazaars && !HasFatalFailure(); ++seed) {
    hold_bazaar(seed, deaths_each, all);
  }
  EXPECT_GE(all.picked + all.given, long_run() ? 1'000'000U : 1'000U * deaths_each);
  EXPECT_GE(4 * all.picked, all.picked + all.given) << "a quarter of these";
}

// In the end each crate has been taken, by exactly one player.
TEST(ABazaar, HasEachCrateOnceWhoeverDies) {
  for (std::uint64_t seed = 1; seed <= (long_run() ? 3U : 1U); ++seed) {
    SCOPED_TRACE(seed);
    Bazaar bazaar(seed);
    bazaar.game.crates = bazaar.crates();
    const std::size_t crates = bazaar.game.crates.size();
    ASSERT_GE(crates, 20U);
    Random random(seed);
    std::size_t left = crates;
    for (int i = 0; i < 3; ++i) {
      bazaar.cluster->run_for(500'000 + random.below(1'000'000));
      bazaar.cluster->pause_worker(random.below(market_workers), 2'050'000);
      bazaar.cluster->run_for(8'000'000);
      bazaar.close();
      left = bazaar.crates().size();
      EXPECT_EQ(bazaar.stones() + left, traders * stones_each + crates) << "death " << i + 1;
      bazaar.open();
    }
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(bazaar.lost, 0U);
  }
}

// Many players get gifts in one tick from players of all workers, and receive them in several ticks
// at several workers: each gift has its own journal key.
TEST(ABazaar, HasEachGiftInTheJournalWhoeverDies) {
  Bazaar bazaar(1, 20'000);
  bazaar.game.journals = true;
  Random random(1);
  const unsigned deaths = shortened() ? 1 : 3;
  for (unsigned i = 0; i < deaths; ++i) {
    bazaar.cluster->run_for(5'000'000);
    bazaar.cluster->pause_worker(random.below(market_workers), 2'050'000);
    bazaar.cluster->run_for(8'000'000);
  }
  bazaar.close();
  EXPECT_EQ(bazaar.fenced, 0U);
  const auto names = bazaar.names_in_the_journal();
  EXPECT_GT(names.size(), shortened() ? 1'600U : 5'000U);
  EXPECT_LE(names.size(), bazaar.journalled);
  for (const auto& [outcome, count] : names) EXPECT_EQ(count, 1) << "written twice by successors";
  std::printf("%llu outcomes, %zu in the journal\n",
              static_cast<unsigned long long>(bazaar.journalled), names.size());
  for (std::size_t w = 0; w < market_workers; ++w) {
    EXPECT_EQ(bazaar.cluster->worker(w).outcomes_waiting(), 0U) << w;
  }
}

// The checkpoint is of one tick at all workers, and includes what was in flight between them.
TEST(ABazaar, BeginsAgainWithAsManyStonesWhenEverythingDies) {
  for (std::uint64_t seed = 1; seed <= seeds_of(3); ++seed) {
    SCOPED_TRACE(seed);
    Bazaar bazaar(seed, 20'000);
    bazaar.cluster->run_for(20'000'000 + static_cast<Micros>(mix64(seed) % 10'000'000));
    EXPECT_GT(bazaar.read, 5'000U);
    bazaar.cluster->restart_everything(1'000'000);
    bazaar.cluster->run_for(4'000'000);
    bazaar.close();
    EXPECT_EQ(bazaar.stones(), traders * stones_each);
  }
}

}  // namespace
}  // namespace perigee::lab
