// Server logic: power-ups and torches that come back, flights of balls, NPCs, players that join
// and leave, and chat. Each worker looks after its own entities. Nothing depends on a single tick:
// the successor of a dead worker, which misses some ticks, does it later.
#include <algorithm>
#include <cmath>

#include "game.hpp"
#include "records.hpp"

namespace hover_tag {

using namespace perigee;
using world::ThinkActor;
using world::ThinkContext;

namespace {

constexpr double arena_half_x_m = 62, arena_half_z_m = 32, arena_high_m = 40;
constexpr std::size_t chat_bytes_max = 200;

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

/// The team in the claims of the player's token, {"team":2}; else 0.
std::uint8_t team_in(const PlayerAccount& account) {
  constexpr std::string_view key = "\"team\":";
  const std::string_view claims = text_of(account.claims);
  const std::size_t at = claims.find(key);
  if (at == std::string_view::npos || at + key.size() >= claims.size()) return 0;
  const char team = claims[at + key.size()];
  return team == '1' || team == '2' ? static_cast<std::uint8_t>(team - '0') : 0;
}

}  // namespace

void Game::think(ThinkContext& context) const {
  const MatchTime now = match_time(rules_, context.tick());
  look_after_things(context, now);
  context.for_each_actor([&](const ThinkActor& actor) { look_after(context, now, actor); });
  if (context.tick().count % power_period_ticks == 0) fill_spots(context, power_row, "power.");
  if (now.phase != Phase::Break) return;
  if (now.left <= lay_out_ticks) fill_spots(context, torch_row, "torch.");
  if (context.owns_world()) look_after_standings(context, now);
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
  report_score(journal, now, actor);
  keep_result(journal, actor);
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
  Profile profile = profile_of(journal, who.actor).value_or(Profile{});
  profile.player_id = who.account.player_id;
  profile.name = who.account.name;
  ++profile.visits;
  save(journal, who.actor, profile);
  journal.notify(who.actor, {.kind = career, .tick = who.tick, .amount = career_of(profile)});
  const std::uint8_t wanted = team_in(who.account);
  const Handle standings = journal.world_entity();
  if (standings != no_entity && journal.send({.tick = who.tick,
                                              .kind = wants_team,
                                              .from = who.actor,
                                              .to = standings,
                                              .amount = wanted})) {
    return;
  }
  const int any = 1 + static_cast<int>(who.account.player_id % 2);
  journal.notify(who.actor, {.kind = joins, .tick = who.tick, .amount = wanted ? wanted : any});
}

void Game::on_leave(world::Journal& journal, const world::Participant& who) const {
  const auto state = journal.state(who.actor);
  if (!state) return;
  if (state->as<Runner>().torch != 0) drop_torch(journal, who.tick);
  if (journal.world_entity() == no_entity) return;
  journal.send({.tick = who.tick,
                .kind = leaves,
                .from = who.actor,
                .to = journal.world_entity(),
                .amount = state->as<Runner>().team});
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
