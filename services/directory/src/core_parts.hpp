/// The components of the directory's core, each after those that it needs.
#pragma once

#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/core.hpp"
#include "perigee/directory/fabric_keyring.hpp"
#include "perigee/directory/failover_policy.hpp"
#include "perigee/directory/failover_records.hpp"
#include "perigee/directory/handle_blocks.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_assignment.hpp"
#include "perigee/directory/region_balance.hpp"
#include "perigee/directory/region_loads.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/region_orders.hpp"
#include "perigee/directory/stall_detector.hpp"
#include "perigee/directory/standby_assignment.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"
#include "perigee/directory/worker_registration.hpp"
#include "perigee/directory/worker_reports.hpp"
#include "perigee/directory/world_time_control.hpp"

namespace perigee::directory {

struct Core::Parts {
  Parts(const CoreSettings& settings, Saved saved, Space space, Micros now_us);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// After members came, ended or returned.
  void assign_regions(Micros now_us);
  void assign_regions_and_standbys(Micros now_us);
  /// Notes the handle blocks that are in use.
  void watch_handles(Micros now_us);

  ClusterMap map;
  StallDetector stalls;
  HandleBlocks blocks;
  WorkerReports reports;
  Membership members;
  RegionMap regions;
  RegionLoads loads;
  RegionBalance balance;
  RegionOrders region_orders;
  WorldTimeControl time;
  ContentLosses losses;
  RegionAssignment assignment;
  FailoverRecords records;
  UncopiedTakeovers uncopied;
  StandbyAssignment standbys;
  FailoverPolicy failover;
  WorkerRegistration registration;
  FabricKeyring fabric;
};

}  // namespace perigee::directory
