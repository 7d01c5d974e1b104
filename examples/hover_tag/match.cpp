// Server logic: power-ups and torches that come back, flights of balls, results, NPCs, teams and
// chat. Each worker looks after its own entities. Only the horn depends on a single tick: the
// successor of a dead worker, which misses some ticks, does the rest later.
#include <algorithm>
#include <array>
#include <cmath>

#include "game.hpp"

namespace hover_tag {

using namespace perigee;
using world::ThinkActor;
using world::ThinkContext;

namespace {

constexpr double arena_half_x_m = 62, arena_half_z_m = 32, arena_high_m = 40;
constexpr std::size_t chat_bytes_max = 200;

bool has_middle(std::span<const world::Bounds> regions) {
  return std::any_of(regions.begin(), regions.end(),
                     [](const world::Bounds& region) { return region.contains({}); });
}

/// A ball rests when it begins: its flight is announced so early that all clients know of it before
/// they predict it. It is removed when it rests again.
void look_after_ball(ThinkContext& context, Handle ball) {
  const world::World& world = context.world();
  const world::TimelineLog& log = *world.timeline(ball);
  if (log.last_version() == 0) {
    const std::int32_t lead_ticks = world.lead_ticks(ball) + ball_known_ticks;
    context.announce(world.propose_change(ball, context.tick(), 1, lead_ticks));
    return;
  }
  const world::Travel& travel = world.type_of(*world.find(ball)).travel;
  const bool over = log.goal_at(context.tick()) == 1 && settled(travel, log, context.tick());
  if (over) context.journal().despawn(ball);
}

/// The team in the claims of the player's token, {"team":2}; else its id decides.
std::uint8_t team_of(const PlayerAccount& account) {
  constexpr std::string_view key = "\"team\":";
  const std::string_view claims = text_of(account.claims);
  const std::size_t at = claims.find(key);
  if (at != std::string_view::npos && at + key.size() < claims.size()) {
    const char team = claims[at + key.size()];
    if (team == '1' || team == '2') return static_cast<std::uint8_t>(team - '0');
  }
  return static_cast<std::uint8_t>(1 + account.player_id % 2);
}

}  // namespace

void Game::think(ThinkContext& context) const {
  const MatchTime now = match_time(rules_, context.tick());
  look_after_things(context, now);
  context.for_each_actor([&](const ThinkActor& actor) { look_after(context, now, actor); });
  if (context.tick().count % power_period_ticks == 0) fill_spots(context, power_row, "power.");
  if (now.phase != Phase::Break) return;
  if (now.left <= lay_out_ticks) fill_spots(context, torch_row, "torch.");
  if (now.ticks == 0 && has_middle(context.regions())) {
    const std::array horn{std::byte(Call::Horn), std::byte(now.match & 0xff),
                          std::byte(now.match >> 8)};
    context.journal().tell_everybody(horn);
  }
}

void Game::look_after_things(ThinkContext& context, const MatchTime& now) const {
  std::vector<Handle> own;  // spawning and removing changes the list of the world
  for (const Handle handle : context.world().in_order()) {
    if (!context.world().find(handle)->remote) own.push_back(handle);
  }
  const bool old_torches = now.phase == Phase::Break && now.left > lay_out_ticks;
  for (const Handle handle : own) {
    const world::TypeId type = context.world().find(handle)->type;
    if (type == seed_row) grow_npc(context, handle);
    if (type == ball_row) look_after_ball(context, handle);
    if (type == torch_row && old_torches) context.journal().despawn(handle);
  }
}

void Game::fill_spots(ThinkContext& context, Row row, std::string_view spots) const {
  for (const level::Point& spot : level_.points_like(spots)) {
    const auto contains = [&](const world::Bounds& region) {
      return region.contains(spot.pose.position);
    };
    if (std::none_of(context.regions().begin(), context.regions().end(), contains)) continue;
    const auto fills = [&](Handle handle) {
      const world::Entity& entity = *context.world().find(handle);
      return entity.type == row && distance(entity.local.position, spot.pose.position) < 1;
    };
    const auto all = context.world().in_order();
    if (std::any_of(all.begin(), all.end(), fills)) continue;
    context.journal().spawn({.type = static_cast<world::TypeId>(row), .at = spot.pose});
  }
}

void Game::look_after(ThinkContext& context, const MatchTime& now, const ThinkActor& actor) const {
  world::Journal& journal = context.journal();
  const auto& runner = actor.game.as<Runner>();
  // The result of a match, once: the mark in the runner's state and the entry survive together.
  if (now.phase == Phase::Break && now.ticks >= count_ticks && runner.match == now.match &&
      runner.counted != now.match &&
      journal.notify(actor.handle, {.kind = result, .amount = now.match})) {
    journal.write({.tick = context.tick(),
                   .kind = result,
                   .actor = actor.handle,
                   .amount = runner.score | runner.team << 16});
  }
  const auto at = context.world().pose(actor.handle, context.tick());
  if (!at) return;
  const Vec3& place = at->position;
  if (std::abs(place.x) < arena_half_x_m && std::abs(place.z) < arena_half_z_m && place.y > -3 &&
      place.y < arena_high_m) {
    return;
  }
  if (!journal.respawn(actor.handle)) {  // an NPC
    const auto homes = level_.points_like("npc.");
    journal.place(actor.handle, standing(context.world(), homes.front().pose.position));
  }
}

void Game::on_join(world::Journal& journal, const world::Participant& who) const {
  journal.notify(who.actor, {.kind = joins, .tick = who.tick, .amount = team_of(who.account)});
}

void Game::on_leave(world::Journal& journal, const world::Participant& who) const {
  const auto state = journal.state(who.actor);
  if (state && state->as<Runner>().torch != 0) drop_torch(journal, who.tick);
}

void Game::on_message(world::Journal& journal, const world::Participant& who,
                      std::span<const std::byte> message) const {
  if (message.size() > chat_bytes_max) return;
  std::vector<std::byte> line{std::byte(Call::Chat)};
  const auto append = [&](std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    line.insert(line.end(), bytes.begin(), bytes.end());
  };
  append(text_of(who.account.name));
  append(": ");
  line.insert(line.end(), message.begin(), message.end());
  journal.tell_everybody(line);
}

}  // namespace hover_tag
