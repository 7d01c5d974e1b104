// Teams, and the end of a match. The owner of the world's state balances the teams, and makes the
// table: each runner's worker reports its score, the table is closed once, and each runner learns
// its place. Then its worker keeps the result and the profile. Messages arrive once and the state
// of a tick survives as a whole, so the table has each runner once, however workers die.
#include <algorithm>
#include <array>

#include "game.hpp"
#include "records.hpp"

namespace hover_tag {

using namespace perigee;
using world::Message;

namespace {

/// A new match begins with an empty table, and the horn.
void begin_table(world::Journal& journal, Standings& standings, std::uint16_t match) {
  standings.match = match;
  standings.rows = 0;
  standings.outcome = Standings::Open;
  standings.table = {};
  const std::array horn{std::byte(Call::Horn), std::byte(match & 0xff), std::byte(match >> 8)};
  journal.tell_everybody(horn);
}

/// The smaller team, unless the player's token names one.
std::uint8_t join_team(Standings& standings, std::int32_t wanted) {
  const std::uint8_t smaller = standings.runners[1] < standings.runners[0] ? 2 : 1;
  const std::uint8_t team =
      wanted == 1 || wanted == 2 ? static_cast<std::uint8_t>(wanted) : smaller;
  ++standings.runners[team - 1U];
  return team;
}

void leave_team(Standings& standings, std::int32_t team) {
  if (team != 1 && team != 2) return;
  auto& runners = standings.runners[static_cast<std::size_t>(team - 1)];
  if (runners > 0) --runners;
}

/// By score; of equal ones, in the order of their reports.
std::uint8_t close(Standings& standings) {
  const auto rows = std::span(standings.table).first(standings.rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.score() > b.score(); });
  std::array<std::uint32_t, 3> sums{};
  for (const auto& row : rows) sums[row.team() % sums.size()] += row.score();
  if (sums[1] == sums[2]) return Standings::Draw;
  return sums[1] > sums[2] ? Standings::TeamOne : Standings::TeamTwo;
}

void tell_place(world::Journal& journal, const Standings& standings, std::size_t row, Tick tick) {
  const Standings::TableRow& of = standings.table[row];
  const bool won = of.team() == standings.outcome;
  journal.send({.tick = tick,
                .index = static_cast<std::uint8_t>(row),
                .kind = placed,
                .from = journal.world_entity(),
                .to = of.runner,
                .amount = static_cast<std::int32_t>(row + 1) | int{won} << 8 | of.score() << 16});
}

}  // namespace

void Game::receive_at_standings(world::Journal& journal, const Message& message,
                                bool returned) const {
  if (returned) {  // the standings were on no worker for a while
    Message again = message;
    again.to = journal.world_entity();
    if (again.to != no_entity) journal.send(again);
    return;
  }
  if (message.kind == report) return receive_report(journal, message);
  auto state = journal.world_state();
  if (!state) return;
  auto& standings = state->as<Standings>();
  if (message.kind == leaves) {
    leave_team(standings, message.amount);
    journal.set_world_state(*state);
    return;
  }
  if (message.kind != wants_team) return;
  const std::uint8_t team = join_team(standings, message.amount);
  journal.set_world_state(*state);
  journal.send({.tick = message.tick,
                .kind = joins,
                .from = message.to,
                .to = message.from,
                .amount = team});
}

void Game::report_score(world::Journal& journal, const MatchTime& now,
                        const world::ThinkActor& actor) const {
  const auto& runner = actor.game.as<Runner>();
  const bool due = now.phase == Phase::Break && now.ticks >= count_ticks &&
                   runner.match == now.match && runner.reported != now.match;
  if (!due || !journal.profile(actor.handle)) return;  // NPCs have none
  const Handle standings = journal.world_entity();
  // A report without its mark is sent again, and found in the table.
  if (standings == no_entity || !journal.send({.tick = journal.tick(),
                                               .kind = report,
                                               .from = actor.handle,
                                               .to = standings,
                                               .amount = runner.score | runner.team << 16})) {
    return;
  }
  journal.notify(actor.handle, {.kind = report, .tick = journal.tick(), .amount = now.match});
}

void Game::receive_report(world::Journal& journal, const Message& message) const {
  auto state = journal.world_state();
  if (!state) return;
  auto& standings = state->as<Standings>();
  const std::uint16_t match = match_time(rules_, message.tick).match;
  if (match > standings.match) begin_table(journal, standings, match);
  const auto rows = std::span(standings.table).first(standings.rows);
  const bool there = std::any_of(rows.begin(), rows.end(),
                                 [&](const auto& row) { return row.runner == message.from; });
  if (match < standings.match || there || standings.rows == Standings::rows_max) return;
  standings.table[standings.rows++] = {message.from, static_cast<std::uint32_t>(message.amount)};
  journal.set_world_state(*state);
  // A report that is late, because a worker has died, gets the last place.
  if (standings.outcome != Standings::Open) {
    tell_place(journal, standings, standings.rows - 1U, journal.tick());
  }
}

void Game::look_after_standings(world::ThinkContext& context, const MatchTime& now) const {
  world::Journal& journal = context.journal();
  auto state = journal.world_state();
  if (!state) return;
  auto& standings = state->as<Standings>();
  if (standings.match != now.match) {
    begin_table(journal, standings, now.match);
    journal.set_world_state(*state);
  }
  if (now.ticks < close_ticks || standings.outcome != Standings::Open) return;
  standings.outcome = close(standings);
  if (journal.set_world_state(*state) != world::SpawnRefusal::None) return;
  for (std::size_t row = 0; row < standings.rows; ++row) {
    tell_place(journal, standings, row, context.tick());
  }
}

void Game::keep_result(world::Journal& journal, const world::ThinkActor& actor) const {
  const auto& runner = actor.game.as<Runner>();
  if (runner.place == 0) return;
  auto profile = profile_of(journal, actor.handle);
  if (!profile) return;  // after a restart of the world it is read later
  const auto kept = keep(journal, runner.reported, runner.place,
                         {.player_id = profile->player_id,
                          .score = runner.final_score,
                          .team = runner.team,
                          .won = runner.won,
                          .name = profile->name});
  if (kept == world::KeepRefusal::Full) return;  // in the next tick, then
  // A world that restarts from a checkpoint may come to the end of this match again.
  if (profile->last_match != runner.reported) {
    profile->last_match = runner.reported;
    profile->points += runner.final_score;
    ++profile->matches;
    profile->wins = static_cast<std::uint16_t>(profile->wins + runner.won);
  }
  if (save(journal, actor.handle, *profile) == world::KeepRefusal::Full) return;
  journal.notify(actor.handle,
                 {.kind = career, .tick = journal.tick(), .amount = career_of(*profile)});
}

}  // namespace hover_tag
