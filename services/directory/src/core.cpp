#include "perigee/directory/core.hpp"

#include "core_parts.hpp"

namespace perigee::directory {

Core::Core(Core&&) noexcept = default;
Core& Core::operator=(Core&&) noexcept = default;
Core::~Core() = default;

void Core::advance(Micros now_us) {
  Parts& parts = *parts_;
  if (const Micros stalled_us = parts.stalls.advance(now_us); stalled_us > 0) {
    parts.members.forgive_stall(now_us, stalled_us);
    parts.losses.forgive_stall(now_us, stalled_us);
  }
  parts.time.renew(now_us);
  // Dead members, and successors for what dead workers owned.
  parts.failover.end_silent(now_us);
  parts.members.end_silent_gateways(now_us);
  parts.assign_regions_and_standbys(now_us);
  parts.records.drop_obsolete();
  // Load: regions move first, and world time slows down if that does not help.
  parts.balance.advance(now_us);
  parts.watch_handles(now_us);
  parts.time.steer(now_us);
  parts.fabric.advance(now_us);
}

Admission Core::register_worker(Micros now_us, const WorkerIntroduction& introduction) {
  const Admission admission = parts_->registration.admit(now_us, introduction);
  if (const auto* grant = std::get_if<Grant>(&admission)) {
    parts_->fabric.note_registered(MemberKind::Worker, grant->slot, introduction.run);
    parts_->assign_regions_and_standbys(now_us);
  }
  return admission;
}

Admission Core::register_gateway(Micros now_us, const GatewayIntroduction& introduction) {
  const Admission admission = parts_->members.admit(now_us, introduction);
  if (const auto* grant = std::get_if<Grant>(&admission)) {
    parts_->fabric.note_registered(MemberKind::Gateway, grant->slot, introduction.run);
  }
  return admission;
}

std::string Core::explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                          std::string_view build) const {
  return parts_->members.builds().explain(refusal, name, speaks, build);
}

bool Core::heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot, std::string_view name,
                     std::uint32_t cluster_id, std::uint64_t instance) {
  const auto received = parts_->members.heartbeat(now_us, {kind, slot, name, cluster_id, instance});
  if (received == Membership::Received::Returned) parts_->assign_regions(now_us);
  return received != Membership::Received::Refused;
}

void Core::report(Micros now_us, std::uint32_t slot, const WorkerReport& report) {
  if (!parts_->reports.accept(slot, report)) return;
  const auto worker = WorkerSlot::at(slot);
  const WorkerEntry& entry = parts_->map.workers[slot];
  for (const HandleBlock block : report.handle_blocks) parts_->blocks.name(block, now_us);
  const bool has_standby_state = report.standby_word != 0 || report.in_sync_with;
  if (has_standby_state) parts_->losses.note_takes(entry.handle_base);
  parts_->standbys.note_report(worker, report);
  if (!report.leaving || entry.draining || !parts_->members.others_stay(worker)) return;
  parts_->members.set_draining(worker, true);
  parts_->balance.drain(now_us);
}

bool Core::sign_off(Micros now_us, MemberKind kind, std::uint32_t slot, std::string_view name,
                    std::uint32_t cluster_id, std::uint64_t instance) {
  const Membership::Process process{kind, slot, name, cluster_id, instance};
  if (!parts_->members.known(process)) return false;
  parts_->members.note_farewell(now_us, process);
  if (kind == MemberKind::Gateway) {
    if (!parts_->map.gateways[slot].alive) return true;
    parts_->members.end_gateway(GatewaySlot::at(slot));
  } else {
    if (!parts_->map.workers[slot].alive) return true;
    parts_->failover.end_by_itself(now_us, WorkerSlot::at(slot));
  }
  parts_->assign_regions_and_standbys(now_us);
  return true;
}

std::vector<WorkerIncarnation> Core::suspects(std::uint32_t reporter,
                                              const WorkerReport& report) const {
  return parts_->standbys.suspects(reporter, report);
}

bool Core::declare_dead(Micros now_us, const WorkerIncarnation& suspect) {
  if (!parts_->failover.confirm_death(now_us, suspect)) return false;
  parts_->assign_regions_and_standbys(now_us);
  return true;
}

Result<RegionId> Core::split(Micros now_us, RegionId region, std::optional<Axis> axis,
                             std::optional<double> at_m) {
  return parts_->region_orders.split(now_us, region, axis, at_m);
}
Result<Ok> Core::merge(Micros now_us, RegionId region) {
  return parts_->region_orders.merge(now_us, region);
}
Result<Ok> Core::move(Micros now_us, RegionId region, std::string_view worker) {
  return parts_->region_orders.move(now_us, region, worker);
}

Result<Ok> Core::drain(Micros now_us, std::string_view worker) {
  const auto slot = parts_->members.living_worker(worker);
  if (!slot) return slot.error();
  if (parts_->map.workers[slot->index()].draining) return Ok{};
  if (!parts_->members.others_stay(*slot)) {
    return Error{"no other worker could take over from " + std::string(worker) +
                 "; start one first"};
  }
  parts_->members.set_draining(*slot, true);
  parts_->balance.drain(now_us);
  return Ok{};
}

Result<Ok> Core::undrain(std::string_view worker) {
  const auto slot = parts_->members.living_worker(worker);
  if (!slot) return slot.error();
  if (parts_->map.workers[slot->index()].draining) parts_->members.set_draining(*slot, false);
  return Ok{};
}

Result<std::optional<WorkerSlot>> Core::kill(Micros now_us, std::string_view worker, bool force) {
  const auto slot = parts_->members.living_worker(worker);
  if (!slot) return slot.error();
  auto successor = parts_->failover.end_by_order(now_us, *slot, force);
  if (successor) parts_->assign_regions_and_standbys(now_us);
  return successor;
}

Result<Ok> Core::resolve(HandleBlock incarnation) { return parts_->failover.resolve(incarnation); }
void Core::set_balance(bool on) { parts_->balance.order(on); }
Result<Ok> Core::set_rate(Micros now_us, std::optional<std::uint32_t> percent) {
  return parts_->time.order(now_us, percent);
}
Result<Ok> Core::change_fabric_keys() { return parts_->fabric.order_change(); }
void Core::resume_time(Micros now_us, Tick tick) { parts_->time.resume(now_us, tick); }
void Core::keep_time(const WorldTime& time) { parts_->time.keep(time); }

bool Core::wants_fabric_key(Micros now_us) const { return parts_->fabric.wants_key(now_us); }
void Core::add_fabric_key(Micros now_us, const FabricKeyBytes& bytes) {
  parts_->fabric.add_key(now_us, bytes);
}
void Core::confirm_fabric_keys(MemberKind kind, std::uint32_t slot, std::uint32_t deal) {
  parts_->fabric.note_confirmed(kind, slot, deal);
}
FabricKeys Core::fabric_keys() const { return parts_->fabric.dealt(); }
std::uint64_t Core::fabric_key_changes() const { return parts_->fabric.changes(); }

const ClusterMap& Core::map() const { return parts_->map; }
const std::string& Core::worker_name(WorkerSlot slot) const {
  return parts_->members.worker(slot).name;
}
const Address& Core::worker_grpc(WorkerSlot slot) const {
  return parts_->members.worker(slot).grpc;
}
const std::string& Core::gateway_name(GatewaySlot slot) const {
  return parts_->members.gateway(slot).name;
}
std::uint64_t Core::deaths() const {
  return parts_->failover.deaths() + parts_->members.gateway_deaths();
}
std::uint64_t Core::failovers() const { return parts_->failover.takeovers(); }
std::uint64_t Core::promotions_without_inputs() const {
  return parts_->failover.promotions_without_inputs();
}
std::uint64_t Core::quarantined() const { return parts_->failover.quarantined(); }
std::uint32_t Core::handle_blocks_left(Micros now_us) const { return parts_->blocks.left(now_us); }
const WorkerReport* Core::report_of(WorkerSlot slot) const { return parts_->reports.of(slot); }
const std::map<RegionId, RegionView>& Core::views() const { return parts_->loads.views(); }
bool Core::balances() const { return parts_->balance.on(); }
double Core::imbalance() const { return parts_->loads.imbalance(); }
const std::array<std::uint64_t, change_kinds>& Core::changes() const {
  return parts_->regions.changes();
}
std::uint64_t Core::reports_refused() const { return parts_->reports.refused(); }
std::uint32_t Core::percent() const { return parts_->time.percent(); }
const std::optional<std::uint32_t>& Core::ordered_percent() const {
  return parts_->time.ordered_percent();
}
std::uint64_t Core::rate_changes() const { return parts_->time.changes(); }

}  // namespace perigee::directory
