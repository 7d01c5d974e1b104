/// Queries the status of a cluster's workers.
#pragma once

#include <optional>
#include <vector>

#include "directory.pb.h"
#include "sim.pb.h"

namespace perigee::session {

/// By slot; none: the worker is dead or did not answer, which is printed on standard error. All are
/// asked at once and have 2 s.
std::vector<std::optional<sim::v1::StatusReply>> ask_workers(const directory::v1::ClusterMap& map);

/// Whether all living workers have answered.
bool everybody_answered(const directory::v1::ClusterMap& map,
                        const std::vector<std::optional<sim::v1::StatusReply>>& says);

}  // namespace perigee::session
