#include "perigee/worker/migration/group_transfer.hpp"

#include <algorithm>
#include <utility>

#include "ghosts/ghosts.hpp"
#include "migration/group_audience.hpp"
#include "perigee/base/walk.hpp"
#include "players/player_codec.hpp"
#include "put_written.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t format = 6;

/// Everything before the players. `world`: the entities and their past.
template <class Cursor, class World, class Count>
bool walk_head(Cursor& cursor, World& world, Count& players) {
  return walk_constant(cursor, format) && walk_sized<std::uint32_t>(cursor, world) &&
         cursor.number(players);
}

/// The tick is on the wire even if no tick was acknowledged.
template <class Cursor, class Received>
bool walk_received(Cursor& cursor, Received& received) {
  bool any = received.has_value();
  Tick newest = received.value_or(Tick{});
  if (!cursor.flag(any) || !cursor.tick(newest)) return false;
  if constexpr (Cursor::reading) received = any ? std::optional(newest) : std::nullopt;
  return true;
}

template <class Cursor, class Tally>
bool walk_tally(Cursor& cursor, Tally& tally) {
  return cursor.tick(tally.counted) && cursor.number(tally.bytes) &&
         std::all_of(tally.within.begin(), tally.within.end(),
                     [&](auto& count) { return cursor.number(count); });
}

template <class Cursor, class Time>
bool walk_time(Cursor& cursor, Time& us, Micros most) {
  auto written = static_cast<std::uint32_t>(us);
  if (!cursor.number(written) || written > most) return false;
  if constexpr (Cursor::reading) us = written;
  return true;
}

template <class Cursor, class Rate>
bool walk_rate(Cursor& cursor, Rate& rate) {
  const auto round_trip = [&](auto& us) {
    return walk_time(cursor, us, PathQueue::round_trip_us_max);
  };
  const auto limit = [&](auto& bytes_per_s) {
    return cursor.number(bytes_per_s) && bytes_per_s >= RateControl::least_bytes_per_s;
  };
  return walk_optional(cursor, rate.limit, limit) &&
         walk_optional(cursor, rate.shortest.now_us, round_trip) &&
         walk_optional(cursor, rate.shortest.before_us, round_trip) &&
         walk_time(cursor, rate.shortest.age_us, PathQueue::shortest_kept_us) &&
         walk_time(cursor, rate.narrow_for_us, RateControl::narrow_us) &&
         walk_time(cursor, rate.paused_for_us, RateControl::pause_us_max) &&
         walk_time(cursor, rate.next_pause_us, RateControl::pause_us_max) &&
         rate.next_pause_us >= RateControl::pause_us;
}

template <class Cursor, class Path>
bool walk_path(Cursor& cursor, Path& path) {
  return walk_rate(cursor, path.rate) && cursor.number(path.other_bytes) &&
         cursor.number(path.other_bytes_in_period);
}

PathPast path_of(const ObserverState& state) {
  return {state.rate.knowledge(), state.other_bytes, state.observer.other_bytes_in_period};
}

}  // namespace

// The receiver does not send the members again to clients that know them. It removes them at a
// client once they are out of that client's range.
auto GroupTransfer::let_go_of_subscribers(std::span<const Handle> members)
    -> std::vector<GroupSubscriber> {
  std::vector<GroupSubscriber> out;
  for (auto& [session, state] : needs_.observers) {
    replication::Observer& observer = state->observer;
    std::vector<GroupSubscriber::Known> known;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!needs_.publisher.knows(observer, members[i])) continue;
      known.push_back(
          {static_cast<std::uint16_t>(i), needs_.publisher.held_by(observer, members[i])});
      needs_.publisher.let_go(observer, members[i]);
    }
    if (known.empty() || out.size() == subscribers_max) continue;
    out.push_back({state->used, std::move(known)});
    out.back().as.session = session;
  }
  return out;
}

auto GroupTransfer::let_go_of_audience(std::span<const Handle> members) -> GroupAudience {
  GroupAudience out;
  for (const Handle member : members) out.tracks.push_back(needs_.publisher.tracks_of(member));
  out.subscribers = let_go_of_subscribers(members);
  return out;
}

auto GroupTransfer::read_audience(std::span<const std::byte> bytes, std::size_t members)
    -> std::optional<GroupAudience> {
  return read_whole<GroupAudience>(bytes, [&](ByteReader& reader, GroupAudience& audience) {
    return GroupAudience::walk(reader, audience, members);
  });
}

void GroupTransfer::note_known(const GroupAudience& audience, std::span<const Handle> members) {
  for (const GroupSubscriber& subscriber : audience.subscribers) {
    ObserverState& state = needs_.observers.get(subscriber.as.session);
    if (!state.in_force) {
      state.in_force = true;  // the next tick decides whether it still is
      state.used = subscriber.as;
      ObserverRecords::see_from_record(state, needs_.next);
    }
    for (const auto& [member, has] : subscriber.known) {
      needs_.snapshots.adopt(subscriber.as.session, members[member], has);
    }
  }
}

bool GroupTransfer::can_send(Handle of, std::optional<WorkerSlot> to) const {
  const world::Group group = needs_.world.group_of(of);
  const bool stays = std::any_of(group.members.begin(), group.members.end(),
                                 [&](Handle member) { return needs_.taken(member); });
  return !group.members.empty() && !stays &&
         std::all_of(group.foreign.begin(), group.foreign.end(),
                     [&](Handle foreign) { return to && needs_.ghosts.owner_of(foreign) == to; });
}

GroupTransfer::SentGroup GroupTransfer::send(Handle of) {
  PERIGEE_ASSERT(
      can_send(of),
      "only if can_send(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = needs_.world.group_of(of);
  SentGroup sent = written(group);
  needs_.world.release(group.members);
  return sent;
}

GroupTransfer::SentGroup GroupTransfer::send_to(WorkerSlot to, Handle of) {
  PERIGEE_ASSERT(
      can_send(of, to),
      "only if can_send(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = needs_.world.group_of(of);
  SentGroup sent = written(group);
  needs_.world.make_remote(group.members);
  needs_.ghosts.on_group_sent(group.members, to);
  const WorkerEntry* receiver = needs_.cluster.map().worker(to);
  PERIGEE_ASSERT(receiver != nullptr, "the receiver of a group must be in the map");
  needs_.departed.add(group.members, *receiver, needs_.next);
  return sent;
}

void GroupTransfer::append_player(std::vector<std::byte>& out, SessionId session,
                                  std::span<const world::ShapePtr> shapes) {
  append(out, *needs_.players.find(session), needs_.next, shapes);
  // The maximum age of a view depends on what the client has received, from any worker.
  const ObserverState* seen = needs_.observers.find(session);
  const auto received = seen != nullptr ? seen->observer.received : std::nullopt;
  const TallyRecord tally =
      seen != nullptr ? to_record(session, seen->tallied, seen->tally) : TallyRecord{};
  const PathPast path = seen != nullptr ? path_of(*seen) : PathPast{};
  put_all_written(out, [&](Appender& appender) {
    return walk_received(appender, received) && walk_tally(appender, tally) &&
           walk_path(appender, path);
  });
}

// Serializes the group and its players, and removes these players here.
GroupTransfer::SentGroup GroupTransfer::written(const world::Group& group) {
  const auto past = world::to_bytes(needs_.world.extract(group.members));
  SentGroup sent;
  auto& [out, crew, clients] = sent;
  for (const Player& player : needs_.players) {
    const auto& members = group.members;
    if (std::find(members.begin(), members.end(), player.avatar) != members.end()) {
      crew.push_back(player.session);
      clients.push_back(player.client_id);
    }
  }
  const auto count = static_cast<std::uint16_t>(crew.size());
  put_all_written(out, [&](Appender& appender) { return walk_head(appender, past, count); });
  const auto shapes = shapes_of(needs_.game);
  for (const SessionId session : crew) append_player(out, session, shapes);
  const GroupAudience audience = let_go_of_audience(group.members);
  put_all_written(out, [&](Appender& appender) {
    return GroupAudience::walk(appender, audience, group.members.size());
  });
  for (const SessionId session : crew) {
    needs_.on_gone(*needs_.players.find(session));
    needs_.players.remove(session);
    ObserverState* seen = needs_.observers.find(session);
    if (seen == nullptr) continue;
    seen->observer.avatar = no_entity;
    seen->observer.narrow_path = false;
    seen->observer.other_bytes_in_period = 0;  // its next owner counts these
    seen->rate = {};
  }
  return sent;
}

// A group that arrives late has missed ticks. These are simulated now, if inputs for them can still
// count. If the group is later than that, its players start anew where they stood.
void GroupTransfer::catch_up(Player& player, Tick from) {
  if (ticks_between(from, needs_.next) <= world::World::catch_up_ticks) {
    for (Tick tick = from; before(tick, needs_.next); ++tick) {
      needs_.world.look_back(tick);
      needs_.player_steps.step(player, tick);
    }
    return;
  }
  start_where_it_stood(player);
}

void GroupTransfer::start_where_it_stood(Player& player) {
  player.records.clear();
  player.pending.reset();
  player.committed = needs_.next;
  player.start_anew(needs_.next, needs_.settings.reset_rest_ticks);
  needs_.world.set_actor(player.avatar, player.parent, player.state, needs_.next);
}

std::optional<GroupTransfer::Arrival> GroupTransfer::read(std::span<const std::byte> bytes) const {
  ByteReader reader(bytes);
  std::span<const std::byte> world_bytes;
  std::uint16_t crew = 0;
  if (!walk_head(reader, world_bytes, crew)) return std::nullopt;
  auto past = world::group_from_bytes(world_bytes, needs_.game.types());
  if (!past || crew > past->entities.size()) return std::nullopt;
  Arrival out{.past = std::move(*past)};
  out.received.resize(crew);
  out.tallies.resize(crew);
  out.paths.resize(crew);
  const auto shapes = shapes_of(needs_.game);
  for (std::uint16_t i = 0; i < crew; ++i) {
    auto player = read_player(reader, out.past.now, needs_.settings.inputs, shapes);
    if (player == nullptr || !walk_received(reader, out.received[i]) ||
        !walk_tally(reader, out.tallies[i]) || !walk_path(reader, out.paths[i])) {
      return std::nullopt;
    }
    const auto avatar =
        std::find_if(out.past.entities.begin(), out.past.entities.end(),
                     [&](const auto& each) { return each.entity.handle == player->avatar; });
    if (avatar == out.past.entities.end()) return std::nullopt;
    player->params = &needs_.game.types()[avatar->entity.type].actor;
    out.plays_alike.push_back(play_again(*player, out.past.now, needs_.game));
    out.players.push_back(std::move(player));
  }
  out.rest = bytes.subspan(reader.position());
  return out;
}

void GroupTransfer::note_received(SessionId session, const TallyRecord& tally,
                                  const std::optional<Tick>& received, const PathPast& path) {
  ObserverState& state = needs_.observers.get(session);
  ObserverRecords::add_tally(state, tally);
  state.rate = RateControl(path.rate);
  state.other_bytes = path.other_bytes;
  replication::Observer& seen = state.observer;
  seen.other_bytes_in_period += path.other_bytes_in_period;
  seen.narrow_path = path.rate.limit.has_value();
  if (received && (!seen.received || before(*seen.received, *received))) seen.received = received;
}

std::optional<std::vector<SessionId>> GroupTransfer::receive(std::span<const std::byte> bytes,
                                                             Subscribers which) {
  auto arrival = read(bytes);
  if (!arrival || before(needs_.next, arrival->past.now)) return std::nullopt;
  const std::size_t more = clients_among(arrival->players);
  if (more > 0 && needs_.players.clients() + more > needs_.settings.players_max) {
    return std::nullopt;
  }
  auto& [past, players, plays_alike, received, tallies, paths, rest] = *arrival;
  for (const auto& player : players) {
    if (needs_.players.find(player->session) != nullptr) return std::nullopt;
  }
  std::vector<Handle> members;
  members.reserve(past.entities.size());
  for (const world::EntityPast& each : past.entities) members.push_back(each.entity.handle);
  const auto audience = read_audience(rest, members.size());
  if (!audience || !needs_.world.insert(past)) return std::nullopt;
  needs_.on_arrival(past, players);
  needs_.ghosts.on_owned(members);
  for (std::size_t i = 0; i < audience->tracks.size(); ++i) {
    needs_.snapshots.adopt_tracks(members[i], audience->tracks[i]);
  }
  if (which == Subscribers::Ahead) {
    needs_.world.outdate_lost_changes(members);
    for (auto& player : players) player->sent_game_version += world::ThingState::lost_changes_max;
  }
  if (which != Subscribers::Void) note_known(*audience, members);
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < players.size(); ++i) {
    players[i]->committed = past.now - std::max(needs_.settings.inputs.window_ticks, 1);
    players[i]->moved_at = past.now;
    Player& player = needs_.player_sessions.enter(std::move(players[i]));
    sessions.push_back(player.session);
    if (!player.npc()) note_received(player.session, tallies[i], received[i], paths[i]);
    if (plays_alike[i]) {
      catch_up(player, past.now);
    } else {
      needs_.counts.add(metric.players_replayed_differently);
      start_where_it_stood(player);
    }
  }
  needs_.outcomes.settle_late();
  return sessions;
}

}  // namespace perigee::worker
