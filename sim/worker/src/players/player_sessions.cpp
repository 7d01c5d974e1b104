#include "perigee/worker/players/player_sessions.hpp"

#include <utility>

namespace perigee::worker {

void PlayerSessions::on_join(const JoinRecord& join, const Address& gateway) {
  if (is_npc_client(join.client_id)) return refuse(join, gateway, RefuseReason::NotReady);
  if (const Player* known = needs_.players.find(join.session)) {
    needs_.fabric.add(gateway, JoinedRecord{join.session, known->avatar});
    return;
  }
  if (needs_.migrated(join.session)) return;  // its new owner answers
  if (resume(join, gateway)) return;
  if (forward_to_restored(join)) return;
  const RegionEntry* region = needs_.cluster.map().region(join.region);
  if (region == nullptr || !needs_.cluster.owns(*region)) {
    return refuse(join, gateway, RefuseReason::NotOwner);
  }
  if (needs_.profile_pending(join.session)) return;
  if (!needs_.nowhere_else(join, gateway)) return;
  if (needs_.players.clients() >= needs_.settings.players_max)
    return refuse(join, gateway, RefuseReason::Full);
  // The places for new players may not have arrived yet. The gateway asks again.
  if (!needs_.complete(*region)) return;
  if (!needs_.checked_game.spawns_players(*region)) {
    return refuse(join, gateway, RefuseReason::NoPlace);
  }
  if (needs_.profile_ready(join, gateway)) spawn(join, *region, gateway);
}

void PlayerSessions::refuse(const JoinRecord& join, const Address& gateway, RefuseReason reason) {
  needs_.counts.add(metric.joins_refused);
  needs_.fabric.add(gateway, RefusedRecord{join.session, reason});
}

bool PlayerSessions::forward_to_restored(const JoinRecord& join) {
  const RegionEntry* region = needs_.restored_in(join.client_id);
  if (region == nullptr) return false;
  const WorkerEntry* owner = region->owner ? needs_.cluster.map().worker(*region->owner) : nullptr;
  if (owner == nullptr || owner->slot == needs_.cluster.self()) return false;
  needs_.fabric.add(owner->fabric, join);
  return true;
}

void PlayerSessions::spawn(const JoinRecord& join, const RegionEntry& region,
                           const Address& gateway) {
  const auto place = needs_.checked_game.spawn_in(region, joined_);
  if (!place) return refuse(join, gateway, RefuseReason::NotReady);
  const world::ActorSpawn& spawn = *place;
  world::SpawnOrder order;
  const std::uint32_t ordinal = joined_++;
  order.id =
      world::make_entity_id(needs_.spawner, needs_.next, ordinal % world::EntityId::ordinal_max);
  order.type = spawn.type;
  order.parent = spawn.parent;
  order.local = {spawn.state.position, {}};
  const Handle avatar = needs_.world.spawn(order);
  if (avatar == no_entity) return refuse(join, gateway, RefuseReason::Full);
  needs_.world.set_actor(avatar, spawn.parent, spawn.state, needs_.next);

  auto player = std::make_unique<Player>();
  player->session = join.session;
  player->client_id = join.client_id;
  player->issue = join.issue;
  player->account = join.account;
  player->avatar = avatar;
  player->identity = order.id.bits;
  player->ordinal = ordinal;
  player->game = needs_.game.state_codec().initial;
  player->params = &needs_.game.types()[spawn.type].actor;
  player->inputs = InputTimeline(needs_.settings.inputs);
  player->lateness = LateAllowance(needs_.settings.late_ticks_max);
  player->inputs.use(needs_.game.types()[spawn.type].techniques.shared(), needs_.next);
  player->parent = spawn.parent;
  player->state = spawn.state;
  // Differs from that of an earlier session.
  player->reset_epoch = static_cast<std::uint8_t>(needs_.next.count);
  player->received = needs_.next;
  player->claims_checked = needs_.next;
  player->committed = needs_.next;
  player->messages.state.broadcasts = needs_.broadcasts_heard();
  player->profile = needs_.take_profile(join.session);
  needs_.on_join(enter(std::move(player)));
  needs_.fabric.add(gateway, JoinedRecord{join.session, avatar});
}

world::Spawned PlayerSessions::spawn_npc(const world::NpcSpawn& npc, world::EntityId id) {
  const world::ActorPlace& place = npc.place;
  const world::Spawned spawned = needs_.world.try_spawn(
      {.id = id, .type = npc.type, .parent = place.parent, .local = {place.position, {}}});
  if (!spawned) return spawned;
  const Handle actor = spawned.entity;
  const world::EntityType& type = needs_.game.types()[npc.type];
  auto player = std::make_unique<Player>();
  player->session = npc_session(actor);
  player->client_id = npc_client(actor);
  player->account.name = npc.name;
  player->lost = true;
  player->avatar = actor;
  player->identity = id.bits;
  player->game = npc.state.value_or(needs_.game.state_codec().initial);
  player->params = &type.actor;
  player->inputs = InputTimeline(needs_.settings.inputs);
  player->lateness = LateAllowance(needs_.settings.late_ticks_max);
  player->inputs.use(type.techniques.shared(), needs_.next);
  player->parent = place.parent;
  player->state = {.position = place.position, .velocity = place.velocity};
  player->received = needs_.next;
  player->claims_checked = needs_.next;
  player->committed = needs_.next;
  needs_.world.set_actor(actor, player->parent, player->state, needs_.next);
  enter(std::move(player));
  return spawned;
}

void PlayerSessions::remove_npc(Handle actor) {
  if (needs_.players.remove(npc_session(actor)) != nullptr) needs_.world.despawn(actor);
}

Player& PlayerSessions::enter(std::unique_ptr<Player> player) {
  player->recorded = needs_.next;
  if (player->npc()) return needs_.players.add(std::move(player));
  player->gap_replays = LateAllowance(needs_.settings.gap_replays_max);
  if (needs_.settings.recorder) {
    player->recorder =
        std::make_unique<replay::FlightRecorder>(needs_.game.types(), *needs_.settings.recorder);
  }
  needs_.observers.get(player->session).observer.avatar = player->avatar;
  Player& entered = needs_.players.add(std::move(player));
  needs_.on_enter(entered);
  return entered;
}

bool PlayerSessions::resume(const JoinRecord& join, const Address& gateway) {
  Player* player = needs_.players.find_client(join.client_id);
  if (player == nullptr) return false;
  // Of two sessions of one client, the one whose token was made later counts. The other gateway
  // gets no answer and gives up.
  if (join.issue < player->issue) {
    needs_.counts.add(metric.joins_refused);
    return true;
  }
  if (player->session != join.session) take_over(*player, join);
  needs_.fabric.add(gateway, JoinedRecord{join.session, player->avatar});
  return true;
}

void PlayerSessions::on_forwarded_join(const JoinRecord& join, const Address& worker) {
  const GatewayEntry* gateway = needs_.cluster.gateway_of(join.session);
  if (gateway == nullptr) return needs_.counts.add(metric.drop_unknown_sender);
  if (needs_.restored_in(join.client_id) != nullptr) return needs_.not_restored(join.client_id);
  if (const Player* known = needs_.players.find(join.session)) {
    needs_.fabric.add(gateway->fabric, JoinedRecord{join.session, known->avatar});
  } else if (!resume(join, gateway->fabric)) {
    needs_.fabric.add(worker, join);
  }
}

/// The client came back with a new session: the avatar stays, all session state starts over.
void PlayerSessions::take_over(Player& player, const JoinRecord& join) {
  needs_.observers.forget(player.session);
  needs_.players.change_session(player, join.session);
  player.issue = join.issue;
  if (join.account.name != player.account.name) {
    needs_.observers.broadcast(player.avatar, PlayerNameEvent{player.avatar, join.account.name},
                               false);
  }
  player.account = join.account;
  player.lost = false;
  player.received = needs_.next;
  player.pending.reset();  // announced to the former session: will be chosen and announced again
  player.margins = {};
  player.told = {};
  player.ahead = {};
  player.newest_input.reset();
  player.start_anew(needs_.next, needs_.settings.reset_rest_ticks);
  needs_.observers.get(join.session).observer.avatar = player.avatar;
  needs_.counts.add(metric.players_resumed);
}

// A worker that has migrated the player forwards the record. The worker with the avatar answers, or
// one that knows that there is none.
void PlayerSessions::on_leave(const LeaveRecord& leave) {
  needs_.stop_locating(leave.session);
  if (needs_.forward(leave)) return;
  Player* player = needs_.players.find(leave.session);
  if (leave.lost && player != nullptr) {
    player->lost = true;
    needs_.observers.forget(leave.session);
  } else {
    remove(leave.session);
  }
  const GatewayEntry* gateway = needs_.cluster.gateway_of(leave.session);
  if (gateway != nullptr) needs_.fabric.add(gateway->fabric, LeftRecord{leave.session});
}

void PlayerSessions::start_elsewhere(Player& player) {
  if (!player.placed) return respawn(player);
  const world::ActorPlace place = *std::exchange(player.placed, std::nullopt);
  // Its parent may have left since the game has named it.
  if (!needs_.checked_game.takes(player.avatar, place)) return;
  restart_at(player, place.parent, {.position = place.position, .velocity = place.velocity});
  needs_.counts.add(metric.actors_placed);
}

void PlayerSessions::respawn(Player& player) {
  const auto motion = needs_.world.motion(player.avatar, needs_.next);
  const RegionEntry* region =
      needs_.cluster.own_region_near(motion ? motion->pose.position : Vec3{});
  if (region == nullptr || !needs_.complete(*region)) return;
  const auto place = needs_.checked_game.spawn_in(*region, player.ordinal);
  PERIGEE_ASSERT(place.has_value(), "a game with players must have an actor type");
  const world::ActorSpawn& spawn = *place;
  player.respawns = false;
  restart_at(player, spawn.parent, spawn.state);
  needs_.counts.add(metric.respawns);
}

void PlayerSessions::restart_at(Player& player, Handle parent, const ActorState& state) {
  player.game = needs_.present_game(player);
  player.events.clear();
  player.records.clear();
  player.parent = parent;
  player.state = state;
  player.tracker = {};
  player.start_anew(needs_.next, needs_.settings.reset_rest_ticks);
  player.elsewhere = true;
  needs_.world.set_actor(player.avatar, player.parent, player.state, needs_.next);
}

void PlayerSessions::remove(SessionId session) {
  if (const Player* leaving = needs_.players.find(session)) {
    needs_.on_leave(*leaving);
    needs_.on_gone(*leaving);
  }
  const auto player = needs_.players.remove(session);
  if (player == nullptr) return;
  needs_.world.despawn(player->avatar);
  needs_.observers.forget(session);
}

// Tells the gateway that this avatar is gone. If the gateway still has the client, it asks for
// another avatar.
void PlayerSessions::drop_silent() {
  for (const Player& player : needs_.players) {
    if (player.npc()) continue;
    if (ticks_between(player.received, needs_.next) <= needs_.settings.silence_ticks_max) continue;
    const SessionId session = player.session;
    const GatewayEntry* gateway = needs_.cluster.gateway_of(session);
    if (gateway != nullptr) {
      needs_.fabric.add(gateway->fabric, RefusedRecord{session, RefuseReason::NotOwner});
    }
    remove(session);
    return;  // one per tick; the map has changed
  }
}

}  // namespace perigee::worker
