// The cluster id, permission to write, and the journal.
#include <algorithm>
#include <map>

#include "sql_store.hpp"

namespace perigee::world_store {
namespace {

/// Above every target: the position after a tick's last outcome.
constexpr std::int64_t no_target = std::int64_t{1} << 32U;
constexpr std::uint8_t ordinal_max = 255;

JournalRow read_row(Answer& answer, std::size_t row) {
  const auto number = [&](std::size_t column) {
    return static_cast<std::uint32_t>(answer.number(row, column));
  };
  return {.id = {.target = number(0),
                 .tick = Tick{number(1)},
                 .kind = static_cast<std::uint8_t>(number(2)),
                 .ordinal = static_cast<std::uint8_t>(number(3))},
          .slot = WorkerSlot::at(number(4)),
          .incarnation = Incarnation{number(5)},
          .group = number(6),
          .payload = std::move(answer.bytes(row, 7))};
}

}  // namespace

Result<SqlStore::World> SqlStore::world(Sql how) {
  const auto answer = database_->run(how, {});
  if (!answer) return answer.error();
  PERIGEE_ASSERT(answer->rows.size() == 1, "the table `world` must have one row");
  return World{static_cast<ClusterId>(answer->number(0, 0)), answer->number(0, 1)};
}

Result<ClusterId> SqlStore::cluster_id() {
  return atomically<ClusterId>(Intent::Read, [&]() -> Result<ClusterId> {
    const auto now = world(Sql::World);
    if (!now) return now.error();
    return now->cluster_id;
  });
}

Result<Ok> SqlStore::adopt(ClusterId cluster_id) {
  return atomically<Ok>(Intent::Write, [&]() -> Result<Ok> {
    const auto now = world(Sql::WorldAlone);
    if (!now) return now.error();
    if (now->cluster_id == cluster_id) return Ok{};
    const auto set = database_->run(Sql::SetClusterId, {std::int64_t{cluster_id}});
    if (!set) return set.error();
    for (const Sql rest : {Sql::ForgetIncarnations, Sql::ForgetOpenCheckpoints, Sql::ForgetParts}) {
      if (const auto gone = database_->run(rest, {}); !gone) return gone.error();
    }
    return Ok{};
  });
}

Result<Write> SqlStore::claim(const Owner& owner) {
  const auto stored = database_->run(
      Sql::Claim, {std::int64_t{owner.slot.number}, std::int64_t{owner.incarnation.number}});
  if (!stored) return stored.error();
  return stored->number(0, 0) == owner.incarnation.number ? Write::Written : Write::Fenced;
}

Result<Write> SqlStore::fence_older(const Owner& owner) {
  return atomically<Write>(Intent::Write, [&]() -> Result<Write> {
    const auto now = world(Sql::WorldShared);
    if (!now) return now.error();
    if (now->cluster_id != owner.cluster_id) return Write::Fenced;
    return claim(owner);
  });
}

// Slots in ascending order, so that two batches cannot deadlock; for each slot its newest
// incarnation, which fences older ones in the same batch.
Result<std::vector<bool>> SqlStore::may_write(std::span<const JournalRow> rows) {
  std::map<WorkerSlot, Incarnation> newest;
  for (const JournalRow& row : rows) {
    Incarnation& incarnation = newest[row.slot];
    incarnation = std::max(incarnation, row.incarnation);
  }
  std::vector<Values> calls;
  calls.reserve(newest.size());
  for (const auto& [slot, incarnation] : newest) {
    calls.push_back({std::int64_t{slot.number}, std::int64_t{incarnation.number}});
  }
  const auto claimed = database_->run_each(Sql::Claim, calls);
  if (!claimed) return claimed.error();
  std::size_t at = 0;
  for (auto& [slot, incarnation] : newest) {
    incarnation = Incarnation{static_cast<std::uint32_t>((*claimed)[at++].number(0, 0))};
  }
  std::vector<bool> allowed;
  allowed.reserve(rows.size());
  for (const JournalRow& row : rows) allowed.push_back(row.incarnation == newest[row.slot]);
  return allowed;
}

Result<std::vector<Write>> SqlStore::insert(const World& world, std::span<const JournalRow> rows,
                                            const std::vector<bool>& allowed) {
  std::vector<Write> became(rows.size(), Write::Fenced);
  std::vector<Named> tried;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (allowed[i]) tried.push_back({i, rows[i].id});
  }
  while (!tried.empty()) {
    auto other = insert(world, rows, tried, became);
    if (!other) return other.error();
    tried = std::move(other.value());
  }
  return became;
}

// Returns the rows with an id that another outcome has, under the next ordinal. Rows keep their
// ids, so that a repeat follows the same ids up to its own.
Result<std::vector<SqlStore::Named>> SqlStore::insert(const World& world,
                                                      std::span<const JournalRow> rows,
                                                      std::span<const Named> tried,
                                                      std::vector<Write>& became) {
  const auto id_of = [&](const OutcomeId& id) {
    return Values{std::int64_t{id.target}, world.unwrapped(id.tick), std::int64_t{id.kind},
                  std::int64_t{id.ordinal}};
  };
  std::vector<Values> calls;
  for (const Named& each : tried) {
    const JournalRow& row = rows[each.row];
    Values values = id_of(each.id);
    for (const std::int64_t number :
         {std::int64_t{row.slot.number}, std::int64_t{row.incarnation.number},
          std::int64_t{row.group}}) {
      values.emplace_back(number);
    }
    values.emplace_back(std::span(row.payload));
    calls.push_back(std::move(values));
  }
  const auto added = database_->run_each(Sql::AddRow, calls);
  if (!added) return added.error();
  calls.clear();
  std::vector<Named> there;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    became[tried[i].row] = Write::Written;
    if ((*added)[i].changed == 1) continue;
    there.push_back(tried[i]);
    calls.push_back(id_of(tried[i].id));
  }
  auto stored = database_->run_each(Sql::RowPayload, calls);
  if (!stored) return stored.error();
  std::vector<Named> other;
  for (std::size_t i = 0; i < there.size(); ++i) {
    Named& each = there[i];
    const bool same = stored.value()[i].bytes(0, 0) == rows[each.row].payload;
    became[each.row] = same ? Write::AlreadyThere : Write::Contradiction;
    if (same || each.id.ordinal == ordinal_max) continue;
    ++each.id.ordinal;
    other.push_back(each);
  }
  return other;
}

Result<std::vector<Write>> SqlStore::append(ClusterId cluster_id,
                                            std::span<const JournalRow> rows) {
  PERIGEE_ASSERT(rows.size() <= batch_rows_max, "more rows than batch_rows_max");
  for (const JournalRow& row : rows) {
    PERIGEE_ASSERT(row.payload.size() <= payload_bytes_max,
                   "an outcome is larger than payload_bytes_max");
  }
  if (rows.empty()) return std::vector<Write>{};
  using Became = std::vector<Write>;
  return atomically<Became>(Intent::Write, [&]() -> Result<Became> {
    const auto now = world(Sql::WorldShared);
    if (!now) return now.error();
    if (now->cluster_id != cluster_id) return Became(rows.size(), Write::Fenced);
    const auto allowed = may_write(rows);
    if (!allowed) return allowed.error();
    return insert(*now, rows, *allowed);
  });
}

Result<std::vector<JournalRow>> SqlStore::read_journal(const JournalQuery& query) {
  using Rows = std::vector<JournalRow>;
  return atomically<Rows>(Intent::Read, [&]() -> Result<Rows> {
    const auto now = world(Sql::World);
    if (!now) return now.error();
    Values values{now->unwrapped(query.after), no_target, std::int64_t{0}, std::int64_t{0}};
    if (query.beyond) {
      const OutcomeId& id = *query.beyond;
      values = {now->unwrapped(id.tick), std::int64_t{id.target}, std::int64_t{id.kind},
                std::int64_t{id.ordinal}};
    }
    if (query.group) values.emplace_back(std::int64_t{*query.group});
    values.emplace_back(std::int64_t{query.rows_max});
    auto page = database_->run(query.group ? Sql::JournalOfGroup : Sql::Journal, values);
    if (!page) return page.error();
    Rows rows;
    rows.reserve(page->rows.size());
    for (std::size_t i = 0; i < page->rows.size(); ++i) rows.push_back(read_row(page.value(), i));
    return rows;
  });
}

}  // namespace perigee::world_store
