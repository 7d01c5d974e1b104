#include "perigee/world_keeper/keeper.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace perigee::world_keeper {
namespace {

using worker::Journalled;
using world_store::Write;

constexpr std::uint32_t tidied_rows_max = 2'000;

world_store::Owner owner_of(const Self& self) {
  return {self.cluster_id, self.slot, self.incarnation};
}

Journalled journalled(Write write) {
  switch (write) {
    case Write::Written:
    case Write::AlreadyThere:
      return Journalled::Stands;
    case Write::Contradiction:
      return Journalled::Unnamed;
    case Write::Fenced:
    case Write::NotAsked:
      break;
  }
  return Journalled::Fenced;
}

/// The outcome was sent to players, so the world must not start without it.
Error unreadable(const world_store::JournalRow& row) {
  return Error{"the journal's outcome of tick " + std::to_string(row.id.tick.count) +
               " cannot be read: start the version of perigee that wrote it, or restore a backup"};
}

}  // namespace

// Checkpoints of another cluster id contain handles that this one grants anew.
Result<Ok> Keeper::begin(const Self& self) {
  const auto known = store_.cluster_id();
  if (!known) return known.error();
  if (*known == self.cluster_id) return Ok{};
  if (*known == 0) return store_.adopt(self.cluster_id);
  return Error{
      "the world store contains another world: restore the directory's state that belongs to it, "
      "or "
      "use an empty store for this world; a cluster and perigee-rooms need a store each"};
}

Result<std::vector<Journalled>> Keeper::append(const Self& self,
                                               std::span<const worker::OutcomeRow> rows) {
  std::vector<world_store::JournalRow> written;
  written.reserve(rows.size());
  for (const worker::OutcomeRow& row : rows) {
    written.push_back({.id = {row.about(), row.entry.tick, row.entry.kind, row.ordinal},
                       .slot = self.slot,
                       .incarnation = self.incarnation,
                       .group = row.about(),
                       .payload = worker::payload_of(row)});
  }
  const auto became = store_.append(self.cluster_id, written);
  if (!became) return became.error();
  std::vector<Journalled> out;
  out.reserve(became->size());
  std::transform(became->begin(), became->end(), std::back_inserter(out), journalled);
  return out;
}

Result<std::vector<Journalled>> Keeper::keep(const Self& self,
                                             std::span<const worker::LastingRow> rows,
                                             std::int64_t unix_s) {
  std::vector<world_store::ResultRow> results;
  std::vector<world_store::ProfileRow> profiles;
  for (const worker::LastingRow& row : rows) {
    if (row.kind == worker::LastingKind::Result) {
      results.push_back({self.cluster_id, row.owner, row.match, row.place, unix_s, row.bytes});
    } else {
      profiles.push_back({row.owner, row.lease, row.tick, row.version, row.bytes});
    }
  }
  const auto added = store_.add_results(owner_of(self), results);
  if (!added) return added.error();
  const auto saved = store_.save_profiles(owner_of(self), profiles);
  if (!saved) return saved.error();
  std::vector<Journalled> out;
  out.reserve(rows.size());
  auto result = added->begin(), profile = saved->begin();
  for (const worker::LastingRow& row : rows) {
    out.push_back(journalled(row.kind == worker::LastingKind::Result ? *result++ : *profile++));
  }
  return out;
}

Result<std::vector<worker::TakenProfile>> Keeper::take_profiles(
    const Self& self, std::span<const std::uint64_t> owners) {
  auto taken = store_.take_profiles(owner_of(self), owners);
  if (!taken) return taken.error();
  std::vector<worker::TakenProfile> out;
  out.reserve(owners.size());
  for (world_store::TakenProfile& each : *taken) {
    worker::TakenProfile& profile = out.emplace_back();
    profile.lease = each.lease;
    if (each.row) {
      profile.stored = worker::StoredProfile{each.row->version, std::move(each.row->payload)};
    }
  }
  return out;
}

// The first worker begins the checkpoint for all. A worker with another view of the membership
// takes no part in it. Then the checkpoint is never completed, and the next one follows after 15 s.
Result<bool> Keeper::write(const Self& self, const worker::CheckpointPart& part) {
  const auto begun = store_.begin_checkpoint(self.cluster_id, part.tick, part.slots);
  if (!begun) return begun.error();
  if (*begun != Write::Written && *begun != Write::AlreadyThere) return false;
  const auto written = store_.write_part(part.tick, owner_of(self), part.bytes);
  if (!written) return written.error();
  return *written == Write::Written || *written == Write::AlreadyThere;
}

Result<bool> Keeper::tidy() {
  const auto removed = store_.forget(tidied_rows_max);
  if (!removed) return removed.error();
  return *removed > 0;
}

Result<std::optional<Tick>> Keeper::last_checkpoint(const Self& self) {
  const auto checkpoints = store_.complete_checkpoints();
  if (!checkpoints) return checkpoints.error();
  for (const world_store::Checkpoint& checkpoint : *checkpoints) {
    if (checkpoint.cluster_id == self.cluster_id) return std::optional(checkpoint.tick);
  }
  return std::optional<Tick>();
}

Result<Ok> Keeper::fence(const Self& self, const ClusterMap& map) {
  for (const WorkerEntry& worker : map.workers) {
    const Incarnation oldest = worker.alive ? worker.incarnation : worker.incarnation.next();
    const auto raised = store_.fence_older(owner_of({self.cluster_id, worker.slot, oldest}));
    if (!raised) return raised.error();
  }
  return Ok{};
}

Result<worker::WholeCheckpoint> Keeper::read(const world_store::Checkpoint& checkpoint) {
  std::vector<std::vector<std::byte>> parts;
  for (const WorkerSlot slot : checkpoint.slots) {
    auto part = store_.read_part(checkpoint.tick, slot);
    if (!part) return part.error();
    if (!*part) return Error{"a part is missing: restore a backup"};
    parts.push_back(std::move(**part));
  }
  auto whole = worker::join_parts(checkpoint.tick, parts, game_);
  if (!whole) return whole;
  if (const auto read = read_journal(*whole); !read) return read.error();
  return whole;
}

Result<Ok> Keeper::read_journal(worker::WholeCheckpoint& checkpoint) {
  world_store::JournalQuery query{.after = checkpoint.settled};
  while (true) {
    const auto page = store_.read_journal(query);
    if (!page) return page.error();
    for (const world_store::JournalRow& row : *page) {
      const auto entry = worker::entry_of(row.payload);
      if (!entry) return unreadable(row);
      checkpoint.journal.push_back(*entry);
    }
    if (page->size() < query.rows_max) return Ok{};
    query.beyond = page->back().id;
  }
}

Result<std::optional<worker::WholeCheckpoint>> Keeper::load(const Self& self,
                                                            const ClusterMap& map) {
  if (const auto fenced = fence(self, map); !fenced) return fenced.error();
  const auto checkpoints = store_.complete_checkpoints();
  if (!checkpoints) return checkpoints.error();
  std::optional<Error> why;
  for (const world_store::Checkpoint& checkpoint : *checkpoints) {
    if (checkpoint.cluster_id != self.cluster_id) continue;
    auto whole = read(checkpoint);
    if (whole) return std::optional(std::move(*whole));
    if (!why) {
      why = Error{"the world store's checkpoint of tick " + std::to_string(checkpoint.tick.count) +
                  " cannot be read: " + whole.error().message};
    }
  }
  if (why) return *why;
  return std::optional<worker::WholeCheckpoint>();
}

}  // namespace perigee::world_keeper
