/// What a cluster's workers say of themselves.
#pragma once

#include <optional>
#include <vector>

#include "directory.pb.h"
#include "sim.pb.h"

namespace perigee::session {

/// By slot; none: it does not live, or has not answered, which is then said on standard error. All
/// are asked at once, and have 2 s.
std::vector<std::optional<sim::v1::StatusReply>> ask_workers(const directory::v1::ClusterMap& map);

/// Whether all that live have answered.
bool everybody_answered(const directory::v1::ClusterMap& map,
                        const std::vector<std::optional<sim::v1::StatusReply>>& says);

}  // namespace perigee::session
