/// A worker and its standby, as `sim/worker/src/failover/standby_stream.cpp`, `replicas.cpp` and
/// `promotion.cpp` drive them. Included by steps.hpp.
#pragma once

#include "steps.hpp"

namespace perigee::migration::checker {

// ---- the owner

template <const Rules& rules>
void Steps<rules>::report(World& world, Owner<rules>& owner) {
  ++owner.word;
  const auto in_sync_with = owner.standby.complete() ? owner.replicates_to : std::nullopt;
  const std::uint32_t region = owner.region.id().number;
  if (owner.region.epoch() != world.records[region].epoch) return;  // the directory ignores it
  world.reports[region].push_back({owner.word, in_sync_with});
}

template <const Rules& rules>
void Steps<rules>::begin_sending(World& world, Owner<rules>& owner, WorkerId to) {
  const std::uint32_t region = owner.region.id().number;
  owner.replicates_to = to;
  auto& replica = world.replicas[region];
  if (!replica || (*replica)->worker != to || (*replica)->epoch != owner.region.epoch()) {
    replica = Replica{.worker = to, .epoch = owner.region.epoch()};
  }
  replica->edit().anew = true;
  Replica everything{to, owner.region.epoch(), owner.region.ledger(), {}, false};
  owner.region.for_each_final(
      [&](GroupId id, Traits::State final) { everything.finals[id] = final; });
  world.streams[region] = {owner.region.epoch(), true, {Item{.everything = everything}}};
}

template <const Rules& rules>
void Steps<rules>::lose(World& world, Owner<rules>& owner, Hands<rules>& fx) {
  Stream& stream = world.streams[owner.region.id().number];
  if (stream.epoch == owner.region.epoch()) stream = {};
  owner.replicates_to.reset();
  if (owner.standby.alone() || owner.standby.losing()) return;
  const bool recorded = owner.standby.lose();
  if (recorded) report(world, owner);
  if (owner.standby.alone()) owner.region.act_alone(fx);
}

template <const Rules& rules>
void Steps<rules>::on_answer(World& world, Owner<rules>& owner, LogIndex position,
                             Hands<rules>& fx) {
  if (owner.standby.alone()) {
    owner.standby.fill(owner.region.appended());
    owner.region.wait_for_standby();
  }
  if (!owner.standby.counts(position)) return;
  owner.region.on_replicated(position, fx);
  if (owner.standby.filled()) report(world, owner);
}

template <const Rules& rules>
void Steps<rules>::on_record(World& world, Owner<rules>& owner, Hands<rules>& fx) {
  const Record& record = world.records[owner.region.id().number];

  const bool revoked = owner.standby.in_sync() && !record.in_sync;
  if (owner.replicates_to && (owner.replicates_to != record.standby || revoked))
    lose(world, owner, fx);
  if (!owner.replicates_to && record.standby && !world.crashed[*record.standby]) {
    begin_sending(world, owner, *record.standby);
  }
  if (record.word != owner.word && world.left.around.record_repeats_word) return;
  const bool waited = owner.standby.losing();
  owner.standby.on_record(record.in_sync);
  if (waited && owner.standby.alone()) owner.region.act_alone(fx);
}

/// The owner has a stream to a living standby.
template <const Rules& rules>
bool Steps<rules>::followed(const World& world, const Owner<rules>& owner) {
  const std::uint32_t region = owner.region.id().number;
  const Stream& stream = world.streams[region];
  const auto& replica = world.replicas[region];
  return stream.whole && stream.epoch == owner.region.epoch() && replica &&
         (*replica)->worker == owner.replicates_to && (*replica)->epoch == owner.region.epoch() &&
         !world.crashed[(*replica)->worker];
}

template <const Rules& rules>
bool Steps<rules>::replicates(const World& from, std::size_t index, const Found& found) {
  const Owner<rules>& owner = *from.owners[index];
  const int who = static_cast<int>(index);
  if (!owner.replicates_to) return true;
  if (!followed(from, owner)) {
    World next = acts(from, index, [&](World& world, auto& own, auto& fx) {
      const WorkerId to = *own.replicates_to;
      lose(world, own, fx);
      const Record& record = world.records[own.region.id().number];
      const auto& replica = world.replicas[own.region.id().number];
      const bool named = record.epoch == own.region.epoch() && record.standby == to;
      // The standby may have been promoted, and neither worker knows it yet.
      const bool same =
          replica && (*replica)->worker == to && (*replica)->epoch == own.region.epoch();
      if ((named || same) && !world.crashed[to]) begin_sending(world, own, to);
    });
    return found({Nature::Progress, "gets no answer of its standby", who}, std::move(next));
  }
  const Replica& replica = **from.replicas[owner.region.id().number];
  if (replica.anew) return true;
  World next = acts(from, index, [&](World& world, auto& own, auto& fx) {
    on_answer(world, own, replica.ledger->entries, fx);
  });
  return found({Nature::Progress, "receives what its standby has", who}, std::move(next));
}

template <const Rules& rules>
bool Steps<rules>::reads_record(const World& from, std::size_t index, const Found& found) {
  const Owner<rules>& owner = *from.owners[index];
  const Record& record = from.records[owner.region.id().number];
  if (owner.word > reports_max) return true;
  World next = from;
  if (record.epoch != owner.region.epoch()) {  // it was declared dead
    next.owners.erase(next.owners.begin() + static_cast<std::ptrdiff_t>(index));
  } else {
    next = acts(from, index, [&](World& world, auto& own, auto& fx) { on_record(world, own, fx); });
  }
  return found({Nature::Progress, "reads its record", static_cast<int>(index)}, std::move(next));
}

// ---- the standby

template <const Rules& rules>
bool Steps<rules>::streams(const World& from, const Found& found) {
  for (std::uint32_t region = 0; region < regions; ++region) {
    const auto& under_way = from.streams[region].under_way;
    if (under_way.empty() || !from.replicas[region]) continue;
    World next = from;
    const Item& item = *under_way.front();
    Replica& replica = next.replicas[region]->edit();
    if (item.everything) replica = *item.everything;
    if (item.entry) {
      replica.ledger->apply(*item.entry);
      const EntryKind kind = item.entry->kind;
      const bool settled = kind == EntryKind::Resume || kind == EntryKind::Gone;
      if (settled) replica.finals.erase(item.entry->group);
    }
    if (item.left) replica.finals[the_group] = *item.left;
    auto& rest = next.streams[region].under_way;
    rest.erase(rest.begin());
    if (!found({Nature::Progress, "a standby gets news of region", static_cast<int>(region)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

/// The successor that the directory has named reads the map.
template <const Rules& rules>
bool Steps<rules>::takes_over(const World& from, const Found& found) {
  for (std::uint32_t region = 0; region < regions; ++region) {
    const Record& record = from.records[region];
    const auto& replica = from.replicas[region];
    const bool named = replica && (*replica)->ledger && (*replica)->worker == record.owner &&
                       (*replica)->epoch.next() == record.epoch && !record.ended;
    if (!named) continue;
    World next = from;
    next.owners.push_back(
        Owner<rules>{.region = Region<Traits, rules>(LogId{region}, record.epoch,
                                                     *(*replica)->ledger, (*replica)->finals),
                     .standby = {},
                     .worker = record.owner});
    next.replicas[region].reset();
    next.streams[region] = {};
    next.had_it[region] = false;
    next = acts(next, next.owners.size() - 1, [](World&, auto&, auto&) {});
    if (!found({Nature::Progress, "a standby takes over region", static_cast<int>(region)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

}  // namespace perigee::migration::checker
