// Due entities, compared with a full scan: crowds that spawn, die, rest, jump and move fast.
#include "perigee/replication/interest_index.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::replication {
namespace {

constexpr std::uint32_t index_slots_max = 1200;
constexpr InterestRings rings;

struct IndexedThing {
  bool lives = false;
  bool rests = false;
  bool created = false;
  std::uint32_t phase = 0;
  Vec3 position, velocity;
  float radius_m = 0;
  GridPoint point(std::uint32_t slot) const { return {to_grid(position), radius_m, 3020, slot}; }
};

struct CrowdCase {
  const char* name;
  double speed_m_s;
  std::uint32_t restless;  ///< of 1000 things, this many change per tick

  friend void PrintTo(const CrowdCase& crowd, std::ostream* out) { *out << crowd.name; }
};

class ACrowd : public testing::TestWithParam<CrowdCase> {
 protected:
  Random random{11};
  std::vector<IndexedThing> things = std::vector<IndexedThing>(index_slots_max);
  std::vector<IndexedThing> seen = things;  ///< as the index was updated last
  InterestIndex index{rings, index_slots_max, index_slots_max};

  Vec3 anywhere() {
    return {random.between(-1500, 1500), random.between(-90, 90), random.between(-1500, 1500)};
  }
  void bear(IndexedThing& thing) {
    const double speed = GetParam().speed_m_s;
    const auto axis = [&] { return random.between(-speed, speed); };
    thing = {true, false, true, random.below(phase_classes), anywhere(), {axis(), axis(), axis()}};
    thing.radius_m = static_cast<float>(random.between(0, random.below(20) == 0 ? 90 : 5));
  }
  void change(IndexedThing& thing) {
    if (!thing.lives) return bear(thing);
    switch (random.below(4)) {
      case 0:
        thing.lives = false;
        index.remove(static_cast<std::uint32_t>(&thing - things.data()));
        seen[static_cast<std::size_t>(&thing - things.data())].lives = false;
        break;
      case 1:
        thing.rests = !thing.rests;
        break;
      case 2:
        thing.position = anywhere();
        break;
      default:
        thing.radius_m = static_cast<float>(random.between(0, 31));
        break;
    }
  }
  void tick(Tick now) {
    for (IndexedThing& thing : things) {
      if (random.below(1000) < GetParam().restless) change(thing);
      if (!thing.rests) thing.position = thing.position + thing.velocity * seconds_per_tick;
    }
    index.begin(now);
    if (index.wants_moving()) seen = std::vector<IndexedThing>(index_slots_max);
    for (std::uint32_t slot = 0; slot < index_slots_max; ++slot) {
      IndexedThing& thing = things[slot];
      if (!thing.lives || (!thing.created && !index.wants_moving())) continue;
      index.add(thing.phase, thing.rests, thing.created, thing.point(slot));
      seen[slot] = thing;
      thing.created = false;
    }
    index.finish();
  }
  /// Distance within which it is due for this observer in this slot, without the pad.
  double due_m(const IndexedThing& thing, const Viewpoint& view, Tick now) const {
    const double ring_m = due_radius_m(rings, send_slot(now), thing.phase);
    if (ring_m >= rings.radius_m[3]) return view.radius_m;
    if (thing.rests) return -1e9;
    return std::min(std::max(view.near_m, ring_m / view.stretch), view.radius_m);
  }
};

double away_m(const IndexedThing& thing, const Viewpoint& view) {
  const GridPosition at = to_grid(thing.position);
  const auto axis = [](std::int32_t a, std::int32_t b) { return (a - b) / 16.0; };
  return length(Vec3{axis(at.x, view.from.x), axis(at.y, view.from.y), axis(at.z, view.from.z)}) -
         static_cast<double>(thing.radius_m);
}

TEST_P(ACrowd, IsDueAsALookAtEverybodySays) {
  constexpr double rounding_m = 0.01;
  for (IndexedThing& thing : things) bear(thing);
  Tick now{1000 + random.below(60)};
  std::size_t wanted = 0, needless = 0;
  for (int i = 0; i < 240; ++i, ++now) {
    tick(now);
    for (int q = 0; q < 4; ++q) {
      const Viewpoint view{to_grid(anywhere()), random.between(20, 300), random.between(500, 3000),
                           random.between(1, 3)};
      std::set<std::uint32_t> due;
      for (const Hit hit : index.due(view)) due.insert(slot_of(hit));
      for (std::uint32_t slot = 0; slot < index_slots_max; ++slot) {
        if (!seen[slot].lives) continue;
        const double away = away_m(seen[slot], view), limit = due_m(seen[slot], view, now);
        if (away <= limit + interest_pad_m - rounding_m) {
          ++wanted;
          ASSERT_TRUE(due.contains(slot)) << "slot " << slot << ", tick " << i;
        } else if (i >= send_slot_ticks && away > limit + interest_pad_m + rounding_m &&
                   due.contains(slot)) {
          ++needless;
        }
      }
      std::set<std::uint32_t> all;
      for (const Hit hit : index.all(view)) all.insert(slot_of(hit));
      for (std::uint32_t slot = 0; slot < index_slots_max; ++slot) {
        // The grid of resting entities is built once a second, so small growth is not noticed.
        const double unseen_m = seen[slot].rests ? 1 + rounding_m : rounding_m;
        if (!seen[slot].lives || away_m(seen[slot], view) > view.radius_m - unseen_m) continue;
        ASSERT_TRUE(all.contains(slot)) << "slot " << slot << ", tick " << i;
      }
    }
  }
  EXPECT_GT(wanted, 20'000U);
  // New entities are found at once, anywhere.
  if (GetParam().restless == 0) {
    EXPECT_EQ(needless, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ACrowd,
                         testing::Values(CrowdCase{"Walkers", 3, 0}, CrowdCase{"Ships", 150, 0},
                                         CrowdCase{"Restless", 30, 5},
                                         CrowdCase{"Flickering", 150, 60}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace perigee::replication
