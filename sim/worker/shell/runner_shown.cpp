// A worker process's metrics, and its reply to Sim.Status.
#include <algorithm>
#include <optional>
#include <string>

#include "runner.hpp"

namespace perigee::worker {

namespace {

/// The first `doubts_shown_max` groups in doubt, and the number of all.
struct ShownDoubts {
  const std::vector<GroupInDoubt>& doubts;
  const Core& core;
  const world::GameModule& game;
  const peers::Links& links;
  WorkerSlot self;

  void add_to(sim::v1::StatusReply& status) const {
    status.set_groups_in_doubt(static_cast<std::uint32_t>(doubts.size()));
    const std::size_t shown = std::min(doubts.size(), Runner::doubts_shown_max);
    for (std::size_t i = 0; i < shown; ++i) add(*status.add_in_doubt(), doubts[i]);
  }
  void add(sim::v1::GroupInDoubt& out, const GroupInDoubt& doubt) const {
    out.set_group(doubt.group);
    const world::Entity* root = core.world().find(doubt.group);
    if (root != nullptr) out.set_kind(std::string(game.types()[root->type].name));
    out.set_players(doubt.players);
    out.set_from_incarnation(doubt.from.number);
    out.set_to_incarnation(doubt.to.number);
    if (doubt.asked) out.set_asked_slot(doubt.asked->number);
    out.set_for_s(doubt.for_ticks * seconds_per_tick);
    const bool away = doubt.reason == DoubtReason::NoAnswer && doubt.asked &&
                      *doubt.asked != self && !links.core().linked(*doubt.asked);
    out.set_reason(away ? sim::v1::DOUBT_REASON_NO_LINK
                        : static_cast<sim::v1::DoubtReason>(doubt.reason));
  }
};

}  // namespace

void Runner::show_store() {
  if (!store_) return;
  const StoreThread::Status status = store_->thread().status();
  std::optional<double> age_s;
  if (status.last_checkpoint && directory_->clock().ready()) {
    const Tick now = tick_at(map_.time, directory_now_us());
    age_s = ticks_between(*status.last_checkpoint, now) * seconds_per_tick;
  }
  exported_.show(status, age_s, core_ ? core_->outcomes_waiting() : 0);
}

const world::World* Runner::world() const {
  return core_ && core_->ready() ? &core_->world() : nullptr;
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
  status.set_tick_p50_us(static_cast<double>(times_.wall().quantile_us(0.5)));
  status.set_tick_p99_us(static_cast<double>(times_.wall().quantile_us(0.99)));
  status.set_overruns(times_.wall().overruns());
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
    ShownDoubts{doubts_, *core_, game_, links_, registration_.worker_slot()}.add_to(status);
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
  exported_.show(times_.wall());
  if (flights_) exported_.show(flights_->log());
  exported_.show(budget_);
  if (options_.slow_calls != nullptr) exported_.show(*options_.slow_calls);
  exported_.show(fabric_->counts());
  exported_.show(links_.core());
  exported_.show(seal_);
  exported_.show_tick_lag(tick_lag_us());
  if (core_ && core_->ready())
    exported_.show_rate(map_.time.of(core_->next_tick()).rate_ppm * 1e-6);
  if (directory_->clock().ready()) exported_.show_clock_error(directory_->clock().error_us());
  exported_.flush();
  return status;
}

}  // namespace perigee::worker
