#include "grid_scan_avx2.hpp"

#ifdef PERIGEE_HAS_AVX2
#include <immintrin.h>

#include <bit>

#define PERIGEE_AVX2 __attribute__((target("avx2,popcnt")))

namespace perigee::replication::avx2 {
namespace {

constexpr std::uint32_t lanes = GridScan::lanes_max;
constexpr auto steps_per_m = static_cast<float>(GridPosition::steps_per_m);

/// For every mask of lanes: the indices of the set ones, one in each byte, lowest first.
constexpr auto wanted_lanes = [] {
  std::array<std::uint64_t, 1U << lanes> out{};
  for (std::uint32_t mask = 0; mask < out.size(); ++mask) {
    std::uint32_t found = 0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      if ((mask >> lane & 1U) != 0) out[mask] |= lane << 8 * found++;
    }
  }
  return out;
}();

/// Mask of the points from `at` on that are before the run's end.
std::uint32_t lanes_left(std::uint32_t at, GridRun run) {
  return (1U << std::min(run.last - at, lanes)) - 1;
}

struct From {
  __m256i x, y, z;
};
PERIGEE_AVX2 inline From from_position(const GridPosition& at) {
  return {_mm256_set1_epi32(at.x), _mm256_set1_epi32(at.y), _mm256_set1_epi32(at.z)};
}
PERIGEE_AVX2 inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
PERIGEE_AVX2 inline __m256 difference(const std::int32_t* to, __m256i from) {
  return _mm256_cvtepi32_ps(_mm256_sub_epi32(load(to), from));
}
PERIGEE_AVX2 inline __m256 squared(__m256 v) { return _mm256_mul_ps(v, v); }
PERIGEE_AVX2 inline __m256 distance2(const GridColumns& points, std::uint32_t at,
                                     const From& from) {
  const __m256 dx = difference(&points.x[at], from.x);
  const __m256 dy = difference(&points.y[at], from.y);
  const __m256 dz = difference(&points.z[at], from.z);
  return _mm256_add_ps(_mm256_add_ps(squared(dx), squared(dy)), squared(dz));
}
PERIGEE_AVX2 inline __m256i farther(__m256 d2, __m256 edge) {
  return _mm256_castps_si256(_mm256_cmp_ps(d2, edge, _CMP_GT_OQ));
}

template <bool Beyond>
PERIGEE_AVX2 std::size_t find_in(const GridColumns& points, GridRun run, const GridQuery& query,
                                 Hit* out) {
  const From from = from_position(query.from);
  const __m256 within = _mm256_set1_ps(query.within_m * steps_per_m);
  const __m256 marked = _mm256_set1_ps(query.marked_m * steps_per_m);
  const __m256 sign = _mm256_set1_ps(-0.0F);
  const __m256 beyond = _mm256_set1_ps(query.beyond_m * steps_per_m);
  const __m256 edge0 = _mm256_set1_ps(query.ring2_m2[0] * steps_per_m * steps_per_m);
  const __m256 edge1 = _mm256_set1_ps(query.ring2_m2[1] * steps_per_m * steps_per_m);
  const __m256 edge2 = _mm256_set1_ps(query.ring2_m2[2] * steps_per_m * steps_per_m);
  Hit* next = out;
  for (std::uint32_t at = run.first; at < run.last; at += lanes) {
    const __m256 d2 = distance2(points, at, from);
    const __m256 radius = _mm256_loadu_ps(&points.radius[at]);
    const __m256 reach = _mm256_loadu_ps(&points.reach[at]);
    const __m256 wide = _mm256_blendv_ps(within, marked, reach);  // selected by the sign of reach
    const __m256 outer = _mm256_add_ps(_mm256_min_ps(_mm256_andnot_ps(sign, reach), wide), radius);
    __m256 in = _mm256_cmp_ps(d2, squared(outer), _CMP_LE_OQ);
    if constexpr (Beyond) {
      const __m256 inner = _mm256_add_ps(beyond, radius);
      in = _mm256_and_ps(in, _mm256_cmp_ps(d2, squared(inner), _CMP_GT_OQ));
    }
    const auto wanted = static_cast<std::uint32_t>(_mm256_movemask_ps(in)) & lanes_left(at, run);
    const __m256i ring = _mm256_add_epi32(_mm256_add_epi32(farther(d2, edge0), farther(d2, edge1)),
                                          farther(d2, edge2));  // 0 to -3
    const __m256i hits = _mm256_sub_epi32(load(&points.slot[at]), _mm256_slli_epi32(ring, 30));
    const __m256i order =
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<std::int64_t>(wanted_lanes[wanted])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(next), _mm256_permutevar8x32_epi32(hits, order));
    next += std::popcount(wanted);
  }
  return static_cast<std::size_t>(next - out);
}

}  // namespace

std::size_t find(const GridColumns& points, GridRun run, const GridQuery& query, Hit* out) {
  return query.beyond_m < 0 ? find_in<false>(points, run, query, out)
                            : find_in<true>(points, run, query, out);
}

PERIGEE_AVX2 void count(const GridColumns& points, GridRun run, const GridPosition& center,
                        float width_steps, GridSteps& steps) {
  const From from = from_position(center);
  const __m256 width = _mm256_set1_ps(width_steps);
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i within[std::tuple_size_v<GridSteps>] = {};
  for (std::uint32_t at = run.first; at < run.last; at += lanes) {
    const __m256i left = _mm256_set1_epi32(static_cast<std::int32_t>(run.last - at));
    const __m256 mask = _mm256_castsi256_ps(_mm256_cmpgt_epi32(left, index));
    const __m256 d2 = distance2(points, at, from);
    __m256 edge = _mm256_loadu_ps(&points.radius[at]);
    for (__m256i& step : within) {
      edge = _mm256_add_ps(edge, width);
      const __m256 in = _mm256_and_ps(_mm256_cmp_ps(d2, squared(edge), _CMP_LE_OQ), mask);
      step = _mm256_sub_epi32(step, _mm256_castps_si256(in));
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::uint32_t lane[lanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lane), within[i]);
    for (const std::uint32_t found : lane) steps[i] += found;
  }
}

}  // namespace perigee::replication::avx2

#endif
