/// Balances the load of workers, and empties draining ones: plans the changes of regions and
/// applies them.
#pragma once

#include <optional>
#include <vector>

#include "perigee/directory/balance.hpp"
#include "perigee/directory/region_loads.hpp"
#include "perigee/directory/region_map.hpp"

namespace perigee::directory {

class RegionBalance {
 public:
  struct Needs {
    RegionMap& regions;
    RegionLoads& loads;
    bool on = true;  ///< until an operator orders otherwise
  };
  RegionBalance(Needs needs, const BalanceSettings& settings, std::optional<bool> ordered)
      : needs_(needs), balancer_(settings), ordered_(ordered) {}

  /// Empties draining workers, and balances load once in each second of the directory's clock.
  void advance(Micros now_us);
  /// Empties draining workers immediately. This includes a region with a recent change if its owner
  /// knows of that change.
  void drain(Micros now_us);

  void order(bool on) { ordered_ = on; }
  const std::optional<bool>& ordered() const { return ordered_; }
  bool on() const { return ordered_.value_or(needs_.on); }

 private:
  void balance(Micros now_us);
  void make(Micros now_us, const std::vector<Change>& plan);

  Needs needs_;
  Balancer balancer_;
  std::optional<bool> ordered_;  ///< the operator's last setting
  Micros balanced_us_ = 0;
};

}  // namespace perigee::directory
