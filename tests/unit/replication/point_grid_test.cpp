#include "perigee/replication/point_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "perigee/base/hash.hpp"

namespace perigee::replication {
namespace {

std::set<std::uint32_t> brute_force(const std::vector<GridPoint>& points, const GridQuery& query) {
  std::set<std::uint32_t> found;
  for (const GridPoint& p : points) {
    const auto axis = [](std::int32_t a, std::int32_t b) { return static_cast<float>(a - b) / 16; };
    const float dx = axis(p.position.x, query.from.x);
    const float dy = axis(p.position.y, query.from.y);
    const float dz = axis(p.position.z, query.from.z);
    const float d2 = dx * dx + dy * dy + dz * dz;
    const float within_m = p.marked ? query.marked_m : query.within_m;
    const float outer = std::min(p.reach_m, within_m) + p.radius_m;
    const float inner = query.beyond_m + p.radius_m;
    if (d2 <= outer * outer && (query.beyond_m < 0 || d2 > inner * inner)) found.insert(p.slot);
  }
  return found;
}

std::vector<const GridScan*> scans() {
  std::vector<const GridScan*> out{&GridScan::four_lanes()};
  if (GridScan::eight_lanes() != nullptr) out.push_back(GridScan::eight_lanes());
  return out;
}

void rebuild(PointGrid& grid, const std::vector<GridPoint>& points) {
  grid.rebuild(points);
  grid.rebuild(points);  // by the second call it knows the extent of the points
}

struct Space {
  const char* name;
  Vec3 size;     ///< points within ± this
  Vec3 outlier;  ///< one point lies there
  Vec3 center;
  friend void PrintTo(const Space& space, std::ostream* out) { *out << space.name; }
};

class AGrid : public testing::TestWithParam<Space> {};

// Flat, deep, tiny and far worlds, with an outlier that wraps around the grid
TEST_P(AGrid, FindsExactlyWhatIsWithin) {
  const Space& space = GetParam();
  Random random(7);
  std::vector<GridPoint> points;
  const auto place = [&] {
    return space.center + Vec3{random.between(-1, 1) * space.size.x,
                               random.between(-1, 1) * space.size.y,
                               random.between(-1, 1) * space.size.z};
  };
  for (std::uint32_t i = 0; i < 3000; ++i) {
    points.push_back({to_grid(place()), static_cast<float>(random.between(0, 30)),
                      random.below(4) == 0 ? 300.F : 3000.F, i, random.below(3) == 0});
  }
  points[17].position = to_grid(space.outlier);
  std::vector<PointGrid> grids;
  for (const GridScan* scan : scans()) grids.emplace_back(CellShape{10, 12}, points.size(), *scan);
  for (PointGrid& grid : grids) rebuild(grid, points);
  std::vector<Hit> hits(points.size() + PointGrid::slack);
  std::size_t total = 0;
  for (int i = 0; i < 200; ++i) {
    GridQuery query{.from = to_grid(place())};
    query.within_m = static_cast<float>(random.between(10, i % 2 == 0 ? 400 : 3000));
    query.marked_m = static_cast<float>(random.between(10, i % 5 == 0 ? 3000 : 600));
    if (i % 3 == 0) query.beyond_m = query.within_m / 3;
    if (i == 100) {  // all move a little, some change
      for (GridPoint& p : points) {
        const auto drift = [&] { return static_cast<std::int32_t>(random.below(257)) - 128; };
        p.position = {p.position.x + drift(), p.position.y + drift(), p.position.z + drift()};
        p.marked = random.below(2) == 0;
        if (random.below(9) == 0) p.radius_m = static_cast<float>(random.between(0, 60));
        if (random.below(50) == 0) p.radius_m = PointGrid::nowhere;
      }
      for (PointGrid& grid : grids) {
        grid.refresh(128, [&](std::uint32_t slot) {
          return GridMove{points[slot].position, points[slot].radius_m, points[slot].marked};
        });
      }
    }
    for (const PointGrid& grid : grids) {
      const std::size_t found = grid.find(query, hits.data());
      std::set<std::uint32_t> slots;
      for (std::size_t h = 0; h < found; ++h) {
        EXPECT_TRUE(slots.insert(slot_of(hits[h])).second) << "twice";
      }
      ASSERT_EQ(slots, brute_force(points, query));
      total += found;
    }
  }
  EXPECT_GT(total, 200U);
}

INSTANTIATE_TEST_SUITE_P(
    Worlds, AGrid,
    testing::Values(Space{"Flat", {4000, 50, 4000}, {0, 0, 0}, {}},
                    Space{"Deep", {2000, 2000, 2000}, {0, 0, 0}, {}},
                    Space{"Tiny", {40, 40, 40}, {0, 0, 0}, {}},
                    Space{"Far", {4000, 4000, 100}, {0, 0, 0}, {9e6, -9e6, 9e6}},
                    Space{"WithAnOutlier", {1000, 100, 1000}, {1e6, -2e6, 3e6}, {}}),
    [](const auto& world) { return world.param.name; });

TEST(AHit, TellsTheRingOfItsDistance) {
  std::vector<GridPoint> points;
  for (const double x : {10.0, 100.0, 500.0, 2000.0}) {
    points.push_back({to_grid({x, 0, 0}), 0, 3000, static_cast<std::uint32_t>(points.size())});
  }
  GridQuery query{.within_m = 3000};
  query.ring2_m2[0] = 80 * 80;
  query.ring2_m2[1] = 300 * 300;
  query.ring2_m2[2] = 800 * 800;
  std::vector<Hit> hits(points.size() + PointGrid::slack);
  for (const GridScan* scan : scans()) {
    PointGrid grid({10, 12}, points.size(), *scan);
    rebuild(grid, points);
    ASSERT_EQ(grid.find(query, hits.data()), 4U);
    for (const Hit hit : std::span(hits).first(4)) EXPECT_EQ(ring_of(hit), slot_of(hit));
  }
}

TEST(TheGrid, FindsEverythingWithinAnAbsurdRadius) {
  std::vector<GridPoint> points;
  for (const double x : {-9e6, 0.0, 9e6}) {
    points.push_back({to_grid({x, x, x}), 0, 3e38F, static_cast<std::uint32_t>(points.size())});
  }
  PointGrid grid({10, 12}, points.size());
  rebuild(grid, points);
  std::vector<Hit> hits(points.size() + PointGrid::slack);
  for (const float within_m : {6e7F, 1e12F}) {
    EXPECT_EQ(grid.find({.from = {}, .within_m = within_m}, hits.data()), 3U);
  }
  EXPECT_EQ(grid.find({.from = {}, .within_m = -1e12F}, hits.data()), 0U);
}

TEST(TheGrid, CountsByDistance) {
  std::vector<GridPoint> points;
  for (std::uint32_t i = 0; i < 100; ++i) points.push_back({to_grid({i + 0.5, 0, 0}), 0, 3000, i});
  for (const GridScan* scan : scans()) {
    PointGrid grid({10, 12}, points.size(), *scan);
    rebuild(grid, points);
    GridSteps steps{};
    grid.count({}, 50, steps);
    EXPECT_EQ(steps, (GridSteps{5, 10, 15, 20, 25, 30, 35, 40, 45, 50}));
  }
}

}  // namespace
}  // namespace perigee::replication
