#include "perigee/worker/group_transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ghosts.hpp"
#include "player_codec.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t format = 2;
constexpr std::size_t subscribers_max = 8192;

template <class Number>
void put(std::vector<std::byte>& out, Number value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

bool read_tally(ByteReader& reader, TallyRecord& tally) {
  return reader.tick(tally.counted) && reader.number(tally.due) &&
         std::all_of(tally.within.begin(), tally.within.end(),
                     [&](std::uint16_t& count) { return reader.number(count); });
}

}  // namespace

// The subscribers of the group: which clients know which members. The receiver does not send these
// again, and removes them at a client once they are out of its range.
void GroupTransfer::append_subscribers(std::vector<std::byte>& out,
                                       std::span<const Handle> members) {
  const std::size_t at = out.size();
  std::uint16_t count = 0;
  put(out, count);
  for (auto& [session, state] : needs_.observers) {
    replication::Observer& observer = state->observer;
    std::vector<std::uint16_t> known;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!needs_.publisher.knows(observer, members[i])) continue;
      known.push_back(static_cast<std::uint16_t>(i));
      needs_.publisher.let_go(observer, members[i]);
    }
    if (known.empty() || count == subscribers_max) continue;
    ++count;
    put(out, session);
    put(out, state->used.effective.count);
    put(out, state->used.position);
    put(out, state->used.velocity);
    put(out, state->used.radius_m);
    put(out, state->used.stretch);
    put(out, state->used.near_m);
    put(out, static_cast<std::uint16_t>(known.size()));
    for (const std::uint16_t member : known) put(out, member);
  }
  std::memcpy(out.data() + at, &count, sizeof count);
}

struct GroupTransfer::Subscriber {
  ObserverRecord as;
  std::vector<std::uint16_t> known;
};

auto GroupTransfer::read_subscribers(ByteReader& reader, std::size_t members)
    -> std::optional<std::vector<Subscriber>> {
  std::vector<Subscriber> subscribers;
  std::uint16_t count = 0;
  if (!reader.number(count) || count > subscribers_max) return std::nullopt;
  for (std::uint16_t i = 0; i < count; ++i) {
    Subscriber& subscriber = subscribers.emplace_back();
    std::uint16_t known = 0;
    const bool ok = reader.number(subscriber.as.session) && reader.tick(subscriber.as.effective) &&
                    reader.vec3(subscriber.as.position) && reader.vec3(subscriber.as.velocity) &&
                    reader.number(subscriber.as.radius_m) && reader.number(subscriber.as.stretch) &&
                    reader.number(subscriber.as.near_m) && reader.number(known);
    if (!ok || known > members) return std::nullopt;
    subscriber.known.resize(known);
    for (std::uint16_t& member : subscriber.known) {
      if (!reader.number(member) || member >= members) return std::nullopt;
    }
  }
  if (!reader.at_end()) return std::nullopt;
  return subscribers;
}

void GroupTransfer::note_known(std::span<const Subscriber> subscribers,
                               std::span<const Handle> members) {
  for (const Subscriber& subscriber : subscribers) {
    ObserverState& state = needs_.observers.get(subscriber.as.session);
    if (!state.in_force) {
      state.in_force = true;  // the next tick decides whether it still is
      state.used = subscriber.as;
      ObserverRecords::see_from_record(state, needs_.next);
    }
    for (const std::uint16_t member : subscriber.known) {
      needs_.snapshots.adopt(subscriber.as.session, members[member]);
    }
  }
}

bool GroupTransfer::can_give(Handle of, std::optional<WorkerSlot> to) const {
  const world::Group group = needs_.world.group_of(of);
  const bool stays = std::any_of(group.members.begin(), group.members.end(),
                                 [&](Handle member) { return needs_.taken(member); });
  return !group.members.empty() && !stays &&
         std::all_of(group.foreign.begin(), group.foreign.end(),
                     [&](Handle foreign) { return to && needs_.ghosts.owner_of(foreign) == to; });
}

GroupTransfer::Given GroupTransfer::give(Handle of) {
  PERIGEE_ASSERT(
      can_give(of),
      "give() needs can_give(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = needs_.world.group_of(of);
  Given given = written(group);
  needs_.world.release(group.members);
  return given;
}

GroupTransfer::Given GroupTransfer::give_to(WorkerSlot to, Handle of) {
  PERIGEE_ASSERT(
      can_give(of, to),
      "give() needs can_give(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = needs_.world.group_of(of);
  Given given = written(group);
  needs_.world.make_remote(group.members);
  needs_.ghosts.gave(group.members, to);
  const WorkerEntry* receiver = needs_.cluster.map().worker(to);
  PERIGEE_ASSERT(receiver != nullptr, "the receiver of a group must be in the map");
  needs_.departed.add(group.members, *receiver, needs_.next);
  return given;
}

void GroupTransfer::append_player(std::vector<std::byte>& out, SessionId session,
                                  std::span<const world::ShapePtr> shapes) {
  append(out, *needs_.players.find(session), needs_.next, shapes);
  // The maximum age of a view depends on what the client has received, from any worker.
  const ObserverState* seen = needs_.observers.find(session);
  const auto received = seen != nullptr ? seen->observer.received : std::nullopt;
  put(out, static_cast<std::uint8_t>(received.has_value()));
  put(out, received.value_or(Tick{}).count);
  const TallyRecord tally =
      seen != nullptr ? to_record(session, seen->tallied, seen->tally) : TallyRecord{};
  put(out, tally.counted.count);
  put(out, tally.due);
  for (const std::uint16_t count : tally.within) put(out, count);
}

// Serializes the group and its players, and removes these players here.
GroupTransfer::Given GroupTransfer::written(const world::Group& group) {
  const auto past = world::to_bytes(needs_.world.extract(group.members));
  Given given;
  auto& [out, crew, clients] = given;
  for (const Player& player : needs_.players) {
    const auto& members = group.members;
    if (std::find(members.begin(), members.end(), player.avatar) != members.end()) {
      crew.push_back(player.session);
      clients.push_back(player.client_id);
    }
  }
  put(out, format);
  put(out, static_cast<std::uint32_t>(past.size()));
  out.insert(out.end(), past.begin(), past.end());
  put(out, static_cast<std::uint16_t>(crew.size()));
  const auto shapes = shapes_of(needs_.game);
  for (const SessionId session : crew) append_player(out, session, shapes);
  append_subscribers(out, group.members);
  for (const SessionId session : crew) {
    needs_.players.remove(session);
    if (ObserverState* seen = needs_.observers.find(session)) seen->observer.avatar = no_entity;
  }
  return given;
}

// A group that arrives late has missed ticks: they are simulated now, if inputs for them can still
// count. If it is later than that, its players start anew where they stood.
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
  std::uint16_t version = 0;
  std::uint32_t size = 0;
  std::span<const std::byte> world_bytes;
  std::uint16_t crew = 0;
  if (!reader.number(version) || version != format || !reader.number(size) ||
      !reader.view(world_bytes, size) || !reader.number(crew) ||
      crew > needs_.settings.players_max) {
    return std::nullopt;
  }
  auto past = world::group_from_bytes(world_bytes, needs_.game.types());
  if (!past) return std::nullopt;
  Arrival out{.past = std::move(*past)};
  out.received.resize(crew);
  out.tallies.resize(crew);
  const auto shapes = shapes_of(needs_.game);
  for (std::uint16_t i = 0; i < crew; ++i) {
    auto player = read_player(reader, out.past.now, needs_.settings.inputs, shapes);
    std::uint8_t any = 0;
    Tick newest;
    if (player == nullptr || !reader.flag(any) || !reader.tick(newest) ||
        !read_tally(reader, out.tallies[i])) {
      return std::nullopt;
    }
    if (any != 0) out.received[i] = newest;
    const auto avatar =
        std::find_if(out.past.entities.begin(), out.past.entities.end(),
                     [&](const auto& each) { return each.entity.handle == player->avatar; });
    if (avatar == out.past.entities.end()) return std::nullopt;
    player->params = &needs_.game.types()[avatar->entity.type].actor;
    if (!play_again(*player, out.past.now, needs_.game)) return std::nullopt;
    out.players.push_back(std::move(player));
  }
  out.rest = bytes.subspan(reader.position());
  return out;
}

std::optional<std::vector<SessionId>> GroupTransfer::take(std::span<const std::byte> bytes,
                                                          Subscribers which) {
  auto arrival = read(bytes);
  if (!arrival || before(needs_.next, arrival->past.now) ||
      needs_.players.size() + arrival->players.size() > needs_.settings.players_max) {
    return std::nullopt;
  }
  auto& [past, players, received, tallies, rest] = *arrival;
  for (const auto& player : players) {
    if (needs_.players.find(player->session) != nullptr) return std::nullopt;
  }
  std::vector<Handle> members;
  members.reserve(past.entities.size());
  for (const world::EntityPast& each : past.entities) members.push_back(each.entity.handle);
  ByteReader reader(rest);
  const auto subscribers = read_subscribers(reader, members.size());
  if (!subscribers || !needs_.world.insert(past)) return std::nullopt;
  needs_.on_arrival(past, players);
  needs_.ghosts.took(members);
  if (which == Subscribers::Stand) note_known(*subscribers, members);
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < players.size(); ++i) {
    players[i]->committed = past.now - std::max(needs_.settings.inputs.window_ticks, 1);
    players[i]->moved_at = past.now;
    Player& player = needs_.player_sessions.enter(std::move(players[i]));
    ObserverRecords::add_tally(needs_.observers.get(player.session), tallies[i]);
    replication::Observer& seen = needs_.observers.get(player.session).observer;
    if (received[i] && (!seen.received || before(*seen.received, *received[i])))
      seen.received = received[i];
    sessions.push_back(player.session);
    catch_up(player, past.now);
  }
  needs_.outcomes.settle_late();
  return sessions;
}

}  // namespace perigee::worker
