// Read-only views of the directory: the map for watchers, and its status for operators.
#include <algorithm>

#include "perigee/host/map_proto.hpp"
#include "service.hpp"

namespace perigee::directory {
namespace {

grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext* context, const grpc::Status& status) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

}  // namespace

grpc::Status Service::not_leading() const {
  const auto may = leadership_.may_decide();
  return {grpc::StatusCode::ABORTED, may ? "" : may.error().message};
}

grpc::ServerWriteReactor<v1::ClusterMap>* Service::WatchMap(grpc::CallbackServerContext* context,
                                                            const v1::WatchMapRequest* request) {
  const Lock lock = enter();
  return leadership_.sent() ? watchers_.add(*context, request->differences())
                            : MapStream::refuse(not_leading());
}

grpc::ServerUnaryReactor* Service::GetTime(grpc::CallbackServerContext* context,
                                           const v1::GetTimeRequest*, v1::GetTimeReply* reply) {
  const Lock lock = enter();
  const bool leads = leadership_.core() != nullptr;
  if (leads) reply->set_wall_us(leadership_.now_us());
  return answer(context, leads ? grpc::Status::OK : not_leading());
}

grpc::ServerUnaryReactor* Service::ListMap(grpc::CallbackServerContext* context,
                                           const v1::ListMapRequest*, v1::ClusterMap* reply) {
  const Lock lock = enter();
  if (!leadership_.sent()) return answer(context, not_leading());
  *reply = stored_map();
  add_reports(*reply);
  show_refused(*reply);
  return answer(context, grpc::Status::OK);
}

void Service::show_refused(v1::ClusterMap& map) const {
  for (const auto& [name, refused] : refused_) {
    const Micros ago_us = leadership_.now_us() - refused.when_us;
    if (ago_us > refused_shown_us) continue;
    v1::RefusedMember& out = *map.add_refused();
    out.set_name(name);
    out.set_why(refused.why);
    out.set_ago_s(static_cast<double>(ago_us) * 1e-6);
  }
}

v1::ClusterMap Service::stored_map() {
  const Saved& sent = *leadership_.sent();
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
  map.set_balance(leadership_.core()->balances());
  if (sent.rate_percent) map.set_rate_percent(*sent.rate_percent);
  return map;
}

void Service::add_reports(v1::ClusterMap& map) {
  const Core& core = *leadership_.core();
  for (v1::Worker& worker : *map.mutable_workers()) {
    const WorkerReport* report = core.report_of(WorkerSlot::at(worker.slot()));
    if (report == nullptr) continue;
    worker.set_entities(report->entities);
    worker.set_players(report->players);
    worker.set_load_ms(report->load_ms);
    worker.set_overhead_ms(report->overhead_ms);
    worker.set_level(static_cast<v1::OverloadLevel>(report->level));
    worker.set_tick_p99_ms(report->tick_p99_ms);
    worker.set_late_ms(report->late_ms);
    worker.set_largest_island_ms(report->largest_island_ms);
  }
  for (v1::Region& region : *map.mutable_regions()) {
    const auto view = core.views().find(RegionId{region.region()});
    if (view == core.views().end()) continue;
    region.set_cost_ms(view->second.cost_ms);
    region.set_entities(view->second.entities);
    region.set_away(view->second.away);
    region.set_changing(view->second.changing);
  }
}

Service::Stats Service::stats() {
  const Lock lock = enter();
  Stats out{.leads = leadership_.core() != nullptr,
            .store_answers = leadership_.store_answers(),
            .terms = leadership_.terms(),
            .tally = leadership_.tally(),
            .refusals = refusals_,
            .watchers = watchers_.watching(),
            .saved = leadership_.saved(),
            .save_failures = leadership_.save_failures(),
            .signed_off = signed_off_,
            .suspicions_refuted = suspicions_refuted_};
  if (!out.leads) return out;
  const Core& core = *leadership_.core();
  out.map = leadership_.sent()->map;
  out.handle_blocks_left = core.handle_blocks_left(leadership_.now_us());
  out.imbalance = core.imbalance();
  for (const auto& [region, view] : core.views()) out.away += view.away;
  for (const WorkerEntry& worker : out.map.workers) {
    const WorkerReport* report = core.report_of(worker.slot);
    if (report == nullptr) continue;
    out.overloaded += report->level == OverloadLevel::Relief ? 1U : 0U;
    out.largest_island_ms = std::max(out.largest_island_ms, report->largest_island_ms);
  }
  return out;
}

std::string Service::not_ready_because() {
  const Lock lock = enter();
  const auto well = leadership_.well();
  return well ? std::string() : well.error().message;
}

std::optional<Error> Service::hopeless() {
  const Lock lock = enter();
  return leadership_.hopeless();
}

}  // namespace perigee::directory
