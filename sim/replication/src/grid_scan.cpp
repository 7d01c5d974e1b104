#include "perigee/replication/grid_scan.hpp"

#include <bit>

#include "four_lanes.hpp"
#include "grid_scan_avx2.hpp"

namespace perigee::replication {
namespace {

constexpr Ints lane_index{0, 1, 2, 3};

/// A position in every lane; squared distances from it, in steps.
struct From {
  Ints x, y, z;
  explicit From(const GridPosition& at) : x(at.x - Ints{}), y(at.y - Ints{}), z(at.z - Ints{}) {}
  Floats squared_to(const std::int32_t* to_x, const std::int32_t* to_y,
                    const std::int32_t* to_z) const {
    const Floats dx = __builtin_convertvector(load<Ints>(to_x) - x, Floats);
    const Floats dy = __builtin_convertvector(load<Ints>(to_y) - y, Floats);
    const Floats dz = __builtin_convertvector(load<Ints>(to_z) - z, Floats);
    return dx * dx + dy * dy + dz * dz;
  }
};

constexpr auto steps_per_m = static_cast<float>(GridPosition::steps_per_m);

/// Masks of the lanes before the end of the run, four at a time.
class Remaining {
 public:
  explicit Remaining(GridRun run)
      : left_(static_cast<std::int32_t>(run.last - run.first) - lane_index) {}
  Ints next() {
    const Ints mask = left_ > 0;
    left_ -= static_cast<std::int32_t>(lanes);
    return mask;
  }

 private:
  Ints left_;
};

template <bool Beyond>
std::size_t find_in(const GridColumns& points, GridRun run, const GridQuery& query, Hit* out) {
  const From from(query.from);
  const Floats within = splat(query.within_m * steps_per_m);
  const Floats marked = splat(query.marked_m * steps_per_m);
  const Floats beyond = splat(query.beyond_m * steps_per_m);
  const auto edge = [&](std::size_t i) {
    return splat(query.ring2_m2[i] * steps_per_m * steps_per_m);
  };
  const Floats edge0 = edge(0), edge1 = edge(1), edge2 = edge(2);
  Remaining remaining(run);
  Hit* next = out;
  for (std::uint32_t at = run.first; at < run.last; at += lanes) {
    const Floats d2 = from.squared_to(&points.x[at], &points.y[at], &points.z[at]);
    const Floats radius = load<Floats>(&points.radius[at]);
    const Floats reach = load<Floats>(&points.reach[at]);
    const Floats wide = reach < 0 ? marked : within;
    const Floats far = reach < 0 ? -reach : reach;
    const Floats outer = (far < wide ? far : wide) + radius;
    Ints wanted = (d2 <= outer * outer) & remaining.next();
    if constexpr (Beyond) {
      const Floats inner = beyond + radius;
      wanted &= d2 > inner * inner;
    }
    const Ints ring = (d2 > edge0) + (d2 > edge1) + (d2 > edge2);  // each is 0 or -1
    // Unsigned: at two rings, the upper bits alone are -2^31.
    const Words hits = load<Words>(&points.slot[at]) - (std::bit_cast<Words>(ring) << 30);
#pragma GCC unroll 4
    for (std::uint32_t i = 0; i < lanes; ++i) {
      *next = hits[i];
      next -= wanted[i];
    }
  }
  return static_cast<std::size_t>(next - out);
}

std::size_t find_four(const GridColumns& points, GridRun run, const GridQuery& query, Hit* out) {
  return query.beyond_m < 0 ? find_in<false>(points, run, query, out)
                            : find_in<true>(points, run, query, out);
}

void count_four(const GridColumns& points, GridRun run, const GridPosition& center,
                float width_steps, GridSteps& steps) {
  const From from(center);
  const Floats width = splat(width_steps);
  std::array<Ints, std::tuple_size_v<GridSteps>> within{};
  Remaining remaining(run);
  for (std::uint32_t at = run.first; at < run.last; at += lanes) {
    const Ints mask = remaining.next();
    const Floats d2 = from.squared_to(&points.x[at], &points.y[at], &points.z[at]);
    Floats edge = load<Floats>(&points.radius[at]);
    for (Ints& step : within) {
      edge += width;
      step -= (d2 <= edge * edge) & mask;
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      steps[i] += static_cast<std::uint32_t>(within[i][lane]);
    }
  }
}

}  // namespace

const GridScan& GridScan::four_lanes() {
  static constexpr GridScan scan{find_four, count_four};
  return scan;
}

const GridScan* GridScan::eight_lanes() {
#ifdef PERIGEE_HAS_AVX2
  static constexpr GridScan scan{avx2::find, avx2::count};
  if (__builtin_cpu_supports("avx2") != 0) return &scan;
#endif
  return nullptr;
}

const GridScan& GridScan::best() {
  const GridScan* wide = eight_lanes();
  return wide != nullptr ? *wide : four_lanes();
}

}  // namespace perigee::replication
