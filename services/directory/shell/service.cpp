#include "service.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "perigee/host/caller.hpp"
#include "perigee/host/fabric_keys_proto.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/map_proto.hpp"
#include "perigee/host/report_proto.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::directory {
namespace {

/// An unauthenticated peer's description of itself, made printable for operators.
std::string shown(const std::string& text) {
  std::string out = text.substr(0, name_chars_max);
  std::replace_if(out.begin(), out.end(), [](char c) { return c <= ' ' || c > '~'; }, '?');
  return out;
}

/// An address that does not parse stays invalid; the core reports the error.
Address address_of(const std::string& text) {
  const auto parsed = parse_address(text);
  return parsed ? *parsed : Address{};
}

}  // namespace

Service::Service(coordination::Store& store, LeadershipOptions options, const host::ClusterTls* tls,
                 tracing::Tracer* tracer)
    : silence_us_max_(options.core.silence_us_max),
      tls_(tls),
      revocations_(tls != nullptr ? tls->revocations() : 0),
      leadership_(store, std::move(options)),
      probes_(tls, [this](const Probes::Outcome& outcome) { settle(outcome); }) {
  if (tracer == nullptr) return;
  spans_.emplace([tracer](tracing::Span span) { tracer->record(std::move(span)); });
}

/// Until the lock is released, the caller may rely on the lease as of this poll.
Service::Lock Service::enter() {
  Lock lock(mutex_);
  settle_with_store();
  return lock;
}

void Service::settle_with_store() {
  const host::ClockPair now = host::Loop::clocks();
  leadership_.poll(now);
  checked_us_ = now.monotonic_us;
  show(false);
  if (spans_) trace_published();
  if (std::exchange(news_, leadership_.news()) != leadership_.news()) changed_.notify_all();
  log_leadership();
}

void Service::trace_published() {
  if (leadership_.core() == nullptr) return spans_->forget();
  spans_->published(host::Loop::clock_us(), leadership_.sent()->map);
}

Leadership::Ticket Service::keep(const tracing::Cause& cause, bool even_so) {
  if (spans_ && leadership_.core() != nullptr) {
    spans_->decided(host::Loop::clock_us(), leadership_.core()->map(), cause);
  }
  return leadership_.keep(even_so);
}

void Service::log_leadership() {
  const bool leads = leadership_.core() != nullptr;
  if (std::exchange(led_, leads) != leads) {
    quarantined_ = 0;
    if (leads) {
      host::log_info("leadership gained",
                     {{"world", leadership_.began_new_world() ? "new" : "continued"},
                      {"cluster_id", leadership_.sent()->map.cluster_id}});
    } else {
      host::log_warning("leadership lost", {{"why", leadership_.may_decide().error().message}});
    }
  }
  if (!leads) return;
  const auto may = leadership_.may_decide();
  if (std::exchange(decided_, may.ok()) == may.ok()) return;
  if (may) {
    host::log_info("the map is saved again");
  } else {
    host::log_error("the map cannot be saved: play continues, changes of the map wait",
                    {{"why", may.error().message}});
  }
}

grpc::Status Service::may_decide() const {
  const auto may = leadership_.may_decide();
  if (may) return grpc::Status::OK;
  return {grpc::StatusCode::ABORTED, may.error().message};
}

grpc::Status Service::stored(Lock& lock, const tracing::Cause& cause, bool even_so) {
  const Leadership::Ticket ticket = keep(cause, even_so);
  const auto open = [&] {
    return leadership_.fate(ticket) == Leadership::Fate::Open && !stopping_;
  };
  changed_.wait_for(lock, std::chrono::microseconds(store_us_max), [&] { return !open(); });
  if (leadership_.fate(ticket) == Leadership::Fate::Stored) return grpc::Status::OK;
  const auto may = leadership_.may_decide();
  return {grpc::StatusCode::ABORTED,
          "not stored yet, check later whether it was done: " +
              (may ? std::string("the store is slow, or the directory is stopping")
                   : may.error().message)};
}

void Service::add_due_key() {
  Core& core = *leadership_.core();
  if (!core.wants_fabric_key(leadership_.now_us())) return;
  FabricKeyBytes bytes;
  host::fill_random(bytes);
  core.add_fabric_key(leadership_.now_us(), bytes);
  host::log_info("the fabric gets a new key", {{"epoch", core.saved().fabric.newest}});
}

/// All members have the fabric's key, and so has the owner of a revoked certificate. It is not
/// dealt the next one.
void Service::change_keys_if_revoked(Core& core) {
  if (tls_ == nullptr || tls_->revocations() == revocations_) return;
  if (!core.change_fabric_keys()) return;  // while they are being changed anyway: again soon
  revocations_ = tls_->revocations();
  host::log_info("a certificate was revoked: the keys of the fabric change");
}

std::optional<FabricKeys> Service::keys_for(std::uint32_t deal) {
  FabricKeys keys = leadership_.core()->fabric_keys();
  const auto& sent = leadership_.sent();
  const bool stored = sent && sent->fabric.deal == keys.deal;
  if (keys.deal == 0 || keys.deal == deal || !stored) return std::nullopt;
  return keys;
}

grpc::Status Service::refuse(Refusal refusal, const Applicant& who) {
  ++refusals_;
  const std::string name = shown(who.name);
  const std::string why = leadership_.core()->explain(refusal, name, who.speaks, who.build);
  if (!refused_.contains(name) && refused_.size() == refused_max) {
    refused_.erase(std::min_element(
        refused_.begin(), refused_.end(),
        [](const auto& a, const auto& b) { return a.second.when_us < b.second.when_us; }));
  }
  reported_ = true;
  Refused& row = refused_[name];
  if (row.why != why) host::log_warning("registration refused", {{"name", name}, {"why", why}});
  row = {why, leadership_.now_us()};
  auto code = grpc::StatusCode::INVALID_ARGUMENT;
  if (refusal == Refusal::NameTaken || refusal == Refusal::AddressTaken)
    code = grpc::StatusCode::ALREADY_EXISTS;
  if (refusal == Refusal::Full || refusal == Refusal::NoHandles)
    code = grpc::StatusCode::RESOURCE_EXHAUSTED;
  return {code, why};
}

/// A slot or a block of handles is granted only after the store has it.
grpc::Status Service::admitted(Lock& lock, const Admission& admission, const Applicant& who,
                               Grant& grant) {
  if (const auto* refusal = std::get_if<Refusal>(&admission)) return refuse(*refusal, who);
  if (refused_.erase(who.name) > 0) reported_ = true;
  grant = std::get<Grant>(admission);
  return stored(lock, {.text = "registration"});
}

grpc::Status Service::RegisterWorker(grpc::ServerContext* context,
                                     const v1::RegisterWorkerRequest* request,
                                     v1::RegisterWorkerReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::members); !may.ok()) return may;
  Lock lock = enter();
  if (auto may = may_decide(); !may.ok()) return may;
  add_due_key();
  const Applicant who{request->name(), shown(request->build()),
                      host::read_speaks(request->fabric_version(), request->workers_version())};
  const auto admission = leadership_.core()->register_worker(
      leadership_.now_us(),
      {who.name, address_of(request->fabric_address()), address_of(request->grpc_address()),
       request->schema_hash(), request->instance(), who.speaks, who.build, request->fabric_run()});
  Grant grant;
  if (auto done = admitted(lock, admission, who, grant); !done.ok()) return done;
  const ClusterMap& map = leadership_.sent()->map;
  reply->set_slot(grant.slot);
  reply->set_handle_base(grant.handle_base.number);
  reply->set_handle_count(grant.handle_count);
  reply->set_cluster_id(map.cluster_id);
  if (const auto keys = keys_for(0)) host::write_fabric_keys(*keys, *reply->mutable_fabric_keys());
  host::log_info("worker registered", {{"name", request->name()},
                                       {"slot", std::uint32_t{grant.slot}},
                                       {"incarnation", map.workers[grant.slot].incarnation.number},
                                       {"fabric", request->fabric_address()},
                                       {"build", who.build}});
  return grpc::Status::OK;
}

grpc::Status Service::RegisterGateway(grpc::ServerContext* context,
                                      const v1::RegisterGatewayRequest* request,
                                      v1::RegisterGatewayReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  Lock lock = enter();
  if (auto may = may_decide(); !may.ok()) return may;
  add_due_key();
  const Applicant who{request->name(), shown(request->build()),
                      host::read_speaks(request->fabric_version(), 0)};
  const auto admission = leadership_.core()->register_gateway(
      leadership_.now_us(),
      {who.name, address_of(request->fabric_address()), address_of(request->public_udp_address()),
       request->instance(), who.speaks, who.build, address_of(request->grpc_address()),
       request->fabric_run()});
  Grant grant;
  if (auto done = admitted(lock, admission, who, grant); !done.ok()) return done;
  reply->set_slot(grant.slot);
  reply->set_cluster_id(leadership_.sent()->map.cluster_id);
  if (const auto keys = keys_for(0)) host::write_fabric_keys(*keys, *reply->mutable_fabric_keys());
  host::log_info("gateway registered", {{"name", request->name()},
                                        {"slot", std::uint32_t{grant.slot}},
                                        {"public", request->public_udp_address()},
                                        {"build", who.build}});
  return grpc::Status::OK;
}

/// A known member's heartbeat is answered at once, even if the store does not respond or a suspect
/// does not answer: a standby that waited would look silent itself, and could not take over.
grpc::Status Service::Heartbeat(grpc::ServerContext* context, const v1::HeartbeatRequest* request,
                                v1::HeartbeatReply* reply) {
  const auto& rights = request->has_worker_slot() ? host::rights::members : host::rights::gateways;
  if (auto may = host::may_call(context->peer(), rights); !may.ok()) return may;
  if (request->member_case() == v1::HeartbeatRequest::MEMBER_NOT_SET) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a heartbeat must name a worker or gateway slot"};
  }
  const bool worker = request->has_worker_slot();
  Lock lock = enter();
  Core* const core = leadership_.core();
  if (core == nullptr) return not_leading();
  const MemberKind kind = worker ? MemberKind::Worker : MemberKind::Gateway;
  const std::uint32_t slot = worker ? request->worker_slot() : request->gateway_slot();
  const bool known = core->heartbeat(leadership_.now_us(), kind, slot, request->name(),
                                     request->cluster_id(), request->instance());
  if (!known) {
    auto certain = stored(lock, {.text = "report"});
    if (!certain.ok()) return certain;
    return {grpc::StatusCode::FAILED_PRECONDITION, "member not known: register again"};
  }
  core->confirm_fabric_keys(kind, slot, request->fabric_deal());
  if (const auto keys = keys_for(request->fabric_deal())) {
    host::write_fabric_keys(*keys, *reply->mutable_fabric_keys());
  }
  if (worker && request->has_report()) {
    reported_ = true;
    const WorkerReport report = host::read_report(request->report());
    core->report(leadership_.now_us(), request->worker_slot(), report);
    for (const WorkerIncarnation& suspect : core->suspects(request->worker_slot(), report)) {
      probes_.ask(suspect, core->worker_grpc(suspect.slot));
    }
  }
  keep({.text = "report"});
  return grpc::Status::OK;
}

void Service::settle(const Probes::Outcome& outcome) {
  const Lock lock = enter();
  if (!leadership_.may_decide()) return;  // it is suspected again
  Core& core = *leadership_.core();
  if (outcome.answers) {
    ++suspicions_refuted_;
    return;
  }
  const WorkerIncarnation& suspect = outcome.suspect;
  const std::string name = core.worker_name(suspect.slot);
  if (!core.declare_dead(leadership_.now_us(), suspect)) return;
  host::log_warning(core.quarantined() == quarantined_
                        ? "a worker has died, its standby takes over"
                        : "a worker has died in a crash chain: it is not taken over",
                    {{"name", name},
                     {"slot", std::uint32_t{suspect.slot.number}},
                     {"incarnation", suspect.incarnation.number}});
  log_quarantine(core);
  keep({.text = "suspicion", .since_us = outcome.asked_at_us});
}

void Service::log_quarantine(const Core& core) {
  const std::uint64_t before = std::exchange(quarantined_, core.quarantined());
  if (before == quarantined_) return;
  host::log_error("quarantine: too many workers died in a row, and their regions start anew",
                  {{"incarnations", quarantined_ - before}, {"version", core.map().version}});
}

grpc::Status Service::SignOff(grpc::ServerContext* context, const v1::SignOffRequest* request,
                              v1::SignOffReply*) {
  const bool worker = request->has_worker_slot();
  const auto& rights = worker ? host::rights::members : host::rights::gateways;
  if (auto may = host::may_call(context->peer(), rights); !may.ok()) return may;
  Lock lock = enter();
  if (auto may = may_decide(); !may.ok()) return may;
  const bool known = leadership_.core()->sign_off(
      leadership_.now_us(), worker ? MemberKind::Worker : MemberKind::Gateway,
      worker ? request->worker_slot() : request->gateway_slot(), request->name(),
      request->cluster_id(), request->instance());
  if (auto done = stored(lock, {.text = "sign_off"}); !done.ok()) return done;
  if (!known) return {grpc::StatusCode::FAILED_PRECONDITION, "member not known"};
  ++signed_off_;
  host::log_info("member signed off", {{"name", request->name()}});
  return grpc::Status::OK;
}

grpc::Status Service::order(const std::function<std::optional<Error>(Core&, Micros)>& done) {
  Lock lock = enter();
  if (auto may = may_decide(); !may.ok()) return may;
  const auto refused = done(*leadership_.core(), leadership_.now_us());
  if (refused) return {grpc::StatusCode::FAILED_PRECONDITION, refused->message};
  return stored(lock, {.text = "order"}, true);
}

void Service::poll() {
  const Lock lock = enter();
  show(true);
}

void Service::advance() {
  const Lock lock = enter();
  if (!leadership_.may_decide()) return;  // decisions that cannot be published are not made
  Core& core = *leadership_.core();
  const std::uint64_t deaths = core.deaths();
  const std::uint32_t deal = core.fabric_keys().deal;
  change_keys_if_revoked(core);
  add_due_key();
  core.advance(leadership_.now_us());
  if (core.deaths() != deaths) {
    host::log_warning("members considered dead: no heartbeats",
                      {{"count", core.deaths() - deaths}, {"version", core.map().version}});
  }
  log_quarantine(core);
  reported_ = true;
  const bool died = core.deaths() != deaths;
  const tracing::Cause cause{.text = died ? "silence" : "load",
                             .since_us = died ? host::Loop::clock_us() - silence_us_max_ : 0};
  keep(cause, core.fabric_keys().deal != deal);
}

void Service::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  watchers_.stop();
}

}  // namespace perigee::directory
