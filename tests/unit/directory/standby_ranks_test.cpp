// The choice of standbys, compared with an exhaustive search on random maps.
#include "perigee/directory/standby_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "perigee/base/hash.hpp"

namespace perigee::directory {
namespace {

struct Map {
  std::vector<WorkerEntry> workers;
  std::vector<bool> has_content;

  std::vector<std::uint32_t> held() const {
    std::vector<std::uint32_t> out(workers.size());
    for (const WorkerEntry& worker : workers) {
      if (worker.standby) ++out[worker.standby->index()];
    }
    return out;
  }
  std::optional<WorkerSlot> best(WorkerSlot of, std::optional<WorkerSlot> but) const {
    const std::vector<std::uint32_t> counts = held();
    std::optional<WorkerSlot> out;
    std::tuple<bool, std::uint32_t, bool, std::size_t> out_rank;
    for (const WorkerEntry& other : workers) {
      if (other.slot == of || other.slot == but || !other.alive || other.draining) continue;
      const std::tuple rank(!has_content[other.slot.index()], counts[other.slot.index()],
                            other.standby == of,
                            (other.slot.index() + workers.size() - of.index()) % workers.size());
      if (out && rank >= out_rank) continue;
      out = other.slot;
      out_rank = rank;
    }
    return out;
  }
};

/// Chances in eighths to be alive, to stay, to have content, to have a standby; standbys are among
/// the first `crowd` workers.
struct Odds {
  std::uint32_t workers_max = 12, alive = 6, stays = 6, has_content = 6, has_standby = 5,
                crowd = 12;
};

Map random_map(Random& random, const Odds& odds) {
  Map out;
  const std::uint32_t count = 1 + random.below(odds.workers_max);
  const auto chance = [&](std::uint32_t of_8) { return random.below(8) < of_8; };
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    WorkerEntry worker;
    worker.slot = WorkerSlot::at(slot);
    worker.alive = chance(odds.alive);
    worker.draining = !chance(odds.stays);
    if (chance(odds.has_standby)) {
      worker.standby = WorkerSlot::at(random.below(std::min(count, odds.crowd)));
    }
    out.workers.push_back(worker);
    out.has_content.push_back(chance(odds.has_content));
  }
  return out;
}

void expect_same_choices(std::uint64_t seed, const Odds& odds, int maps) {
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int m = 0; m < maps; ++m) {
    Map map = random_map(random, odds);
    const auto count = static_cast<std::uint32_t>(map.workers.size());
    StandbyRanks ranks(map.workers, map.has_content);
    for (WorkerEntry& worker : map.workers) {
      const auto but =
          random.below(3) == 0 ? std::optional(WorkerSlot::at(random.below(count))) : std::nullopt;
      const auto best = ranks.best(worker.slot, but);
      ASSERT_EQ(best, map.best(worker.slot, but))
          << "for " << worker.slot << " of " << count << ", map " << m;
      if (random.below(2) == 0) continue;
      const auto next = random.below(8) == 0 ? std::nullopt : best;
      ranks.move(worker.standby, next);
      worker.standby = next;
      const std::vector<std::uint32_t> held = map.held();
      for (const WorkerEntry& each : map.workers)
        ASSERT_EQ(ranks.held(each.slot), held[each.slot.index()]);
    }
  }
}

TEST(TheRanksOfStandbys, ChooseAsALookAtEverybodyDoes) {
  expect_same_choices(3, {}, 4'000);
  expect_same_choices(4, {.workers_max = 60, .crowd = 60}, 300);
  expect_same_choices(5, {.workers_max = workers_max, .crowd = workers_max}, 20);
}

TEST(TheRanksOfStandbys, ChooseAlikeWhereManyHaveTheSameStandby) {
  expect_same_choices(6, {.workers_max = 30, .has_standby = 8, .crowd = 2}, 500);
}

TEST(TheRanksOfStandbys, ChooseAlikeWhereFewAreLeft) {
  expect_same_choices(7, {.workers_max = 8, .alive = 2, .has_content = 1}, 2'000);
  expect_same_choices(8, {.workers_max = 5, .alive = 8, .stays = 2, .has_standby = 8}, 2'000);
}

TEST(TheRanksOfStandbys, NameNobodyWhereThereIsNobodyElse) {
  std::vector<WorkerEntry> workers(2);
  workers[0].alive = workers[1].alive = true;
  workers[1].slot = WorkerSlot{1};
  const StandbyRanks ranks(workers, {true, true});
  EXPECT_EQ(ranks.best(WorkerSlot{0}, std::nullopt), WorkerSlot{1});
  EXPECT_FALSE(ranks.best(WorkerSlot{0}, WorkerSlot{1}));
}

}  // namespace
}  // namespace perigee::directory
