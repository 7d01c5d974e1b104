// Results of matches, and profiles of players: kept for good.
#include "sql_store.hpp"

namespace perigee::world_store {
namespace {

/// The engines' integers are signed.
std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Values key_of(const ResultRow& row) {
  return {std::int64_t{row.cluster_id}, as_signed(row.origin), std::int64_t{row.match},
          std::int64_t{row.place}};
}

ResultRow result_of(Answer& answer, std::size_t row) {
  return {.cluster_id = static_cast<ClusterId>(answer.number(row, 0)),
          .origin = static_cast<std::uint64_t>(answer.number(row, 1)),
          .match = static_cast<std::uint32_t>(answer.number(row, 2)),
          .place = static_cast<std::uint16_t>(answer.number(row, 3)),
          .unix_s = answer.number(row, 4),
          .payload = std::move(answer.bytes(row, 5))};
}

}  // namespace

Result<std::vector<Write>> SqlStore::insert(std::span<const ResultRow> rows) {
  std::vector<Values> calls, keys;
  for (const ResultRow& row : rows) {
    keys.push_back(key_of(row));
    Values& values = calls.emplace_back(keys.back());
    values.emplace_back(row.unix_s);
    values.emplace_back(std::span(row.payload));
  }
  const auto added = database_->run_each(Sql::AddResult, calls);
  if (!added) return added.error();
  std::vector<Write> became(rows.size(), Write::Written);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((*added)[i].changed == 1) continue;
    auto stored = database_->run(Sql::ResultPayload, keys[i]);
    if (!stored) return stored.error();
    const bool same = stored->bytes(0, 0) == rows[i].payload;
    became[i] = same ? Write::AlreadyThere : Write::Contradiction;
  }
  return became;
}

Result<std::vector<Write>> SqlStore::add_results(const Owner& owner,
                                                 std::span<const ResultRow> rows) {
  for (const ResultRow& row : rows) {
    PERIGEE_ASSERT(row.payload.size() <= result_bytes_max, "a result is too large");
  }
  return as_owner(owner, rows.size(), Write::Fenced, [&](const World&) { return insert(rows); });
}

Result<std::vector<ResultRow>> SqlStore::read_results(const ResultQuery& query) {
  using Rows = std::vector<ResultRow>;
  return atomically<Rows>(Intent::Read, [&]() -> Result<Rows> {
    Values values{std::int64_t{-1}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}};
    if (query.beyond) {
      const ResultRow& row = *query.beyond;
      values = {std::int64_t{row.match}, std::int64_t{row.place}, std::int64_t{row.cluster_id},
                as_signed(row.origin)};
    }
    if (query.match) values.emplace_back(std::int64_t{*query.match});
    values.emplace_back(std::int64_t{query.rows_max});
    auto page = database_->run(query.match ? Sql::ResultsOfMatch : Sql::Results, values);
    if (!page) return page.error();
    Rows rows;
    rows.reserve(page->rows.size());
    for (std::size_t i = 0; i < page->rows.size(); ++i) rows.push_back(result_of(page.value(), i));
    return rows;
  });
}

Result<std::vector<Write>> SqlStore::save(const World& world, std::span<const ProfileRow> rows) {
  std::vector<Values> calls;
  for (const ProfileRow& row : rows) {
    calls.push_back({as_signed(row.player_id), as_signed(row.lease), world.unwrapped(row.tick),
                     std::int64_t{row.version}, std::span(row.payload)});
  }
  const auto saved = database_->run_each(Sql::SaveProfile, calls);
  if (!saved) return saved.error();
  std::vector<Write> became(rows.size(), Write::Written);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((*saved)[i].changed == 1) continue;
    const auto there = profile_of(rows[i].player_id);
    if (!there) return there.error();
    const bool newer = *there && (*there)->lease > rows[i].lease;
    became[i] = newer ? Write::Contradiction : Write::AlreadyThere;
  }
  return became;
}

Result<std::vector<Write>> SqlStore::save_profiles(const Owner& owner,
                                                   std::span<const ProfileRow> rows) {
  for (const ProfileRow& row : rows) {
    PERIGEE_ASSERT(row.payload.size() <= profile_bytes_max, "a profile is too large");
  }
  return as_owner(owner, rows.size(), Write::Fenced,
                  [&](const World& world) { return save(world, rows); });
}

/// None: there is no row, or nothing was saved yet.
Result<std::optional<ProfileRow>> SqlStore::profile_of(std::uint64_t player_id) {
  auto found = database_->run(Sql::Profile, {as_signed(player_id)});
  if (!found) return found.error();
  if (found->rows.empty() || found->number(0, 2) < 0) return std::optional<ProfileRow>();
  return std::optional(ProfileRow{.player_id = player_id,
                                  .lease = static_cast<std::uint64_t>(found->number(0, 0)),
                                  .tick = Tick{static_cast<std::uint32_t>(found->number(0, 1))},
                                  .version = static_cast<std::uint32_t>(found->number(0, 2)),
                                  .payload = std::move(found->bytes(0, 3))});
}

Result<std::vector<TakenProfile>> SqlStore::take(std::span<const std::uint64_t> player_ids) {
  std::vector<Values> calls;
  for (const std::uint64_t player_id : player_ids) {
    calls.push_back({as_signed(player_id), std::span<const std::byte>()});
  }
  const auto taken = database_->run_each(Sql::TakeProfile, calls);
  if (!taken) return taken.error();
  std::vector<TakenProfile> out;
  for (std::size_t i = 0; i < player_ids.size(); ++i) {
    auto row = profile_of(player_ids[i]);
    if (!row) return row.error();
    out.push_back({static_cast<std::uint64_t>((*taken)[i].number(0, 0)), std::move(*row)});
  }
  return out;
}

Result<std::vector<TakenProfile>> SqlStore::take_profiles(
    const Owner& owner, std::span<const std::uint64_t> player_ids) {
  return as_owner(owner, player_ids.size(), TakenProfile{},
                  [&](const World&) { return take(player_ids); });
}

Result<std::optional<ProfileRow>> SqlStore::read_profile(std::uint64_t player_id) {
  return atomically<std::optional<ProfileRow>>(Intent::Read, [&] { return profile_of(player_id); });
}

}  // namespace perigee::world_store
