/// A scene, its publisher, one client, and the path between them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "counts.hpp"
#include "perigee/replication/publisher.hpp"
#include "scene.hpp"
#include "viewer.hpp"

namespace perigee::bench {

class Play {
 public:
  Play(Scene& scene, double loss, const replication::ReplicationSettings& settings);

  void tick(bool measured);

  Wire wire;
  Errors errors;
  std::int64_t publisher_ns = 0;
  std::size_t malformed() const { return viewer_.malformed(); }
  const replication::Publisher::Counters& counters() const { return publisher_.counters(); }

 private:
  replication::Published published(const world::Entity& entity, const Motion& motion,
                                   const world::Bounds& bounds) const;
  void publish(bool measured);
  void choose();
  void compare();

  Scene& scene_;
  world::World world_;
  replication::Publisher publisher_;
  replication::Observer observer_;
  Viewer viewer_;
  Link<std::vector<std::byte>> down_;
  Link<AcknowledgeFrame> up_;
  std::vector<replication::Published> changed_;
};

}  // namespace perigee::bench
