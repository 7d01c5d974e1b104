/// State in flight between two workers.
#pragma once

#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

/// Groups in doubt: sent, and not acknowledged yet.
inline std::size_t groups_under_way(const VirtualCluster& cluster) {
  std::size_t groups = 0;
  for (std::size_t w = 0; w < cluster.workers(); ++w) {
    if (cluster.runs(w)) groups += cluster.worker(w).groups_in_doubt();
  }
  return groups;
}

}  // namespace perigee::lab
