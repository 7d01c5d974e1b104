#include "migration/migrations.hpp"

#include <utility>

namespace perigee::worker {

Migrations::Migrations(Needs needs)
    : needs_(std::move(needs)),
      own_(*logs_.emplace(needs_.self, std::make_unique<Log>(*this, Region(needs_.self, Epoch{1})))
                .first->second),
      destinations_({.world = needs_.world,
                     .cluster = needs_.cluster,
                     .next = needs_.next,
                     .owner_of = [this](Handle ghost) { return needs_.ghosts.owner_of(ghost); },
                     .leaves_soon =
                         [this](Handle root) {
                           const auto at = due_.find(root);
                           return at != due_.end() &&
                                  not_after(at->second, needs_.next + ahead_ticks);
                         }}),
      queue_({.world = needs_.world,
              .destinations = destinations_,
              .next = needs_.next,
              .is_offered =
                  [this](Handle root) {
                    const auto offered = offered_.find(root);
                    return offered != offered_.end() && not_after(needs_.next, offered->second);
                  },
              .rests = [this](Handle root) { return moved_.contains(root); },
              .is_too_large = [this](const auto& group) { return is_too_large(group); },
              .offer = [this](Handle root, WorkerSlot to) { return offer(root, to); }}),
      departed_({.cluster = needs_.cluster,
                 .fabric = needs_.fabric,
                 .next = needs_.next,
                 .in_doubt = [this](Handle root) { return in_doubt(root); }}),
      arrivals_({.players = needs_.players,
                 .cluster = needs_.cluster,
                 .fabric = needs_.fabric,
                 .next = needs_.next}) {}

/// A successor answers for the incarnations that it has taken over.
std::optional<WorkerSlot> Migrations::worker_of(HandleBlock incarnation) const {
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    if (worker.alive && worker.block() == incarnation) return worker.slot;
  }
  const FailoverRecord* failover_record = needs_.cluster.failover_record_of(incarnation);
  return failover_record != nullptr ? std::optional(failover_record->successor) : std::nullopt;
}

Epoch Migrations::epoch_of(HandleBlock incarnation) const {
  const FailoverRecord* failover_record = needs_.cluster.failover_record_of(incarnation);
  return failover_record != nullptr ? failover_record->epoch : Epoch{1};
}

std::optional<HandleBlock> Migrations::block_of(WorkerSlot slot) const {
  const WorkerEntry* worker = needs_.cluster.map().worker(slot);
  if (worker == nullptr || !worker->alive) return std::nullopt;
  return worker->block();
}

void Migrations::each_log(
    const std::function<void(Region&, migration::Effects<MigrationTraits>&)>& call) {
  for (auto& [incarnation, log] : logs_) call(log->region, *log);
}

void Migrations::take_over(HandleBlock incarnation, TakenOverLog taken_over) {
  auto& [epoch, ledger, finals, taken] = taken_over;
  for (const auto& [root, state] : finals) expect_back(root, ledger.groups[root].peer, *state);
  logs_.emplace(incarnation,
                std::make_unique<Log>(
                    *this, Region(incarnation, epoch, std::move(ledger), std::move(finals))));
  for (const auto& [root, state] : taken) come_back(root, state, Subscribers::Ahead);
}

void Migrations::on_map() {
  queue_.on_map();
  settle_with_ended();
  departed_.on_map();
}

void Migrations::after_tick() {
  send_held_back();
  receive_returning();
  release_at_border();
  receive_incoming();
  deliver_to_ourselves();
  const Tick now = needs_.next;
  queue_.keep_times();
  if (needs_.ghosts.has_peers()) {
    queue_.find();
    if (queue_.size() > 0 && may_more_leave()) queue_.offer_some();
  }
  if (now.count % resend_ticks == 0) {
    each_log([](Region& log, auto& effects) { log.poll(effects); });
  }
  arrivals_.after_tick();
  departed_.after_tick();
  std::erase_if(moved_,
                [&](const auto& moved) { return ticks_between(moved.second, now) > rest_ticks; });
  std::erase_if(offered_, [&](const auto& offered) { return before(offered.second, now); });
  std::erase_if(promised_, [&](const auto& each) { return before(each.second.until, now); });
}

}  // namespace perigee::worker
