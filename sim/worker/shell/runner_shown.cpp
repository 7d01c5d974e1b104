// A worker process's metrics, and its reply to Sim.Status.
#include <optional>
#include <string>

#include "runner.hpp"

namespace perigee::worker {

void Runner::show_store() {
  if (!store_) return;
  const StoreThread::Status status = store_->status();
  std::optional<double> age_s;
  if (status.last_checkpoint && directory_->clock().ready()) {
    const Tick now = tick_at(map_.time, directory_now_us());
    age_s = ticks_between(*status.last_checkpoint, now) * seconds_per_tick;
  }
  exported_.show(status, age_s, core_ ? core_->outcomes_waiting() : 0);
}

void Runner::show_doubts(sim::v1::StatusReply& status) const {
  status.set_groups_in_doubt(static_cast<std::uint32_t>(doubts_.size()));
  for (const GroupInDoubt& doubt : doubts_) {
    if (static_cast<std::size_t>(status.in_doubt_size()) == doubts_shown_max) break;
    auto* out = status.add_in_doubt();
    out->set_group(doubt.group);
    const world::Entity* root = core_->world().find(doubt.group);
    if (root != nullptr) out->set_kind(std::string(game_.types()[root->type].name));
    out->set_players(doubt.players);
    out->set_from_incarnation(doubt.from.number);
    out->set_to_incarnation(doubt.to.number);
    if (doubt.asked) out->set_asked_slot(doubt.asked->number);
    out->set_for_s(doubt.for_ticks * seconds_per_tick);
    const bool away = doubt.reason == DoubtReason::NoAnswer && doubt.asked &&
                      *doubt.asked != registration_.worker_slot() &&
                      !links_.core().linked(*doubt.asked);
    out->set_reason(away ? sim::v1::DOUBT_REASON_NO_LINK
                         : static_cast<sim::v1::DoubtReason>(doubt.reason));
  }
}

sim::v1::StatusReply Runner::show() {
  adopt_map();
  if (core_ && !core_->ready() && directory_->clock().ready()) {
    core_->idle(tick_at(map_.time, directory_now_us()));
  }
  show_store();
  sim::v1::StatusReply status;
  status.set_name(options_.name);
  status.set_slot(registration_.slot);
  status.set_registered(directory_->ready());
  status.set_tick_lag_us(tick_lag_us());
  status.set_tick_p50_us(static_cast<double>(meter_.quantile_us(0.5)));
  status.set_tick_p99_us(static_cast<double>(meter_.quantile_us(0.99)));
  status.set_overruns(meter_.overruns());
  EntityRoles roles;
  if (core_ && core_->ready()) {
    for (const RegionEntry& region : map_.regions) {
      if (region.owner != registration_.worker_slot()) continue;
      auto* owned = status.add_regions();
      owned->set_region(region.region.number);
      owned->set_epoch(region.epoch.number);
    }
    status.set_tick((core_->next_tick() - 1).count);
    if (!map_is_news_) status.set_map_version(map_.version);
    for (const HandleBlock incarnation : core_->incarnations())
      status.add_incarnations(incarnation.number);
    show_doubts(status);
    status.set_players(core_->summary().players);
    status.set_inputs_late(core_->counts()[metric.inputs_late] +
                           core_->counts()[metric.inputs_too_late]);
    const auto present = core_->world().present();
    for (std::size_t type = 0; type < present.size(); ++type) {
      auto* entities = status.add_entities();
      entities->set_kind(std::string(game_.types()[type].name));
      entities->set_count(present[type].own);
      entities->set_ghosts(present[type].remote);
      roles.owned += present[type].own;
      roles.ghosts += present[type].remote;
    }
  }
  owned_ = roles.owned;
  if (core_) exported_.show(*core_, roles);
  exported_.show(doubts_);
  exported_.show(meter_);
  if (flights_) exported_.show(flights_->log());
  exported_.show(budget_);
  exported_.show(fabric_->counts());
  exported_.show(links_.core());
  exported_.show_tick_lag(tick_lag_us());
  if (core_ && core_->ready())
    exported_.show_rate(map_.time.of(core_->next_tick()).rate_ppm * 1e-6);
  if (directory_->clock().ready()) exported_.show_clock_error(directory_->clock().error_us());
  exported_.flush();
  return status;
}

}  // namespace perigee::worker
