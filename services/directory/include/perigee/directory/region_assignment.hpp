/// Gives regions without an owner to workers, once it is known what has become of their content.
#pragma once

#include <cstdint>

#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_map.hpp"

namespace perigee::directory {

class RegionAssignment {
 public:
  struct Needs {
    const ClusterMap& map;
    const Membership& members;
    RegionMap& regions;
    ContentLosses& losses;
    // As in CoreSettings.
    std::uint32_t workers = 0;
    Micros settle_us = 0;
  };
  explicit RegionAssignment(Needs needs) : needs_(needs) {}

  /// The content of a dead owner's regions is lost; the region's next owner creates it anew.
  void assign(Micros now_us);

 private:
  bool enough_workers(Micros now_us) const;

  Needs needs_;
};

}  // namespace perigee::directory
