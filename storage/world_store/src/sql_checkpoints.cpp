// Checkpoints: started, written in parts, read, deleted.
#include <algorithm>

#include "sql_store.hpp"

namespace perigee::world_store {
namespace {

constexpr std::size_t piece_bytes = 1U << 20U;
/// Per transaction: bounds how long other connections wait.
constexpr std::size_t step_bytes = 4 * piece_bytes;
constexpr std::int64_t forgotten_pieces_max = 16;

std::vector<WorkerSlot> slots_of(const Answer& parts) {
  std::vector<WorkerSlot> slots;
  slots.reserve(parts.rows.size());
  for (std::size_t part = 0; part < parts.rows.size(); ++part) {
    slots.push_back(WorkerSlot::at(parts.number(part, 0)));
  }
  return slots;
}

}  // namespace

Result<Write> SqlStore::compare_checkpoint(std::int64_t tick, ClusterId cluster_id,
                                           const std::vector<WorkerSlot>& slots) {
  const auto checkpoint = database_->run(Sql::CheckpointOf, {tick});
  if (!checkpoint) return checkpoint.error();
  if (checkpoint->rows.empty() || checkpoint->number(0, 0) != cluster_id)
    return Write::Contradiction;
  const auto parts = database_->run(Sql::Parts, {tick});
  if (!parts) return parts.error();
  return slots_of(*parts) == slots ? Write::AlreadyThere : Write::Contradiction;
}

Result<Write> SqlStore::begin_checkpoint(ClusterId cluster_id, Tick tick,
                                         std::span<const WorkerSlot> slots) {
  PERIGEE_ASSERT(!slots.empty() && slots.size() <= checkpoint_parts_max,
                 "a checkpoint must have 1 to 4096 parts");
  std::vector<WorkerSlot> sorted(slots.begin(), slots.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return atomically<Write>(Intent::Write, [&]() -> Result<Write> {
    const auto now = world(Sql::WorldAlone);
    if (!now) return now.error();
    if (now->cluster_id != cluster_id) return Write::Fenced;
    const std::int64_t at = now->unwrapped(tick);
    const auto last = database_->run(Sql::LastCheckpoint, {});
    if (!last) return last.error();
    if (!last->rows.empty() && at <= last->number(0, 0)) {
      return compare_checkpoint(at, cluster_id, sorted);
    }
    const auto checkpoint = database_->run(Sql::AddCheckpoint, {at, std::int64_t{cluster_id}});
    if (!checkpoint) return checkpoint.error();
    std::vector<Values> parts;
    parts.reserve(sorted.size());
    for (const WorkerSlot slot : sorted) parts.push_back({at, std::int64_t{slot.number}});
    const auto added = database_->run_each(Sql::AddPart, parts);
    if (!added) return added.error();
    const auto moved = database_->run(Sql::SetAnchor, {at});
    if (!moved) return moved.error();
    return Write::Written;
  });
}

// Written: the part is wanted.
Result<Write> SqlStore::is_asked(std::int64_t tick, const Owner& owner) {
  const auto parts = database_->run(Sql::Parts, {tick});
  if (!parts) return parts.error();
  bool complete = true;
  Write verdict = Write::NotAsked;
  for (std::size_t i = 0; i < parts->rows.size(); ++i) {
    const bool written = parts->number(i, 2) >= 0;
    complete = complete && written;
    if (parts->number(i, 0) != owner.slot.number) continue;
    const std::int64_t incarnation = parts->number(i, 1);
    verdict =
        written && incarnation == owner.incarnation.number ? Write::AlreadyThere : Write::Written;
  }
  return complete && verdict == Write::Written ? Write::AlreadyThere : verdict;
}

// The checkpoint stays locked until the commit, so that a complete one never changes.
Result<Write> SqlStore::finish_part(std::int64_t tick, const Owner& owner, std::size_t size) {
  const auto locked = database_->run(Sql::LockCheckpoint, {tick});
  if (!locked) return locked.error();
  auto asked = is_asked(tick, owner);
  if (!asked || *asked != Write::Written) return asked;
  auto claimed = claim(owner);
  if (!claimed || *claimed != Write::Written) return claimed;
  const auto finished = database_->run(
      Sql::Finish, {tick, std::int64_t{owner.slot.number}, std::int64_t{owner.incarnation.number},
                    static_cast<std::int64_t>(size)});
  if (!finished) return finished.error();
  return Write::Written;
}

// One step: writes some pieces; the last step finishes the part. Written: continue.
Result<Write> SqlStore::write_pieces(Tick tick, const Owner& owner,
                                     std::span<const std::byte> bytes, std::size_t begin) {
  const auto now = world(Sql::WorldShared);
  if (!now) return now.error();
  if (now->cluster_id != owner.cluster_id) return Write::Fenced;
  const std::int64_t at = now->unwrapped(tick);
  const auto newest = database_->run(Sql::NewestIncarnation, {std::int64_t{owner.slot.number}});
  if (!newest) return newest.error();
  if (!newest->rows.empty() && newest->number(0, 0) > owner.incarnation.number)
    return Write::Fenced;
  auto asked = is_asked(at, owner);
  if (!asked || *asked != Write::Written) return asked;

  const std::size_t end = std::min(begin + step_bytes, bytes.size());
  std::vector<Values> pieces;
  for (std::size_t from = begin; from < end; from += piece_bytes) {
    pieces.push_back({at, std::int64_t{owner.slot.number}, std::int64_t{owner.incarnation.number},
                      static_cast<std::int64_t>(from / piece_bytes),
                      bytes.subspan(from, std::min(piece_bytes, end - from))});
  }
  const auto added = database_->run_each(Sql::AddPiece, pieces);
  if (!added) return added.error();
  if (end < bytes.size()) return Write::Written;
  return finish_part(at, owner, bytes.size());
}

Result<Write> SqlStore::write_part(Tick tick, const Owner& owner,
                                   std::span<const std::byte> bytes) {
  PERIGEE_ASSERT(bytes.size() <= part_bytes_max, "a part is larger than part_bytes_max");
  for (std::size_t begin = 0;; begin += step_bytes) {
    const auto written =
        atomically<Write>(Intent::Write, [&] { return write_pieces(tick, owner, bytes, begin); });
    if (!written || *written != Write::Written || begin + step_bytes >= bytes.size()) {
      return written;
    }
  }
}

Result<std::vector<Checkpoint>> SqlStore::complete_checkpoints() {
  using Checkpoints = std::vector<Checkpoint>;
  return atomically<Checkpoints>(Intent::Read, [&]() -> Result<Checkpoints> {
    const auto found = database_->run(Sql::CompleteCheckpoints, {});
    if (!found) return found.error();
    Checkpoints checkpoints;
    for (std::size_t i = 0; i < found->rows.size(); ++i) {
      const auto parts = database_->run(Sql::Parts, {found->number(i, 0)});
      if (!parts) return parts.error();
      checkpoints.push_back({.tick = Tick{static_cast<std::uint32_t>(found->number(i, 0))},
                             .cluster_id = static_cast<ClusterId>(found->number(i, 1)),
                             .slots = slots_of(*parts)});
    }
    return checkpoints;
  });
}

Result<std::optional<Bytes>> SqlStore::read_part(Tick tick, WorkerSlot slot) {
  using Found = std::optional<Bytes>;
  return atomically<Found>(Intent::Read, [&]() -> Result<Found> {
    const auto now = world(Sql::World);
    if (!now) return now.error();
    const std::int64_t at = now->unwrapped(tick);
    const auto part = database_->run(Sql::Part, {at, std::int64_t{slot.number}});
    if (!part) return part.error();
    if (part->rows.empty() || part->number(0, 1) < 0) return Found{};
    const std::int64_t incarnation = part->number(0, 0);
    const auto size = static_cast<std::size_t>(part->number(0, 1));
    Bytes bytes;
    bytes.reserve(size);
    for (std::int64_t piece = 0; bytes.size() < size; ++piece) {
      auto found = database_->run(Sql::Piece, {at, std::int64_t{slot.number}, incarnation, piece});
      if (!found) return found.error();
      if (found->rows.empty() || found.value().bytes(0, 0).empty()) break;
      const Bytes& content = found.value().bytes(0, 0);
      bytes.insert(bytes.end(), content.begin(), content.end());
    }
    if (bytes.size() == size) return Found(std::move(bytes));
    return Error{"the world store: of checkpoint " + std::to_string(tick.count) +
                 ", the part of slot " + std::to_string(slot.number) + " has " +
                 std::to_string(bytes.size()) + " of its " + std::to_string(size) +
                 " bytes: it is damaged; start from the older checkpoint, or restore a backup"};
  });
}

Result<std::uint64_t> SqlStore::forget(std::uint32_t rows_max) {
  return atomically<std::uint64_t>(Intent::Write, [&]() -> Result<std::uint64_t> {
    std::uint64_t gone = 0;
    const auto forget_some = [&](Sql sql, const Values& values) -> Result<Ok> {
      const auto done = database_->run(sql, values);
      if (!done) return done.error();
      gone += done->changed;
      return Ok{};
    };
    for (const Sql sql : {Sql::ForgetCheckpoints, Sql::ForgetParts}) {
      if (const auto done = forget_some(sql, {}); !done) return done.error();
    }
    const auto pieces = forget_some(Sql::ForgetPieces, {forgotten_pieces_max});
    if (!pieces) return pieces.error();
    const auto checkpoints = database_->run(Sql::CompleteCheckpoints, {});
    if (!checkpoints) return checkpoints.error();
    if (checkpoints->rows.size() == 2) {
      const auto rows =
          forget_some(Sql::ForgetRows, {checkpoints->number(1, 0), std::int64_t{rows_max}});
      if (!rows) return rows.error();
    }
    return gone;
  });
}

}  // namespace perigee::world_store
