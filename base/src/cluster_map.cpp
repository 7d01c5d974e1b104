#include "perigee/base/cluster_map.hpp"

#include <algorithm>

namespace perigee {
namespace {

bool contains(const RegionEntry& region, const Vec3& p) {
  return p.x >= region.low.x && p.x < region.high.x && p.y >= region.low.y && p.y < region.high.y &&
         p.z >= region.low.z && p.z < region.high.z;
}

template <class Entries, class Predicate>
auto* find_entry(const Entries& entries, Predicate predicate) {
  const auto found = std::find_if(entries.begin(), entries.end(), predicate);
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const RegionEntry* ClusterMap::region_at(const Vec3& point) const {
  return find_entry(regions, [&](const RegionEntry& r) { return contains(r, point); });
}
const RegionEntry* ClusterMap::region(RegionId id) const {
  return find_entry(regions, [&](const RegionEntry& r) { return r.region == id; });
}
const WorkerEntry* ClusterMap::worker(WorkerSlot slot) const {
  return find_entry(workers, [&](const WorkerEntry& w) { return w.slot == slot; });
}
const GatewayEntry* ClusterMap::gateway(GatewaySlot slot) const {
  return find_entry(gateways, [&](const GatewayEntry& g) { return g.slot == slot; });
}
const FailoverRecord* ClusterMap::failover_record(HandleBase handle_base) const {
  return find_entry(failover_records,
                    [&](const FailoverRecord& b) { return b.handle_base == handle_base; });
}

}  // namespace perigee
