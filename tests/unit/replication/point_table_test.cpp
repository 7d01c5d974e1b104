// The points from which grids are built, compared with a full scan of a plain table.
#include "perigee/replication/point_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "perigee/base/hash.hpp"

namespace perigee::replication {
namespace {

constexpr std::uint32_t table_slots_max = 1003;  // not a multiple of 8

struct Thing {
  std::uint32_t phase = 0;
  bool rests = false;
  GridPoint point;
  bool large() const { return point.radius_m > large_radius_m; }
};

GridPoint at(std::uint32_t slot, std::int32_t x, float radius_m = 1) {
  return {{x, 0, 0}, radius_m, 300, slot};
}

std::vector<std::uint32_t> slots_of(const std::vector<GridPoint>& points) {
  std::vector<std::uint32_t> out;
  for (const GridPoint& point : points) out.push_back(point.slot);
  return out;
}

class APointTable : public testing::Test {
 protected:
  PointTable table{table_slots_max};

  std::vector<std::uint32_t> moving(std::uint32_t phase) {
    std::vector<GridPoint> points;
    table.list_moving(phase, points);
    return slots_of(points);
  }
  std::vector<std::uint32_t> resting(std::uint32_t phase) {
    std::vector<GridPoint> points;
    table.file_resting(phase, points);
    return slots_of(points);
  }
  std::vector<std::uint32_t> near() {
    std::vector<GridPoint> points;
    table.file_near(points);
    return slots_of(points);
  }
};

TEST_F(APointTable, ListsWhatAPlainOneDoes) {
  const std::uint64_t seed = 31;
  SCOPED_TRACE(seed);
  Random random(seed);
  std::vector<std::optional<Thing>> plain(table_slots_max);
  const auto expected = [&](auto wanted) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t slot = 0; slot < table_slots_max; ++slot) {
      if (plain[slot] && wanted(*plain[slot])) out.push_back(slot);
    }
    return out;
  };
  for (int round = 0; round < 200; ++round) {
    // A few changes in a different short stretch each time: most words are empty, and become empty
    // again.
    const std::uint32_t first = random.below(table_slots_max), stretch = 1 + random.below(120);
    for (std::uint32_t slot = first; slot < std::min(first + stretch, table_slots_max); ++slot) {
      if (random.below(3) == 0) {
        plain[slot].reset();
        table.remove(slot);
        continue;
      }
      Thing thing{random.below(phase_classes), random.below(2) == 0,
                  at(slot, static_cast<std::int32_t>(random.below(100'000)),
                     random.below(10) == 0 ? 90.0F : 1.0F)};
      plain[slot] = thing;
      table.put(thing.phase, thing.rests, thing.point);
    }
    for (std::uint32_t slot = 0; slot < table_slots_max && round % 3 == 0; ++slot) {
      plain[slot].reset();
      table.remove(slot);
    }
    for (std::uint32_t phase = 0; phase < phase_classes; ++phase) {
      const auto in_class = [&](bool rests) {
        return expected(
            [&](const Thing& each) { return each.phase == phase && each.rests == rests; });
      };
      ASSERT_EQ(moving(phase), in_class(false)) << "phase " << phase << ", round " << round;
      ASSERT_EQ(resting(phase), in_class(true)) << "phase " << phase << ", round " << round;
    }
    ASSERT_EQ(near(), expected([](const Thing& each) { return !each.rests && !each.large(); }));
    ASSERT_LE(table.words_in_use(), expected([](const Thing&) { return true; }).size());
  }
}

// Slots are granted in turn: each is used once, and few are in use at a time.
TEST_F(APointTable, LooksAtNothingOfWhatIsEmptyAgain) {
  for (std::uint32_t slot = 0; slot < table_slots_max; ++slot) {
    table.put(slot % phase_classes, false, at(slot, 0));
    if (slot >= 20) table.remove(slot - 20);
    ASSERT_LE(table.words_in_use(), 4U) << "20 in a row, after " << slot;
  }
  for (std::uint32_t slot = table_slots_max - 20; slot < table_slots_max; ++slot)
    table.remove(slot);
  EXPECT_EQ(table.words_in_use(), 0U);
  EXPECT_TRUE(near().empty());
}

TEST_F(APointTable, KeepsAWordForItsLastThing) {
  table.put(3, false, at(8, 0));
  table.put(3, true, at(15, 0));
  table.remove(8);
  table.remove(8);
  EXPECT_EQ(table.words_in_use(), 1U);
  EXPECT_EQ(resting(3), std::vector<std::uint32_t>{15});
  table.remove(15);
  EXPECT_EQ(table.words_in_use(), 0U);
  table.put(3, false, at(9, 0));
  EXPECT_EQ(moving(3), std::vector<std::uint32_t>{9});
}

TEST_F(APointTable, KnowsWhatHasStrayedFromWhereItWasFiled) {
  EXPECT_FALSE(table.put(1, false, at(4, 1'000))) << "nobody has filed it";
  near();
  EXPECT_TRUE(table.put(1, false, at(4, 1'000 + PointTable::drift_steps_max)));
  EXPECT_TRUE(table.put(1, false, at(4, 1'000 - PointTable::drift_steps_max)));
  EXPECT_FALSE(table.put(1, false, at(4, 1'001 + PointTable::drift_steps_max)));
  EXPECT_TRUE(std::isnan(table.filed(4, 0).radius_m)) << "nowhere";
  table.remove(4);
  EXPECT_FALSE(table.put(1, false, at(4, 1'000))) << "another thing's slot now";
}

TEST_F(APointTable, TellsWhichThingsWereNotWithin) {
  const std::uint64_t seed = 65;
  SCOPED_TRACE(seed);
  Random random(seed);
  const auto steps = [&] { return static_cast<std::int32_t>(random.below(8'000)) - 4'000; };
  std::vector<GridPoint> plain;
  for (std::uint32_t slot = 0; slot < table_slots_max; ++slot) {
    GridPoint point{{steps(), steps(), steps()}, 1, random.below(2) == 0 ? 40.0F : 900.0F, slot};
    if (slot == 7) point.position = {1 << 29, -(1 << 29), 0};
    table.put(0, false, point);
    plain.push_back(point);
  }
  const GridPosition from{300, -200, 100};
  const auto is_within = [&](const GridPoint& point, float radius_m) {
    const auto away_m = [](std::int32_t a, std::int32_t b) { return (a - b) / 16.0; };
    const Vec3 away{away_m(point.position.x, from.x), away_m(point.position.y, from.y),
                    away_m(point.position.z, from.z)};
    return length(away) < std::min(point.reach_m, radius_m) - 40;
  };
  for (const float radius_m : {30.0F, 100.0F, 500.0F}) {
    std::size_t inside = 0;
    for (std::uint32_t first = 0; first < table_slots_max; first += 64) {
      // All, some, and a single one of the last four.
      for (const std::uint64_t slots : {~std::uint64_t{0}, random.next(), std::uint64_t{1} << 61}) {
        const std::uint64_t out = table.not_within(first, slots, from, radius_m, 40);
        ASSERT_EQ(out & ~slots, 0U);
        for (std::uint32_t i = 0; i < 64 && first + i < table_slots_max; ++i) {
          if ((slots >> i & 1) == 0) continue;
          const bool within = is_within(plain[first + i], radius_m);
          ASSERT_EQ((out >> i & 1) == 0, within) << "slot " << first + i;
          inside += within ? 1 : 0;
        }
      }
    }
    EXPECT_EQ(inside > 0, radius_m > 40) << "within " << radius_m << " m, by 40 m";
  }
}

}  // namespace
}  // namespace perigee::replication
