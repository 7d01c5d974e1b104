/// Operators' orders to change regions. An impossible order changes nothing and returns a
/// one-sentence error.
#pragma once

#include <optional>
#include <string_view>

#include "perigee/base/result.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_loads.hpp"
#include "perigee/directory/region_map.hpp"

namespace perigee::directory {

class RegionOrders {
 public:
  struct Needs {
    const ClusterMap& map;
    const Membership& members;
    const RegionLoads& loads;
    RegionMap& regions;
  };
  explicit RegionOrders(Needs needs) : needs_(needs) {}

  /// Without an axis, splits along the longest one; without a plane, at the one that halves the
  /// region's cost. Returns the new part, which has the greater coordinates.
  Result<RegionId> split(Micros now_us, RegionId region, std::optional<Axis> axis,
                         std::optional<double> at_m);
  Result<Ok> merge(Micros now_us, RegionId region);
  Result<Ok> move(Micros now_us, RegionId region, std::string_view worker);

 private:
  Result<Ok> may_change(RegionId region) const;

  Needs needs_;
};

}  // namespace perigee::directory
