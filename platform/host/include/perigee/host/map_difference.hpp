/// Differences between two messages of the cluster map, so that a change costs a watcher the bytes
/// of the change and not those of the map.
#pragma once

#include <memory>
#include <optional>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/result.hpp"

namespace perigee::directory::v1 {
class ClusterMap;
}

namespace perigee::host {

/// The difference between two whole maps. None: only the whole map can replace `base`, or the
/// difference would be larger.
std::optional<directory::v1::ClusterMap> map_difference(const directory::v1::ClusterMap& base,
                                                        const directory::v1::ClusterMap& map);
/// Makes a whole map of its base. After an error, which names the misfit, `map` is unchanged.
Result<Ok> apply_difference(directory::v1::ClusterMap difference, directory::v1::ClusterMap& map);

/// The map of a watcher that gets whole maps and differences.
class FollowedMap {
 public:
  FollowedMap();
  ~FollowedMap();
  FollowedMap(const FollowedMap&) = delete;
  FollowedMap& operator=(const FollowedMap&) = delete;

  /// The whole map after this message. After an error the next message must be a whole map: the
  /// watcher calls again.
  Result<ClusterMap> take(directory::v1::ClusterMap message);

 private:
  std::unique_ptr<directory::v1::ClusterMap> whole_;  ///< of the last message; null: none
};

}  // namespace perigee::host
