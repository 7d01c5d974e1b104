#include "failover/promotion.hpp"

#include <algorithm>
#include <utility>

#include "ghosts/ghosts.hpp"
#include "players/player_codec.hpp"

namespace perigee::worker {
namespace {

/// Clients repeat a message about once a second.
constexpr std::int32_t messages_dropped_ticks = 300;

}  // namespace

void Promotion::on_map() {
  std::map<WorkerSlot, bool> dead;  // the value: skip pending inputs
  std::set<HandleBlock> ours;
  const WorkerEntry* self = needs_.cluster.map().worker(needs_.cluster.self());
  for (const FailoverRecord& failover_record : needs_.cluster.map().failover_records) {
    const HandleBlock incarnation = block_of(failover_record.handle_base, self->handle_count);
    if (failover_record.successor != needs_.cluster.self() ||
        failover_record.successor_handle_base != self->handle_base ||
        needs_.migrations.hosts(incarnation)) {
      continue;
    }
    ours.insert(incarnation);
    const auto replica_state =
        std::find_if(needs_.replicas.all().begin(), needs_.replicas.all().end(),
                     [&](const auto& each) { return each.second.logs.contains(incarnation); });
    if (replica_state == needs_.replicas.all().end()) continue;
    replica_state->second.logs[incarnation].epoch = failover_record.epoch;
    dead[replica_state->first] |= failover_record.skip_pending_inputs();
  }
  if (needs_.standby.sends() && !dead.empty())
    needs_.standby.lose();  // our own standby has none of this state
  for (const auto& [slot, skip_pending_inputs] : dead) {
    auto replica_state = needs_.replicas.all().extract(slot);
    // Incarnations that it had only just taken over may have no owner any more.
    std::erase_if(replica_state.mapped().logs,
                  [&](const auto& log) { return !ours.contains(log.first); });
    take_over(slot, std::move(replica_state.mapped()), skip_pending_inputs);
  }
  drop_replicas();
}

/// Replicas of workers that ended, or that have another standby now, are dropped.
void Promotion::drop_replicas() {
  std::erase_if(needs_.replicas.all(), [&](const auto& each) {
    const auto& [slot, replica_state] = each;
    const WorkerEntry* worker = needs_.cluster.map().worker(slot);
    const bool of_now = needs_.cluster.map().cluster_id == replica_state.cluster_id;
    const bool alive =
        worker != nullptr && worker->alive && worker->incarnation == replica_state.incarnation;
    if (of_now && alive && worker->standby == needs_.cluster.self()) return false;
    if (of_now && !alive)
      send_crash_report(slot, replica_state, players_of(replica_state), replay::Fate::LeftBehind);
    return true;
  });
}

/// Drops pending inputs, undecided proposals, and messages that the client sends again: one that
/// crashed the worker is among these.
void Promotion::drop_what_waits(ReplicaPlayer& replica) const {
  Player& player = *replica.player;
  player.inputs.drop_waiting(replica.next);
  player.records.clear();
  replica.settled = replica.next - 1;
  player.inputs_from = needs_.next + needs_.settings.inputs.window_ticks;
  player.messages.state.drops_until = needs_.next + messages_dropped_ticks;
}

// Inputs that the player's owner had received and not replicated when that worker died.
void Promotion::receive_what_was_sent(const ReplicaState& replica_state, ReplicaPlayer& replica) {
  Player& player = *replica.player;
  const auto sent = replica_state.sent.find(player.session);
  if (sent == replica_state.sent.end() || sent->second.reset_epoch() != player.reset_epoch) return;
  const Tick from = replica.next - player.inputs.delay_ticks();
  sent->second.for_each_from(
      from, [&](const PlayerInput& input) { player.inputs.offer(input, replica.next); });
}

std::vector<ReplicaPlayer> Promotion::players_of(const ReplicaState& replica_state) const {
  std::vector<ReplicaPlayer> out;
  if (!replica_state.tick) return out;
  const auto shapes = shapes_of(needs_.game);
  ByteReader reader(replica_state.players);
  for (std::uint16_t i = 0; i < replica_state.tick->players; ++i) {
    std::span<const std::byte> bytes;
    if (!walk_sized<std::uint32_t>(reader, bytes)) break;
    ByteReader inside(bytes);
    auto player = read_replica(inside, replica_state.tick->tick, needs_.settings.inputs, shapes);
    if (player != nullptr && inside.at_end()) {
      const auto messages = replica_state.messages.players.find(player->avatar);
      if (messages != replica_state.messages.players.end()) {
        player->messages.state = messages->second;
      }
      const auto profile = replica_state.lasting.profiles.find(player->avatar);
      if (profile != replica_state.lasting.profiles.end()) player->profile = profile->second;
      out.push_back({std::move(player), replica_state.tick->tick, replica_state.tick->settled});
      receive_what_was_sent(replica_state, out.back());
    }
  }
  return out;
}

/// The entities, keyed by the entity that carries them.
auto Promotion::carried(const ReplicaState& replica_state, const std::set<Handle>& of) const
    -> Carried {
  Carried out;
  for (const Handle handle : of) {
    const world::World::ActorTraces* traces = needs_.world.traces(handle);
    const world::ActorTrace* trace =
        traces != nullptr && replica_state.tick ? traces->find(replica_state.tick->tick) : nullptr;
    const Handle by = trace != nullptr ? trace->parent : needs_.world.find(handle)->parent;
    if (by != no_entity) out.emplace(by, handle);
  }
  return out;
}

/// The entities bound to the root, as far as ghosts show that: carried by the root, or hinged to
/// it.
std::vector<Handle> Promotion::closure(migration::GroupId root, const ReplicaState& replica_state,
                                       const std::set<Handle>& of, const Carried& carried) {
  std::vector<Handle> out{root};
  const auto add = [&](Handle handle) {
    if (of.contains(handle) && std::find(out.begin(), out.end(), handle) == out.end()) {
      out.push_back(handle);
    }
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Handle at = out[i];
    for (const world::HingeDrive& hinge : replica_state.hinges) {
      if (hinge.order.a == at) add(hinge.order.b);
      if (hinge.order.b == at) add(hinge.order.a);
    }
    const auto [first, last] = carried.equal_range(at);
    for (auto each = first; each != last; ++each) add(each->second);
  }
  return out;
}

/// All entities and players of the group are here. This state is complete, and newer than the
/// received one.
bool Promotion::all_here(const GroupTransfer::Arrival& arrival, const std::set<Handle>& things,
                         const std::vector<ReplicaPlayer>& players) {
  const auto& entities = arrival.past.entities;
  return std::all_of(entities.begin(), entities.end(),
                     [&](const auto& each) { return things.contains(each.entity.handle); }) &&
         std::all_of(arrival.players.begin(), arrival.players.end(), [&](const auto& came) {
           return std::any_of(players.begin(), players.end(), [&](const ReplicaPlayer& each) {
             return each.player->session == came->session;
           });
         });
}

// Groups that the dead worker received or got back, and of which not all replication data came
// here. Each continues from the replicated state if that is complete, else from its received state.
// It never continues from both.
void Promotion::settle_taken(ReplicaState& replica_state, std::set<Handle>& things,
                             std::vector<ReplicaPlayer>& players) const {
  for (auto& [incarnation, log] : replica_state.logs) {
    std::erase_if(log.taken, [&](const auto& taken) {
      const auto& [root, state] = taken;
      const auto group = log.ledger.groups.find(root);
      const auto arrival = needs_.transfer.read(*state);
      if (group == log.ledger.groups.end() || !arrival) return true;
      if (group->second.place == migration::Place::Leaving) log.finals.try_emplace(root, state);
      if (group->second.place != migration::Place::Here) return true;
      if (all_here(*arrival, things, players)) return true;
      for (const auto& each : arrival->past.entities) things.erase(each.entity.handle);
      std::erase_if(players, [&](const ReplicaPlayer& each) {
        return std::any_of(arrival->players.begin(), arrival->players.end(),
                           [&](const auto& came) { return each.player->session == came->session; });
      });
      return false;
    });
  }
}

void Promotion::take_over(WorkerSlot from, ReplicaState replica_state, bool skip_pending_inputs) {
  std::set<Handle> things = needs_.ghosts.take_over(from);
  std::vector<ReplicaPlayer> players = players_of(replica_state);
  settle_taken(replica_state, things, players);
  send_crash_report(from, replica_state, players,
                    skip_pending_inputs ? replay::Fate::PlayedOnWithout : replay::Fate::PlayedOn);
  if (skip_pending_inputs)
    std::for_each(players.begin(), players.end(), [&](auto& p) { drop_what_waits(p); });
  const Carried by_carrier = carried(replica_state, things);
  needs_.broadcasts.take_over(replica_state.messages);
  for (auto& [incarnation, log] : replica_state.logs) {
    for (const migration::GroupId root : log.ledger.open) {
      if (log.ledger.groups.at(root).place != migration::Place::Leaving) continue;
      if (!things.contains(root)) continue;  // it has arrived: its destination replicates it
      const bool as_it_left = log.finals.contains(root);  // otherwise it is known from ghosts
      Doubtful& doubtful = doubtful_.emplace_back(Doubtful{.incarnation = incarnation,
                                                           .group = root,
                                                           .since = needs_.next,
                                                           .as_it_left = as_it_left,
                                                           .members = {},
                                                           .players = {},
                                                           .hinges = replica_state.hinges});
      doubtful.members = closure(root, replica_state, things, by_carrier);
      for (const Handle member : doubtful.members) things.erase(member);
      std::erase_if(players, [&](ReplicaPlayer& each) {
        const auto& members = doubtful.members;
        if (std::find(members.begin(), members.end(), each.player->avatar) == members.end()) {
          return false;
        }
        if (!as_it_left) doubtful.players.push_back(std::move(each));
        return true;
      });
    }
  }
  needs_.counts.add(metric.incarnations_taken_over);
  own({things.begin(), things.end()}, replica_state.hinges);
  go_on(std::move(players));
  for (auto& [incarnation, log] : replica_state.logs)
    needs_.migrations.take_over(incarnation, std::move(log));
  for (const OutcomeRow& row : replica_state.outcomes) needs_.outcome_journal.write_again(row);
  needs_.mailbox.take_over(replica_state.mailbox);
  needs_.lasting.take_over(replica_state.lasting);
}

void Promotion::own(const std::vector<Handle>& things, std::span<const world::HingeDrive> hinges) {
  needs_.world.make_own(things);
  needs_.world.outdate_lost_changes(things);
  needs_.ghosts.on_owned(things);
  needs_.counts.add(metric.things_taken_over, things.size());
  const std::set<Handle> ours(things.begin(), things.end());
  for (const world::HingeDrive& hinge : hinges) {
    const auto& [a, b] = std::pair(hinge.order.a, hinge.order.b);
    if (!ours.contains(a) || !ours.contains(b) || !needs_.world.add_hinge(hinge.order)) continue;
    needs_.world.drive_hinge(a, b, hinge.rad_s);
  }
}

// Steps the players from their next tick up to the present, with their waiting inputs and guesses
// for the rest. Late inputs may still replace the guesses.
void Promotion::go_on(std::vector<ReplicaPlayer> players) {
  std::vector<std::pair<Player*, Tick>> resumed;
  Tick oldest = needs_.next;
  for (ReplicaPlayer& each : players) {
    const Handle handle = each.player->avatar;
    const world::Entity* avatar = needs_.world.find(handle);
    const bool fits = avatar != nullptr && !avatar->remote &&
                      needs_.players.find(each.player->session) == nullptr &&
                      needs_.players.find_client(each.player->client_id) == nullptr;
    if (!fits) {
      if (avatar == nullptr) needs_.counts.add(metric.players_not_taken_over);
      if (avatar != nullptr && !avatar->remote && needs_.players.find_avatar(handle) == nullptr) {
        needs_.world.despawn(handle);  // its client has joined anew
      }
      continue;
    }
    each.player->params = &needs_.world.type_of(*avatar).actor;
    each.player->claims_checked = needs_.next;
    each.player->sent_game_version += world::ThingState::lost_changes_max;
    each.player->committed = each.settled + 1;
    if (!play_again(*each.player, each.next, needs_.game)) each.player->records.clear();
    Player& player = needs_.player_sessions.enter(std::move(each.player));
    const Tick from = before(needs_.next, each.next) ? needs_.next : each.next;
    needs_.world.set_actor(handle, player.parent, player.state, from);
    resumed.emplace_back(&player, from);
    if (before(from, oldest)) oldest = from;
    needs_.migrations.arrivals().add(player.session, handle);
    needs_.counts.add(metric.players_taken_over);
  }
  if (ticks_between(oldest, needs_.next) > catch_up_ticks_max) {
    for (const auto& [player, from] : resumed) needs_.transfer.start_where_it_stood(*player);
    return;
  }
  for (Tick tick = oldest; before(tick, needs_.next); ++tick) {
    needs_.world.look_back(tick);
    for (const auto& [player, from] : resumed) {
      if (!before(tick, from)) needs_.player_steps.step(*player, tick);
    }
  }
  needs_.outcomes.settle_late();
}

std::uint32_t Promotion::players_in_doubt(migration::GroupId group) const {
  const auto found = std::find_if(doubtful_.begin(), doubtful_.end(),
                                  [&](const Doubtful& each) { return each.group == group; });
  return found == doubtful_.end() ? 0U : static_cast<std::uint32_t>(found->players.size());
}

void Promotion::settled(HandleBlock incarnation, migration::GroupId group, bool back) {
  const auto found = std::find_if(doubtful_.begin(), doubtful_.end(), [&](const Doubtful& each) {
    return each.incarnation == incarnation && each.group == group;
  });
  if (found == doubtful_.end()) return;
  Doubtful doubtful = std::move(*found);
  doubtful_.erase(found);
  needs_.standby.fill_again();  // its new state is replicated from now on
  std::erase_if(doubtful.members, [&](Handle member) {
    const world::Entity* entity = needs_.world.find(member);
    return entity == nullptr || !entity->remote;
  });
  if (!back) return needs_.ghosts.let_go_of(doubtful.members);
  own(doubtful.members, doubtful.hinges);
  go_on(std::move(doubtful.players));
}

bool Promotion::in_doubt(std::uint64_t client_id) const {
  return std::any_of(doubtful_.begin(), doubtful_.end(), [&](const auto& each) {
    return std::any_of(each.players.begin(), each.players.end(), [&](const ReplicaPlayer& replica) {
      return replica.player->client_id == client_id;
    });
  });
}

bool Promotion::has_unreplicated() const {
  return std::any_of(doubtful_.begin(), doubtful_.end(), [&](const Doubtful& each) {
    return !each.as_it_left && ticks_between(each.since, needs_.next) <= doubtful_ticks_max;
  });
}

}  // namespace perigee::worker
