#include <utility>

#include "durable.hpp"
#include "handoffs.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

void Core::on_join(const JoinRecord& join, const Address& gateway) {
  if (const Player* known = players_.find(join.session)) {
    fabric_.add(gateway, JoinedRecord{join.session, known->avatar});
    return;
  }
  if (handoffs_ && handoffs_->went(join.session)) return;  // its new owner answers
  const RegionEntry* region = map_.region(join.region);
  const auto refuse = [&](RefuseReason reason) {
    drop(Count::JoinsRefused);
    fabric_.add(gateway, RefusedRecord{join.session, reason});
  };
  if (!ready()) return refuse(RefuseReason::NotReady);
  if (resume(join, gateway)) return;
  if (const RegionEntry* lies_in = durable_->region_of(join.client_id)) {
    const WorkerEntry* who = lies_in->owner ? map_.worker(*lies_in->owner) : nullptr;
    if (who != nullptr && who->slot != slot_) {
      fabric_.add(who->fabric, join);
      return;
    }
  }
  if (region == nullptr || region->owner != slot_) return refuse(RefuseReason::NotOwner);
  if (!avatar_locator_->nowhere_else(join, gateway, next_)) return;
  if (players_.size() >= settings_.players_max) return refuse(RefuseReason::Full);
  // Its gateway asks again: the places for new players may not have arrived yet.
  if (!knows(*region)) return;

  const auto place = checked_game_->spawn_in(*region, joined_);
  if (!place) return refuse(RefuseReason::NotReady);
  const world::ActorSpawn& spawn = *place;
  world::SpawnOrder order;
  const std::uint32_t ordinal = joined_++;
  order.id = world::make_entity_id(spawner_, next_, ordinal % world::EntityId::ordinal_max);
  order.type = spawn.type;
  order.parent = spawn.parent;
  order.local = {spawn.state.position, {}};
  const Handle avatar = world_->spawn(order);
  if (avatar == no_entity) return refuse(RefuseReason::Full);
  world_->set_actor(avatar, spawn.parent, spawn.state, next_);

  auto player = std::make_unique<Player>();
  player->session = join.session;
  player->client_id = join.client_id;
  player->issue = join.issue;
  player->avatar = avatar;
  player->identity = order.id.bits;
  player->ordinal = ordinal;
  player->game = game_.state_codec().initial;
  player->params = &game_.types()[spawn.type].actor;
  player->inputs = InputTimeline(settings_.inputs);
  player->lateness = LateAllowance(settings_.late_ticks_max);
  player->inputs.use(game_.types()[spawn.type].techniques.shared(), next_);
  player->parent = spawn.parent;
  player->state = spawn.state;
  // Differs from that of an earlier session.
  player->reset_epoch = static_cast<std::uint8_t>(next_.count);
  player->heard = next_;
  player->claims_checked = next_;
  player->committed = next_;
  enter(std::move(player));
  fabric_.add(gateway, JoinedRecord{join.session, avatar});
}

// True: the client's avatar is here.
bool Core::resume(const JoinRecord& join, const Address& gateway) {
  Player* player = players_.find_client(join.client_id);
  if (player == nullptr) return false;
  // Of two sessions of one client the one with the later made token counts; the other gateway gets
  // no answer and gives up.
  if (join.issue < player->issue) {
    drop(Count::JoinsRefused);
    return true;
  }
  if (player->session != join.session) take_over(*player, join);
  fabric_.add(gateway, JoinedRecord{join.session, player->avatar});
  return true;
}

// Worlds were restored, and the client's avatar should be here. If it has left since then, this
// worker returns the record, and the worker that forwarded it spawns a new avatar.
void Core::on_join_passed_on(const JoinRecord& join, const Address& worker) {
  if (!ready()) return;
  const GatewayEntry* gateway = cluster_.gateway_of(join.session);
  if (gateway == nullptr) return drop(Count::DropUnknownSender);
  if (durable_->region_of(join.client_id) != nullptr) return durable_->not_there(join.client_id);
  if (const Player* known = players_.find(join.session)) {
    fabric_.add(gateway->fabric, JoinedRecord{join.session, known->avatar});
  } else if (!resume(join, gateway->fabric)) {
    fabric_.add(worker, join);
  }
}

/// The client came back with a new session: the avatar stays, all session state starts over.
void Core::take_over(Player& player, const JoinRecord& join) {
  observers_.forget(player.session);
  players_.change_session(player, join.session);
  player.issue = join.issue;
  player.lost = false;
  player.heard = next_;
  player.pending.reset();  // announced to the former session: will be chosen and announced again
  player.margins = {};
  player.ahead_ticks = 0;
  player.newest_input.reset();
  player.start_anew(next_, settings_.reset_rest_ticks);
  observers_.get(join.session).observer.avatar = player.avatar;
  counts_.add(Count::PlayersResumed);
}

// A worker that has migrated the player forwards the record. The worker with the avatar, or one
// that knows that there is none, answers.
void Core::on_leave(const LeaveRecord& leave) {
  if (avatar_locator_) avatar_locator_->on_leave(leave.session);
  if (handoffs_ && handoffs_->pass_on(leave)) return;
  Player* player = players_.find(leave.session);
  if (leave.lost && player != nullptr) {
    player->lost = true;
    observers_.forget(leave.session);
  } else {
    remove_player(leave.session);
  }
  const GatewayEntry* gateway = cluster_.gateway_of(leave.session);
  if (gateway != nullptr) fabric_.add(gateway->fabric, LeftRecord{leave.session});
}

// A new place, without promises or pending outcomes. A player that is about to be migrated respawns
// at the other worker.
void Core::respawn(Player& player) {
  const auto motion = world_->motion(player.avatar, next_);
  const RegionEntry* region = cluster_.own_region_near(motion ? motion->pose.position : Vec3{});
  if (region == nullptr || !knows(*region)) return;
  const auto place = checked_game_->spawn_in(*region, player.ordinal);
  PERIGEE_ASSERT(place.has_value(), "a game with players has a type of actors");
  const world::ActorSpawn& spawn = *place;
  player.respawns = false;
  player.game = outcomes_->present_game(player);
  player.events.clear();
  player.records.clear();
  player.parent = spawn.parent;
  player.state = spawn.state;
  player.tracker = {};
  player.start_anew(next_, settings_.reset_rest_ticks);
  world_->set_actor(player.avatar, player.parent, player.state, next_);
  counts_.add(Count::Respawns);
}

void Core::remove_player(SessionId session) {
  const auto player = players_.remove(session);
  if (player == nullptr) return;
  world_->despawn(player->avatar);
  observers_.forget(session);
}

// Tells the gateway that this avatar is gone, so that it asks for another one if it still has the
// client.
void Core::drop_silent_players() {
  for (const Player& player : players_) {
    if (ticks_between(player.heard, next_) <= settings_.silence_ticks_max) continue;
    const SessionId session = player.session;
    const GatewayEntry* gateway = cluster_.gateway_of(session);
    if (gateway != nullptr) {
      fabric_.add(gateway->fabric, RefusedRecord{session, RefuseReason::NotOwner});
    }
    remove_player(session);
    return;  // one per tick; the map has changed
  }
}

}  // namespace perigee::worker
