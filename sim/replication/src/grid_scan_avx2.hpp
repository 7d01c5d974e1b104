/// The same loops in eight lanes. Chosen at run time, so only these functions may use AVX2.
#pragma once

#ifdef __x86_64__
#define PERIGEE_HAS_AVX2

#include "perigee/replication/grid_scan.hpp"

namespace perigee::replication::avx2 {

std::size_t find(const GridColumns& points, GridRun run, const GridQuery& query, Hit* out);
void count(const GridColumns& points, GridRun run, const GridPosition& center, float width_steps,
           GridSteps& steps);

}  // namespace perigee::replication::avx2

#endif
