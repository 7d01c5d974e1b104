// A group as bytes for another worker: entities with their past, and its players with every input
// that may still count. The sender removes it; the receiver continues from the same tick, and
// re-simulates ticks that were still open. (S9 across workers)
#include <algorithm>
#include <cstring>

#include "durable.hpp"
#include "ghosts.hpp"
#include "given_away.hpp"
#include "observer_state.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/world/group.hpp"
#include "player_codec.hpp"
#include "post.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t format = 2;
constexpr std::size_t knowers_max = 8192;

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
void Core::append_knowers(std::vector<std::byte>& out, std::span<const Handle> members) {
  const std::size_t at = out.size();
  std::uint16_t count = 0;
  put(out, count);
  for (auto& [session, state] : observers_) {
    replication::Observer& observer = state->observer;
    std::vector<std::uint16_t> known;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!publisher_.knows(observer, members[i])) continue;
      known.push_back(static_cast<std::uint16_t>(i));
      publisher_.let_go(observer, members[i]);
    }
    if (known.empty() || count == knowers_max) continue;
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

struct Core::Knower {
  ObserverRecord as;
  std::vector<std::uint16_t> known;
};

auto Core::read_knowers(ByteReader& reader, std::size_t members)
    -> std::optional<std::vector<Knower>> {
  std::vector<Knower> knowers;
  std::uint16_t count = 0;
  if (!reader.number(count) || count > knowers_max) return std::nullopt;
  for (std::uint16_t i = 0; i < count; ++i) {
    Knower& knower = knowers.emplace_back();
    std::uint16_t known = 0;
    const bool ok = reader.number(knower.as.session) && reader.tick(knower.as.effective) &&
                    reader.vec3(knower.as.position) && reader.vec3(knower.as.velocity) &&
                    reader.number(knower.as.radius_m) && reader.number(knower.as.stretch) &&
                    reader.number(knower.as.near_m) && reader.number(known);
    if (!ok || known > members) return std::nullopt;
    knower.known.resize(known);
    for (std::uint16_t& member : knower.known) {
      if (!reader.number(member) || member >= members) return std::nullopt;
    }
  }
  if (!reader.at_end()) return std::nullopt;
  return knowers;
}

void Core::note_known(std::span<const Knower> knowers, std::span<const Handle> members) {
  for (const Knower& knower : knowers) {
    ObserverState& state = observer(knower.as.session);
    if (!state.in_force) {
      state.in_force = true;  // the next tick decides whether it still is
      state.used = knower.as;
      see_from_record(state, next_);
    }
    for (const std::uint16_t member : knower.known) {
      known_elsewhere_.emplace_back(knower.as.session, members[member]);
    }
  }
}

// While publishing: entities that arrived since the last time are in the publication now. Fixtures
// have no records that name their owner.
void Core::adopt_known() {
  for (const auto& [session, handle] : known_elsewhere_) {
    const auto found = observers_.find(session);
    if (found == observers_.end()) continue;
    replication::Observer& observer = found->second->observer;
    if (world_->furniture(handle)) {
      publisher_.adopt_fixture(observer, handle);
    } else {
      publisher_.adopt(observer, handle);
    }
  }
  known_elsewhere_.clear();
}

bool Core::can_give(Handle of, std::optional<WorkerSlot> to) const {
  const world::Group group = world_->group_of(of);
  const bool stays = std::any_of(group.members.begin(), group.members.end(),
                                 [&](Handle member) { return post_->taken(member); });
  return !group.members.empty() && !stays &&
         std::all_of(group.foreign.begin(), group.foreign.end(),
                     [&](Handle foreign) { return to && ghosts_->owner_of(foreign) == to; });
}

Core::Given Core::give(Handle of) {
  PERIGEE_ASSERT(
      can_give(of),
      "give() needs can_give(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = world_->group_of(of);
  Given given = written(group);
  world_->release(group.members);
  return given;
}

// The group stays here as ghosts of the other worker, so nearby players see no gap.
Core::Given Core::give_to(WorkerSlot to, Handle of) {
  PERIGEE_ASSERT(
      can_give(of, to),
      "give() needs can_give(): a group bound to foreign entities migrates only to their owner");
  const world::Group group = world_->group_of(of);
  Given given = written(group);
  world_->make_remote(group.members);
  ghosts_->gave(group.members, to);
  given_away_->note(group.members, to);
  return given;
}

// Serializes the group and its players, and removes these players here.
Core::Given Core::written(const world::Group& group) {
  const auto past = world::to_bytes(world_->extract(group.members));
  Given given;
  auto& [out, crew, clients] = given;
  for (const auto& [session, player] : players_) {
    const auto& members = group.members;
    if (std::find(members.begin(), members.end(), player->avatar) != members.end()) {
      crew.push_back(session);
      clients.push_back(player->client_id);
    }
  }
  put(out, format);
  put(out, static_cast<std::uint32_t>(past.size()));
  out.insert(out.end(), past.begin(), past.end());
  put(out, static_cast<std::uint16_t>(crew.size()));
  const auto shapes = shapes_of(game_);
  for (const SessionId session : crew) {
    append(out, *players_.at(session), next_, shapes);
    // The maximum age of a view depends on what the client has received, from any worker.
    const auto seen = observers_.find(session);
    const auto heard = seen != observers_.end() ? seen->second->observer.heard : std::nullopt;
    put(out, static_cast<std::uint8_t>(heard.has_value()));
    put(out, heard.value_or(Tick{}).count);
    const TallyRecord tally = seen != observers_.end()
                                  ? to_record(session, seen->second->tallied, seen->second->tally)
                                  : TallyRecord{};
    put(out, tally.counted.count);
    put(out, tally.due);
    for (const std::uint16_t count : tally.within) put(out, count);
  }
  append_knowers(out, group.members);
  for (const SessionId session : crew) {
    players_.erase(session);
    if (const auto seen = observers_.find(session); seen != observers_.end()) {
      seen->second->observer.avatar = no_entity;
    }
  }
  return given;
}

// A group that arrives late has missed ticks: they are simulated now, if inputs for them can still
// count. If it is later than that, its players start anew where they stood.
void Core::catch_up(Player& player, Tick from) {
  if (ticks_between(from, next_) <= world::World::catch_up_ticks) {
    for (Tick tick = from; before(tick, next_); ++tick) {
      world_->look_back(tick);
      step(player, tick);
    }
    return;
  }
  begin_where_it_stood(player);
}

void Core::begin_where_it_stood(Player& player) {
  player.records.clear();
  player.pending.reset();
  player.committed = next_;
  start_anew(player);
  world_->set_actor(player.avatar, player.parent, player.state, next_);
}

Player& Core::enter(std::unique_ptr<Player> player) {
  player->recorded = next_;
  if (settings_.recorder) {
    player->recorder = std::make_unique<replay::FlightRecorder>(game_.types(), *settings_.recorder);
  }
  observer(player->session).observer.avatar = player->avatar;
  const SessionId session = player->session;
  return *players_.emplace(session, std::move(player)).first->second;
}

// Reads without changing anything here.
std::optional<Core::Arrival> Core::read_arrival(std::span<const std::byte> bytes) const {
  ByteReader reader(bytes);
  std::uint16_t version = 0;
  std::uint32_t size = 0;
  std::span<const std::byte> world_bytes;
  std::uint16_t crew = 0;
  if (!reader.number(version) || version != format || !reader.number(size) ||
      !reader.view(world_bytes, size) || !reader.number(crew) || crew > settings_.players_max) {
    return std::nullopt;
  }
  auto past = world::group_from_bytes(world_bytes, game_.types());
  if (!past) return std::nullopt;
  Arrival out{.past = std::move(*past)};
  out.heard.resize(crew);
  out.tallies.resize(crew);
  const auto shapes = shapes_of(game_);
  for (std::uint16_t i = 0; i < crew; ++i) {
    auto player = read_player(reader, out.past.now, settings_.inputs, shapes);
    std::uint8_t any = 0;
    Tick newest;
    if (player == nullptr || !reader.flag(any) || !reader.tick(newest) ||
        !read_tally(reader, out.tallies[i])) {
      return std::nullopt;
    }
    if (any != 0) out.heard[i] = newest;
    const auto avatar =
        std::find_if(out.past.entities.begin(), out.past.entities.end(),
                     [&](const auto& each) { return each.entity.handle == player->avatar; });
    if (avatar == out.past.entities.end()) return std::nullopt;
    player->params = &game_.types()[avatar->entity.type].actor;
    if (!play_again(*player, out.past.now, game_)) return std::nullopt;
    out.players.push_back(std::move(player));
  }
  out.rest = bytes.subspan(reader.position());
  return out;
}

std::optional<std::vector<SessionId>> Core::take(std::span<const std::byte> bytes, Knowers which) {
  auto arrival = read_arrival(bytes);
  if (!arrival || before(next_, arrival->past.now) ||
      players_.size() + arrival->players.size() > settings_.players_max) {
    return std::nullopt;
  }
  auto& [past, players, heard, tallies, rest] = *arrival;
  for (const auto& player : players) {
    if (players_.contains(player->session)) return std::nullopt;
  }
  std::vector<Handle> members;
  members.reserve(past.entities.size());
  for (const world::EntityPast& each : past.entities) members.push_back(each.entity.handle);
  ByteReader reader(rest);
  const auto knowers = read_knowers(reader, members.size());
  if (!knowers || !world_->insert(past)) return std::nullopt;
  durable_->took(past, players);
  ghosts_->took(members);
  if (which == Knowers::Stand) note_known(*knowers, members);
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < players.size(); ++i) {
    players[i]->committed = past.now - std::max(settings_.inputs.window_ticks, 1);
    players[i]->moved_at = past.now;
    Player& player = enter(std::move(players[i]));
    add_tally(observer(player.session), tallies[i]);
    replication::Observer& seen = observer(player.session).observer;
    if (heard[i] && (!seen.heard || before(*seen.heard, *heard[i]))) seen.heard = heard[i];
    sessions.push_back(player.session);
    catch_up(player, past.now);
  }
  settle_late();
  return sessions;
}

}  // namespace perigee::worker
