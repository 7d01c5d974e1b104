// Entities that move through a flat world, and the observers among them.
#pragma once

#include <string>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/replication/interest_index.hpp"
#include "perigee/replication/observer.hpp"

namespace perigee::bench {

struct CrowdPlan {
  std::string name;
  std::uint32_t observers = 0;
  std::uint32_t entities = 0;
  double half_m = 5'000;     ///< the world is ± this
  std::uint32_t clumps = 0;  ///< 0: evenly spread; otherwise four in five are in this many crowds
};

class Crowd {
 public:
  Crowd(const CrowdPlan& plan, std::uint64_t seed);
  /// Moves all entities by one tick; those at the edge turn back.
  void move();

  std::size_t size() const { return places_.size(); }
  std::uint32_t phase(std::uint32_t entity) const { return phases_[entity]; }
  /// The point of an entity as the publisher makes it.
  replication::GridPoint point(std::uint32_t entity) const {
    const Place& p = places_[entity];
    return {replication::to_grid(p.position), p.radius_m, reach_m, entity};
  }
  const Vec3& at(std::uint32_t entity) const { return places_[entity].position; }
  std::vector<replication::Observer>& observers() { return observers_; }

 private:
  static constexpr auto reach_m = static_cast<float>(3'000 + replication::interest_pad_m);
  struct Place {
    Vec3 position, velocity;
    float radius_m = 0;
  };
  Place place(Random& random, const std::vector<Vec3>& centers) const;

  CrowdPlan plan_;
  std::vector<Place> places_;  ///< the first ones are the observers'
  std::vector<std::uint8_t> phases_;
  std::vector<replication::Observer> observers_;
};

}  // namespace perigee::bench
