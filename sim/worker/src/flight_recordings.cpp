#include "perigee/worker/flight_recordings.hpp"

namespace perigee::worker {

void FlightRecordings::record(Player& player) {
  if (!player.recorder) return;
  const Tick final_now = player.inputs.final_before(needs_.next);
  for (; before(player.recorded, final_now); ++player.recorded) {
    const world::StepRecord* step = player.records.find(player.recorded);
    if (step != nullptr) player.recorder->note(*step);
  }
}

void FlightRecordings::note(const Player& player, Tick tick, double meters) {
  if (!player.recorder) return;
  for (const Misprediction& known : mispredictions_) {
    if (known.client_id == player.client_id) return;
  }
  mispredictions_.push_back({player.client_id, tick, meters});
}

void FlightRecordings::note_all() {
  for (const Player& player : needs_.players) note(player, needs_.next, 0);
}

std::optional<replay::Recording> FlightRecordings::recording(const Misprediction& of,
                                                             std::string_view build) const {
  const Player* player = needs_.players.find_client(of.client_id);
  if (player == nullptr || !player->recorder || player->recorder->ticks() == 0) {
    return std::nullopt;
  }
  const auto thing_of = [&](Handle handle) -> std::optional<replay::Recording::Thing> {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity == nullptr) return std::nullopt;
    return replay::Recording::Thing{handle, entity->type, needs_.world.chained(handle)};
  };
  return player->recorder->recording(
      {.side = replay::Side::Worker,
       .game = std::string(needs_.game.name()),
       .schema_hash = needs_.game.schema_hash(),
       .build = std::string(build),
       .avatar = player->identity,
       .session = player->session,
       .type = needs_.world.find(player->avatar)->type,
       .delay_ticks = static_cast<std::int8_t>(player->inputs.delay_ticks()),
       .tick = of.tick,
       .meters = of.meters},
      thing_of);
}

}  // namespace perigee::worker
