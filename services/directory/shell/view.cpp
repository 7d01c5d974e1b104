#include "view.hpp"

#include "perigee/host/map_proto.hpp"

namespace perigee::directory {

std::optional<View::Load> load_of(const WorkerReport* report) {
  if (report == nullptr) return std::nullopt;
  return View::Load{.entities = report->entities,
                    .players = report->players,
                    .load_ms = report->load_ms,
                    .overhead_ms = report->overhead_ms,
                    .level = report->level,
                    .tick_p99_ms = report->tick_p99_ms,
                    .late_ms = report->late_ms,
                    .largest_island_ms = report->largest_island_ms};
}

v1::ClusterMap map_message(const Saved& sent, bool balances) {
  v1::ClusterMap map;
  host::write_map(sent.map, map);
  for (v1::Worker& worker : *map.mutable_workers()) {
    const Member& member = sent.workers[worker.slot()];
    worker.set_name(member.name);
    worker.set_grpc_address(to_string(member.grpc));
    worker.set_build(member.build);
  }
  for (v1::Gateway& gateway : *map.mutable_gateways()) {
    const Member& member = sent.gateways[gateway.slot()];
    gateway.set_name(member.name);
    gateway.set_build(member.build);
    if (member.grpc.valid()) gateway.set_grpc_address(to_string(member.grpc));
  }
  map.set_balance(balances);
  if (sent.rate_percent) map.set_rate_percent(*sent.rate_percent);
  return map;
}

v1::ClusterMap View::listed(Micros now_us) const {
  v1::ClusterMap out = *map;
  for (v1::Worker& worker : *out.mutable_workers()) {
    const std::optional<Load>& load = loads[worker.slot()];
    if (!load) continue;
    worker.set_entities(load->entities);
    worker.set_players(load->players);
    worker.set_load_ms(load->load_ms);
    worker.set_overhead_ms(load->overhead_ms);
    worker.set_level(static_cast<v1::OverloadLevel>(load->level));
    worker.set_tick_p99_ms(load->tick_p99_ms);
    worker.set_late_ms(load->late_ms);
    worker.set_largest_island_ms(load->largest_island_ms);
  }
  for (v1::Region& region : *out.mutable_regions()) {
    const auto view = regions.find(RegionId{region.region()});
    if (view == regions.end()) continue;
    region.set_cost_ms(view->second.cost_ms);
    region.set_entities(view->second.entities);
    region.set_away(view->second.away);
    region.set_changing(view->second.changing);
  }
  for (const Refused& member : refused) {
    const Micros ago_us = now_us - member.when_us;
    if (ago_us > refused_shown_us) continue;
    v1::RefusedMember& row = *out.add_refused();
    row.set_name(member.name);
    row.set_why(member.why);
    row.set_ago_s(static_cast<double>(ago_us) * 1e-6);
  }
  return out;
}

}  // namespace perigee::directory
