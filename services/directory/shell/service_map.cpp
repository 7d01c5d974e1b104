// What the directory shows: the map to its watchers, and how it goes to people.
#include <algorithm>

#include "perigee/host/map_proto.hpp"
#include "service.hpp"

namespace perigee::directory {

grpc::Status Service::not_leading() const {
  const auto may = seat_.may_decide();
  return {grpc::StatusCode::ABORTED, may ? "" : may.error().message};
}

// Once it does not lead any more it tells its watchers nothing, and does not send them away: what
// they know counts until the one that leads tells them otherwise.
grpc::Status Service::WatchMap(grpc::ServerContext* context, const v1::WatchMapRequest*,
                               grpc::ServerWriter<v1::ClusterMap>* writer) {
  using namespace std::chrono_literals;
  Lock lock = enter();
  if (!seat_.told()) return not_leading();
  if (watchers_ == watchers_max) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many watchers; try again later"};
  }
  ++watchers_;
  for (std::uint64_t seen = 0; !stopping_ && !context->IsCancelled();) {
    if (!seat_.told() || seat_.told()->map.version == seen) {
      changed_.wait_for(lock, 250ms);  // a cancelled call does not wake us
      continue;
    }
    seen = seat_.told()->map.version;
    const v1::ClusterMap map = message();
    lock.unlock();
    const bool written = writer->Write(map);
    lock.lock();
    if (!written) break;
  }
  --watchers_;
  return stopping_ ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "the directory is stopping")
                   : grpc::Status::OK;
}

grpc::Status Service::GetTime(grpc::ServerContext*, const v1::GetTimeRequest*,
                              v1::GetTimeReply* reply) {
  const Lock lock = enter();
  if (seat_.core() == nullptr) return not_leading();
  reply->set_wall_us(seat_.now_us());
  return grpc::Status::OK;
}

grpc::Status Service::ListMap(grpc::ServerContext*, const v1::ListMapRequest*,
                              v1::ClusterMap* reply) {
  const Lock lock = enter();
  if (!seat_.told()) return not_leading();
  *reply = message();
  show_refused(*reply);
  return grpc::Status::OK;
}

void Service::show_refused(v1::ClusterMap& map) const {
  for (const auto& [name, refused] : refused_) {
    const Micros ago_us = seat_.now_us() - refused.when_us;
    if (ago_us > refused_shown_us) continue;
    v1::RefusedMember& out = *map.add_refused();
    out.set_name(name);
    out.set_why(refused.why);
    out.set_ago_s(static_cast<double>(ago_us) * 1e-6);
  }
}

/// The map as it is stored, and how it went there last.
v1::ClusterMap Service::message() {
  const Saved& told = *seat_.told();
  const Core& core = *seat_.core();
  v1::ClusterMap map;
  host::write_map(told.map, map);
  for (v1::Worker& worker : *map.mutable_workers()) {
    const auto slot = static_cast<WorkerSlot>(worker.slot());
    worker.set_name(told.workers[slot].name);
    worker.set_grpc_address(to_string(told.workers[slot].grpc));
    worker.set_build(told.workers[slot].build);
    const WorkerReport* report = core.report_of(slot);
    if (report == nullptr) continue;
    worker.set_entities(report->entities);
    worker.set_players(report->players);
    worker.set_load_ms(report->load_ms);
    worker.set_overhead_ms(report->overhead_ms);
    worker.set_rung(static_cast<v1::OverloadRung>(report->rung));
    worker.set_tick_p99_ms(report->tick_p99_ms);
    worker.set_late_ms(report->late_ms);
    worker.set_largest_island_ms(report->largest_island_ms);
  }
  for (v1::Region& region : *map.mutable_regions()) {
    const auto view = core.views().find(region.region());
    if (view == core.views().end()) continue;
    region.set_cost_ms(view->second.cost_ms);
    region.set_entities(view->second.entities);
    region.set_away(view->second.away);
    region.set_changing(view->second.changing);
  }
  map.set_balance(core.balances());
  if (told.rate_percent) map.set_rate_percent(*told.rate_percent);
  for (v1::Gateway& gateway : *map.mutable_gateways()) {
    gateway.set_name(told.gateways[gateway.slot()].name);
    gateway.set_build(told.gateways[gateway.slot()].build);
  }
  return map;
}

Service::Picture Service::picture() {
  const Lock lock = enter();
  Picture out{.leads = seat_.core() != nullptr,
              .store_answers = seat_.store_answers(),
              .terms = seat_.terms(),
              .tally = seat_.tally(),
              .refusals = refusals_,
              .watchers = watchers_,
              .saved = seat_.saved(),
              .save_failures = seat_.save_failures(),
              .signed_off = signed_off_,
              .suspicions_refuted = suspicions_refuted_};
  if (!out.leads) return out;
  const Core& core = *seat_.core();
  out.map = seat_.told()->map;
  out.handle_blocks_left = core.handle_blocks_left(seat_.now_us());
  out.imbalance = core.imbalance();
  for (const auto& [region, view] : core.views()) out.away += view.away;
  for (const WorkerEntry& worker : out.map.workers) {
    const WorkerReport* report = core.report_of(worker.slot);
    if (report == nullptr) continue;
    out.overloaded += report->rung == OverloadRung::Relief ? 1U : 0U;
    out.largest_island_ms = std::max(out.largest_island_ms, report->largest_island_ms);
  }
  return out;
}

std::string Service::not_ready_because() {
  const Lock lock = enter();
  const auto well = seat_.well();
  return well ? std::string() : well.error().message;
}

std::optional<Error> Service::hopeless() {
  const Lock lock = enter();
  return seat_.hopeless();
}

}  // namespace perigee::directory
