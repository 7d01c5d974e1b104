#include "observer_state.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

void Core::on_join(const JoinRecord& join, const Address& gateway) {
  if (const auto found = players_.find(join.session); found != players_.end()) {
    fabric_.add(gateway, JoinedRecord{join.session, found->second->avatar});
    return;
  }
  const RegionEntry* region = map_.region(join.region);
  const auto refuse = [&](RefuseReason reason) {
    drop(Count::JoinsRefused);
    fabric_.add(gateway, RefusedRecord{join.session, reason});
  };
  if (!ready()) return refuse(RefuseReason::NotReady);
  if (region == nullptr || region->owner != slot_) return refuse(RefuseReason::NotOwner);
  if (players_.size() >= settings_.players_max) return refuse(RefuseReason::Full);

  const world::ActorSpawn spawn = game_.spawn_state(*world_, {region->low, region->high}, joined_);
  world::SpawnOrder order;
  order.id = world::make_entity_id(slot_ + 1U, next_, joined_++ % world::EntityId::ordinal_max);
  order.type = spawn.type;
  order.parent = spawn.parent;
  order.local = {spawn.state.position, {}};
  const Handle avatar = world_->spawn(order);
  if (avatar == no_entity) return refuse(RefuseReason::Full);
  world_->set_actor(avatar, spawn.parent, spawn.state, next_);

  auto player = std::make_unique<Player>();
  player->session = join.session;
  player->client_id = join.client_id;
  player->avatar = avatar;
  player->params = &game_.types()[spawn.type].actor;
  player->inputs = InputTimeline(settings_.inputs);
  player->parent = spawn.parent;
  player->state = spawn.state;
  player->reset_epoch = static_cast<std::uint8_t>(next_.count);  // not that of a former life
  player->heard = next_;
  player->claims_checked = next_;
  players_.emplace(join.session, std::move(player));

  ObserverState& state = observer(join.session);
  state.observer.avatar = avatar;
  fabric_.add(gateway, JoinedRecord{join.session, avatar});
}

void Core::on_leave(const LeaveRecord& leave, const Address& gateway) {
  remove_player(leave.session);
  fabric_.add(gateway, LeftRecord{leave.session});
}

void Core::remove_player(SessionId session) {
  const auto found = players_.find(session);
  if (found == players_.end()) return;
  world_->despawn(found->second->avatar);
  players_.erase(found);
  forget_observer(observers_.find(session));
}

void Core::drop_silent_players() {
  for (const auto& [session, player] : players_) {
    if (ticks_between(player->heard, next_) <= settings_.silence_ticks_max) continue;
    remove_player(session);
    return;  // one a tick; the map has changed
  }
}

}  // namespace perigee::worker
