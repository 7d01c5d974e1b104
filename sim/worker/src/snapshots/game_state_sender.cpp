#include "perigee/worker/snapshots/game_state_sender.hpp"

namespace perigee::worker {

void GameStateSender::after_tick() {
  send_of_players();
  send_of_things();
}

void GameStateSender::send_of_players() {
  const world::GameStateCodec& codec = needs_.game.state_codec();
  for (Player& player : needs_.players) {
    const GameBytes now = codec.write(player.game, codec.initial, world::SeenBy::Everybody);
    if (now == player.sent_game) continue;
    player.sent_game = now;
    ++player.sent_game_version;
    needs_.observers.broadcast(player.avatar,
                               GameStateEvent{player.avatar, player.sent_game_version, now}, false);
  }
}

void GameStateSender::send_of_things() {
  std::erase_if(sent_, [&](const auto& each) {
    return ticks_between(each.second, needs_.next) >= thing_event_ticks;
  });
  const std::vector<Handle> shown = needs_.world.take_shown();
  waiting_.insert(shown.begin(), shown.end());
  std::erase_if(waiting_, [&](Handle thing) {
    if (sent_.contains(thing)) return false;
    const world::Entity* entity = needs_.world.find(thing);
    if (entity == nullptr || entity->remote) return true;  // its new owner tells its clients
    if (const auto event = newest(thing)) needs_.observers.broadcast(thing, *event, false);
    sent_[thing] = needs_.next;
    return true;
  });
}

void GameStateSender::tell_world(SessionId session, ObserverState& observer) {
  const world::Entity* entity = needs_.world.find(needs_.world.world_entity());
  if (entity == nullptr) return;
  const world::ThingState& state = *needs_.world.state(entity->handle);
  const auto& told = observer.world_told;
  if (told) {
    if (told->identity == entity->id.bits && told->version == state.version) return;
    const std::int32_t ago = ticks_between(told->at, needs_.next);
    if (ago >= 0 && ago < thing_event_ticks) return;
  }
  const world::GameStateCodec& codec = *needs_.world.type_of(*entity).state;
  const WorldStateEvent event{entity->id.bits, state.version,
                              codec.write(state.value, codec.initial, world::SeenBy::Everybody)};
  if (!needs_.observers.send(session, event, true)) return;  // there is no room: in the next tick
  observer.world_told = {entity->id.bits, state.version, needs_.next};
}

std::optional<GameStateEvent> GameStateSender::newest(Handle entity) const {
  if (const Player* player = needs_.players.find_avatar(entity)) {
    if (player->sent_game_version == 0) return std::nullopt;
    return GameStateEvent{entity, player->sent_game_version, player->sent_game};
  }
  const world::ThingState* state = needs_.world.state(entity);
  if (state == nullptr || state->version == 0) return std::nullopt;
  const world::GameStateCodec& codec = *needs_.world.type_of(*needs_.world.find(entity)).state;
  return GameStateEvent{entity, state->version,
                        codec.write(state->value, codec.initial, world::SeenBy::Everybody)};
}

}  // namespace perigee::worker
