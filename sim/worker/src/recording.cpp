// The server's half of a flight recording: ticks as they became final.
#include "perigee/worker/core.hpp"

namespace perigee::worker {

void Core::record(Player& player) {
  const Tick final_now = player.inputs.final_before(next_);
  for (; before(player.recorded, final_now); ++player.recorded) {
    const world::StepRecord* step = player.records.find(player.recorded);
    if (step != nullptr) player.recorder->note(*step);
  }
}

void Core::note_surprise(const Player& player, Tick tick, double meters) {
  if (!player.recorder) return;
  for (const Surprise& known : surprises_) {
    if (known.client_id == player.client_id) return;
  }
  surprises_.push_back({player.client_id, tick, meters});
}

void Core::note_everybody() {
  for (const Player& player : players_) note_surprise(player, next_, 0);
}

std::optional<replay::Recording> Core::recording(const Surprise& of, std::string_view build) const {
  const Player* player = player_of(of.client_id);
  if (player == nullptr || !player->recorder || player->recorder->ticks() == 0) {
    return std::nullopt;
  }
  const auto thing_of = [&](Handle handle) -> std::optional<replay::Recording::Thing> {
    const world::Entity* entity = world_->find(handle);
    if (entity == nullptr) return std::nullopt;
    return replay::Recording::Thing{handle, entity->type, world_->chained(handle)};
  };
  return player->recorder->recording(
      {.side = replay::Side::Worker,
       .game = std::string(game_.name()),
       .schema_hash = game_.schema_hash(),
       .build = std::string(build),
       .avatar = player->identity,
       .session = player->session,
       .type = world_->find(player->avatar)->type,
       .delay_ticks = static_cast<std::int8_t>(player->inputs.delay_ticks()),
       .tick = of.tick,
       .meters = of.meters},
      thing_of);
}

}  // namespace perigee::worker
