// Promotion: a worker has died, and this one takes over its state. Its entities are here as ghosts
// and its players as bytes; its logs become logs of this worker. Groups that it had sent wait for
// the answer of their destination.
#include <algorithm>
#include <utility>

#include "buddies.hpp"
#include "ghosts.hpp"
#include "player_codec.hpp"
#include "post.hpp"

namespace perigee::worker {

void Core::Buddies::inherit_from_the_dead() {
  std::map<WorkerSlot, bool> dead;  // the value: skip pending inputs
  std::set<Life> ours;
  const WorkerEntry* self = core_.map_.worker(core_.slot_);
  for (const Bequest& bequest : core_.map_.bequests) {
    const Life life = bequest.handle_base / self->handle_count;
    if (bequest.heir != core_.slot_ || bequest.heir_handle_base != self->handle_base ||
        core_.handoffs_->hosts(life)) {
      continue;
    }
    ours.insert(life);
    const auto ward = std::find_if(wards_.begin(), wards_.end(), [&](const auto& each) {
      return each.second.logs.contains(life);
    });
    if (ward == wards_.end()) continue;
    ward->second.logs[life].epoch = bequest.epoch;
    dead[ward->first] |= bequest.careful();
  }
  if (telling_ && !dead.empty()) lose();  // our own standby has none of this state
  for (const auto& [slot, careful] : dead) {
    auto ward = wards_.extract(slot);
    // Incarnations that it had only just taken over may have no owner any more.
    std::erase_if(ward.mapped().logs, [&](const auto& log) { return !ours.contains(log.first); });
    inherit(slot, std::move(ward.mapped()), careful);
  }
  let_go_of_wards();
}

/// Replicas of workers that ended, or that have another standby now, are dropped.
void Core::Buddies::let_go_of_wards() {
  std::erase_if(wards_, [&](const auto& each) {
    const auto& [slot, ward] = each;
    const WorkerEntry* worker = core_.map_.worker(slot);
    const bool of_now = core_.map_.incarnation == ward.incarnation;
    const bool lives = worker != nullptr && worker->alive && worker->life == ward.life;
    if (of_now && lives && worker->buddy == core_.slot_) return false;
    if (of_now && !lives) tell_last_words(slot, ward, players_of(ward), replay::Fate::LeftBehind);
    return true;
  });
}

/// Drops pending inputs and undecided proposals: an input or outcome that crashes its worker is
/// among these.
void Core::Buddies::drop_what_waits(ReplicaPlayer& replica) const {
  Player& player = *replica.player;
  player.inputs.drop_waiting(replica.next);
  player.records.clear();
  replica.settled = replica.next - 1;
  player.inputs_from = core_.next_ + core_.settings_.inputs.window_ticks;
}

// Inputs that its owner received and had not replicated when it died.
void Core::Buddies::hear_what_was_sent(const Ward& ward, ReplicaPlayer& replica) {
  Player& player = *replica.player;
  const auto sent = ward.sent.find(player.session);
  if (sent == ward.sent.end() || sent->second.reset_epoch() != player.reset_epoch) return;
  const Tick from = replica.next - player.inputs.delay_ticks();
  sent->second.for_each_from(
      from, [&](const PlayerInput& input) { player.inputs.offer(input, replica.next); });
}

std::vector<ReplicaPlayer> Core::Buddies::players_of(const Ward& ward) const {
  std::vector<ReplicaPlayer> out;
  if (!ward.tick) return out;
  const auto shapes = shapes_of(core_.game_);
  ByteReader reader(ward.players);
  for (std::uint16_t i = 0; i < ward.tick->players; ++i) {
    std::uint32_t size = 0;
    std::span<const std::byte> bytes;
    if (!reader.number(size) || !reader.view(bytes, size)) break;
    ByteReader inside(bytes);
    auto player = read_replica(inside, ward.tick->tick, core_.settings_.inputs, shapes);
    if (player != nullptr && inside.at_end()) {
      out.push_back({std::move(player), ward.tick->tick, ward.tick->settled});
      hear_what_was_sent(ward, out.back());
    }
  }
  return out;
}

/// The entities, keyed by the entity that carries them.
auto Core::Buddies::carried(const Ward& ward, const std::set<Handle>& of) const -> Carried {
  Carried out;
  for (const Handle handle : of) {
    const world::World::ActorTraces* traces = core_.world_->traces(handle);
    const world::ActorTrace* trace =
        traces != nullptr && ward.tick ? traces->find(ward.tick->tick) : nullptr;
    const Handle by = trace != nullptr ? trace->parent : core_.world_->find(handle)->parent;
    if (by != no_entity) out.emplace(by, handle);
  }
  return out;
}

/// The entities bound to the root, as far as ghosts show it: carried by it, or hinged to it.
std::vector<Handle> Core::Buddies::closure(handoff::GroupId root, const Ward& ward,
                                           const std::set<Handle>& of, const Carried& carried) {
  std::vector<Handle> out{root};
  const auto add = [&](Handle handle) {
    if (of.contains(handle) && std::find(out.begin(), out.end(), handle) == out.end()) {
      out.push_back(handle);
    }
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Handle at = out[i];
    for (const world::HingeDrive& hinge : ward.hinges) {
      if (hinge.order.a == at) add(hinge.order.b);
      if (hinge.order.b == at) add(hinge.order.a);
    }
    const auto [first, last] = carried.equal_range(at);
    for (auto each = first; each != last; ++each) add(each->second);
  }
  return out;
}

/// All entities and players of the group are here: a newer state than the received one, and
/// complete.
bool Core::Buddies::all_here(const GroupTransfer::Arrival& arrival, const std::set<Handle>& things,
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

// Groups that the dead worker received or got back, of which not all replication data came here.
// Each continues from the replicated state if that is complete, else from its received state; never
// from both.
void Core::Buddies::settle_taken(Ward& ward, std::set<Handle>& things,
                                 std::vector<ReplicaPlayer>& players) const {
  for (auto& [life, log] : ward.logs) {
    std::erase_if(log.taken, [&](const auto& taken) {
      const auto& [root, state] = taken;
      const auto group = log.ledger.groups.find(root);
      const auto arrival = core_.group_transfer_->read(*state);
      if (group == log.ledger.groups.end() || !arrival) return true;
      if (group->second.place == handoff::Place::Leaving) log.finals.try_emplace(root, state);
      if (group->second.place != handoff::Place::Here) return true;
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

void Core::Buddies::inherit(WorkerSlot from, Ward ward, bool careful) {
  std::set<Handle> things = core_.ghosts_->inherit(from);
  std::vector<ReplicaPlayer> players = players_of(ward);
  settle_taken(ward, things, players);
  tell_last_words(from, ward, players,
                  careful ? replay::Fate::PlayedOnWithout : replay::Fate::PlayedOn);
  if (careful) std::for_each(players.begin(), players.end(), [&](auto& p) { drop_what_waits(p); });
  const Carried by_carrier = carried(ward, things);
  for (auto& [life, log] : ward.logs) {
    for (const handoff::GroupId root : log.ledger.open) {
      if (log.ledger.groups.at(root).place != handoff::Place::Leaving) continue;
      if (!things.contains(root)) continue;  // it has arrived: its destination replicates it
      const bool as_it_left = log.finals.contains(root);  // otherwise it is known from ghosts
      Doubtful& doubtful = doubtful_.emplace_back(Doubtful{.life = life,
                                                           .group = root,
                                                           .since = core_.next_,
                                                           .as_it_left = as_it_left,
                                                           .members = {},
                                                           .players = {},
                                                           .hinges = ward.hinges});
      doubtful.members = closure(root, ward, things, by_carrier);
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
  core_.counts_.add(Count::LivesInherited);
  own({things.begin(), things.end()}, ward.hinges);
  go_on(std::move(players));
  for (auto& [life, log] : ward.logs) core_.handoffs_->inherit(life, std::move(log));
  for (const OutcomeRow& row : ward.outcomes) core_.outcome_journal_->write_again(row);
  core_.post_->inherit(ward.post);
}

void Core::Buddies::own(const std::vector<Handle>& things,
                        std::span<const world::HingeDrive> hinges) {
  core_.world_->make_own(things);
  core_.ghosts_->took(things);
  core_.counts_.add(Count::ThingsInherited, things.size());
  const std::set<Handle> ours(things.begin(), things.end());
  for (const world::HingeDrive& hinge : hinges) {
    const auto& [a, b] = std::pair(hinge.order.a, hinge.order.b);
    if (!ours.contains(a) || !ours.contains(b) || !core_.world_->add_hinge(hinge.order)) continue;
    core_.world_->drive_hinge(a, b, hinge.rad_s);
  }
}

// Steps the players from their next tick up to the present, with their waiting inputs and guesses
// for the rest. Late inputs may still replace the guesses.
void Core::Buddies::go_on(std::vector<ReplicaPlayer> players) {
  std::vector<std::pair<Player*, Tick>> resumed;
  Tick oldest = core_.next_;
  for (ReplicaPlayer& each : players) {
    const Handle handle = each.player->avatar;
    const world::Entity* avatar = core_.world_->find(handle);
    const bool fits = avatar != nullptr && !avatar->remote &&
                      core_.players_.find(each.player->session) == nullptr &&
                      core_.players_.find_client(each.player->client_id) == nullptr;
    if (!fits) {
      if (avatar == nullptr) core_.counts_.add(Count::PlayersNotInherited);
      if (avatar != nullptr && !avatar->remote && core_.players_.find_avatar(handle) == nullptr) {
        core_.world_->despawn(handle);  // its client has joined anew
      }
      continue;
    }
    each.player->params = &core_.world_->type_of(*avatar).actor;
    each.player->claims_checked = core_.next_;
    each.player->committed = each.settled + 1;
    if (!play_again(*each.player, each.next, core_.game_)) each.player->records.clear();
    Player& player = core_.player_sessions_->enter(std::move(each.player));
    const Tick from = before(core_.next_, each.next) ? core_.next_ : each.next;
    core_.world_->set_actor(handle, player.parent, player.state, from);
    resumed.emplace_back(&player, from);
    if (before(from, oldest)) oldest = from;
    core_.handoffs_->greet(player.session, handle);
    core_.counts_.add(Count::PlayersInherited);
  }
  if (ticks_between(oldest, core_.next_) > catch_up_ticks_max) {
    for (const auto& [player, from] : resumed) core_.group_transfer_->start_where_it_stood(*player);
    return;
  }
  for (Tick tick = oldest; before(tick, core_.next_); ++tick) {
    core_.world_->look_back(tick);
    for (const auto& [player, from] : resumed) {
      if (!before(tick, from)) core_.player_steps_->step(*player, tick);
    }
  }
  core_.outcomes_->settle_late();
}

std::uint32_t Core::Buddies::players_in_doubt(handoff::GroupId group) const {
  const auto found = std::find_if(doubtful_.begin(), doubtful_.end(),
                                  [&](const Doubtful& each) { return each.group == group; });
  return found == doubtful_.end() ? 0U : static_cast<std::uint32_t>(found->players.size());
}

void Core::Buddies::settled(Life life, handoff::GroupId group, bool back) {
  const auto found = std::find_if(doubtful_.begin(), doubtful_.end(), [&](const Doubtful& each) {
    return each.life == life && each.group == group;
  });
  if (found == doubtful_.end()) return;
  Doubtful doubtful = std::move(*found);
  doubtful_.erase(found);
  if (telling_) telling_->fills_at = words_.sequence();  // its new state is replicated from now on
  std::erase_if(doubtful.members, [&](Handle member) {
    const world::Entity* entity = core_.world_->find(member);
    return entity == nullptr || !entity->remote;
  });
  if (!back) return core_.ghosts_->let_go_of(doubtful.members);
  own(doubtful.members, doubtful.hinges);
  go_on(std::move(doubtful.players));
}

}  // namespace perigee::worker
