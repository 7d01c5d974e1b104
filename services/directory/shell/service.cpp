#include "service.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/map_proto.hpp"
#include "perigee/host/report_proto.hpp"
#include "probe.hpp"

namespace perigee::directory {
namespace {

/// An address that does not parse stays invalid, and the core says what is wrong with it.
Address address_of(const std::string& text) {
  const auto parsed = parse_address(text);
  return parsed ? *parsed : Address{};
}

}  // namespace

Service::Service(Core core, WorldClock clock, StateFile file)
    : clock_(clock), file_(std::move(file)), core_(std::move(core)), saved_time_(core_.map().time) {
  save();
}

grpc::Status Service::refuse(Refusal refusal) {
  ++refusals_;
  auto code = grpc::StatusCode::INVALID_ARGUMENT;
  if (refusal == Refusal::NameTaken) code = grpc::StatusCode::ALREADY_EXISTS;
  if (refusal == Refusal::Full || refusal == Refusal::NoHandles)
    code = grpc::StatusCode::RESOURCE_EXHAUSTED;
  return {code, std::string(describe(refusal))};
}

void Service::announce() {
  if (announced_version_ == core_.map().version) return;
  announced_version_ = core_.map().version;
  save();
  // Whoever starts from the disk has to come to the same ticks as those who were told.
  if (save_failing_) core_.keep_time(saved_time_);
  changed_.notify_all();
}

/// A disk that refuses does not stop the game: it goes on unsaved, is counted, and is tried again.
void Service::save() {
  unsaved_ = false;
  const auto written = file_.save(core_.saved(), clock_);
  if (written) {
    if (std::exchange(save_failing_, false)) host::log_info("the map is saved again");
    saved_version_ = core_.map().version;
    saved_time_ = core_.map().time;
    saved_us_ = now_us();
    ++saved_;
    return;
  }
  ++save_failures_;
  unsaved_ = true;
  if (std::exchange(save_failing_, true)) return;
  host::log_error("the map cannot be saved: a restart now would lose its newest changes",
                  {{"why", written.error().message}});
}

grpc::Status Service::RegisterWorker(grpc::ServerContext*, const v1::RegisterWorkerRequest* request,
                                     v1::RegisterWorkerReply* reply) {
  const std::lock_guard lock(mutex_);
  const auto admission = core_.register_worker(
      now_us(), {request->name(), address_of(request->fabric_address()),
                 address_of(request->grpc_address()), request->schema_hash(), request->instance()});
  if (const auto* refusal = std::get_if<Refusal>(&admission)) return refuse(*refusal);
  const Grant& grant = std::get<Grant>(admission);
  reply->set_slot(grant.slot);
  reply->set_handle_base(grant.handle_base);
  reply->set_handle_count(grant.handle_count);
  reply->set_incarnation(core_.map().incarnation);
  host::log_info("worker registered", {{"name", request->name()},
                                       {"slot", std::uint32_t{grant.slot}},
                                       {"life", core_.map().workers[grant.slot].life},
                                       {"fabric", request->fabric_address()}});
  announce();
  return grpc::Status::OK;
}

grpc::Status Service::RegisterGateway(grpc::ServerContext*,
                                      const v1::RegisterGatewayRequest* request,
                                      v1::RegisterGatewayReply* reply) {
  const std::lock_guard lock(mutex_);
  const auto admission = core_.register_gateway(
      now_us(), {request->name(), address_of(request->fabric_address()),
                 address_of(request->public_udp_address()), request->instance()});
  if (const auto* refusal = std::get_if<Refusal>(&admission)) return refuse(*refusal);
  const Grant& grant = std::get<Grant>(admission);
  reply->set_slot(grant.slot);
  reply->set_incarnation(core_.map().incarnation);
  host::log_info("gateway registered", {{"name", request->name()},
                                        {"slot", std::uint32_t{grant.slot}},
                                        {"public", request->public_udp_address()}});
  announce();
  return grpc::Status::OK;
}

grpc::Status Service::Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                                v1::HeartbeatReply*) {
  if (request->member_case() == v1::HeartbeatRequest::MEMBER_NOT_SET) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a heartbeat names a worker or gateway slot"};
  }
  const bool worker = request->has_worker_slot();
  std::vector<Doubt> doubts;
  {
    const std::lock_guard lock(mutex_);
    const bool known =
        core_.heartbeat(now_us(), worker ? MemberKind::Worker : MemberKind::Gateway,
                        worker ? request->worker_slot() : request->gateway_slot(), request->name(),
                        request->incarnation(), request->instance());
    if (known && worker && request->has_report()) {
      const WorkerReport report = host::read_report(request->report());
      core_.report(now_us(), request->worker_slot(), report);
      for (const WorkerLife& suspect : core_.suspects(request->worker_slot(), report)) {
        doubts.push_back({suspect, core_.worker_grpc(suspect.slot)});
      }
    }
    announce();
    if (!known) return {grpc::StatusCode::FAILED_PRECONDITION, "not known here: register again"};
  }
  for (const Doubt& doubt : doubts) settle(doubt);
  return grpc::Status::OK;
}

/// On the call's own thread: whoever suspects waits for the answer anyway.
void Service::settle(const Doubt& doubt) {
  const bool answers = worker_answers(doubt.grpc, std::chrono::microseconds(probe_us_max));
  const std::lock_guard lock(mutex_);
  if (answers) {
    ++suspicions_refuted_;
    return;
  }
  const std::string name = core_.worker_name(doubt.suspect.slot);
  if (!core_.bury(now_us(), doubt.suspect)) return;
  host::log_warning(
      "a worker has died, and its buddy goes on with what it had",
      {{"name", name}, {"slot", std::uint32_t{doubt.suspect.slot}}, {"life", doubt.suspect.life}});
  announce();
}

grpc::Status Service::SignOff(grpc::ServerContext*, const v1::SignOffRequest* request,
                              v1::SignOffReply*) {
  const bool worker = request->has_worker_slot();
  const std::lock_guard lock(mutex_);
  const bool known = core_.sign_off(now_us(), worker ? MemberKind::Worker : MemberKind::Gateway,
                                    worker ? request->worker_slot() : request->gateway_slot(),
                                    request->name(), request->incarnation(), request->instance());
  announce();
  if (!known) return {grpc::StatusCode::FAILED_PRECONDITION, "not known here"};
  ++signed_off_;
  host::log_info("member signed off", {{"name", request->name()}});
  return grpc::Status::OK;
}

grpc::Status Service::WatchMap(grpc::ServerContext* context, const v1::WatchMapRequest*,
                               grpc::ServerWriter<v1::ClusterMap>* writer) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  if (watchers_ == watchers_max) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many watchers; try again later"};
  }
  ++watchers_;
  for (std::uint64_t seen = 0; !stopping_ && !context->IsCancelled();) {
    if (core_.map().version == seen) {
      changed_.wait_for(lock, 250ms);  // a cancelled call does not wake us
      continue;
    }
    seen = core_.map().version;
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
  reply->set_wall_us(now_us());
  return grpc::Status::OK;
}

grpc::Status Service::ListMap(grpc::ServerContext*, const v1::ListMapRequest*,
                              v1::ClusterMap* reply) {
  const std::lock_guard lock(mutex_);
  *reply = message();
  return grpc::Status::OK;
}

v1::ClusterMap Service::message() const {
  v1::ClusterMap map;
  host::write_map(core_.map(), map);
  for (v1::Worker& worker : *map.mutable_workers()) {
    const auto slot = static_cast<WorkerSlot>(worker.slot());
    worker.set_name(core_.worker_name(slot));
    worker.set_grpc_address(to_string(core_.worker_grpc(slot)));
    const WorkerReport* report = core_.report_of(slot);
    if (report == nullptr) continue;
    worker.set_entities(report->entities);
    worker.set_players(report->players);
    worker.set_load_ms(report->load_ms);
    worker.set_rung(static_cast<v1::OverloadRung>(report->rung));
    worker.set_tick_p99_ms(report->tick_p99_ms);
    worker.set_late_ms(report->late_ms);
    worker.set_largest_island_ms(report->largest_island_ms);
  }
  for (v1::Region& region : *map.mutable_regions()) {
    const auto view = core_.views().find(region.region());
    if (view == core_.views().end()) continue;
    region.set_cost_ms(view->second.cost_ms);
    region.set_entities(view->second.entities);
    region.set_away(view->second.away);
    region.set_changing(view->second.changing);
  }
  map.set_balance(core_.balances());
  if (core_.ordered_percent()) map.set_rate_percent(*core_.ordered_percent());
  for (v1::Gateway& gateway : *map.mutable_gateways()) {
    gateway.set_name(core_.gateway_name(static_cast<GatewaySlot>(gateway.slot())));
  }
  return map;
}

std::optional<Error> Service::order(
    const std::string& what, const std::function<std::optional<Error>(Core&, Micros)>& done) {
  const std::lock_guard lock(mutex_);
  auto refused = done(core_, now_us());
  host::log_info("an operator's order", {{"what", what}, {"done", !refused}});
  if (refused) return refused;
  unsaved_ = true;
  announce();
  return std::nullopt;
}

void Service::advance() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t deaths = core_.deaths();
  core_.advance(now_us());
  if (core_.deaths() != deaths) {
    host::log_warning("members fell silent",
                      {{"count", core_.deaths() - deaths}, {"version", core_.map().version}});
  }
  announce();
  const bool unsaved = unsaved_ || saved_version_ != core_.map().version;
  if (unsaved || now_us() - saved_us_ >= save_us_max) save();
}

void Service::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  save();  // with the time of now
  changed_.notify_all();
}

Service::Picture Service::picture() {
  const std::lock_guard lock(mutex_);
  std::uint32_t away = 0;
  for (const auto& [region, view] : core_.views()) away += view.away;
  std::uint32_t overloaded = 0;
  double largest_island_ms = 0;
  for (const WorkerEntry& worker : core_.map().workers) {
    const WorkerReport* report = core_.report_of(worker.slot);
    if (report == nullptr) continue;
    overloaded += report->rung == OverloadRung::Relief ? 1U : 0U;
    largest_island_ms = std::max(largest_island_ms, report->largest_island_ms);
  }
  return {.map = core_.map(),
          .deaths = core_.deaths(),
          .handle_blocks_left = core_.handle_blocks_left(now_us()),
          .reports_refused = core_.reports_refused(),
          .changes = core_.changes(),
          .imbalance = core_.imbalance(),
          .rate_changes = core_.rate_changes(),
          .overloaded = overloaded,
          .largest_island_ms = largest_island_ms,
          .away = away,
          .refusals = refusals_,
          .watchers = watchers_,
          .saved = saved_,
          .save_failures = save_failures_,
          .signed_off = signed_off_,
          .bequeathed = core_.bequeathed(),
          .suspicions_refuted = suspicions_refuted_};
}

}  // namespace perigee::directory
