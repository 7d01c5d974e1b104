#include "perigee/worker/flight_recordings.hpp"

#include "perigee/world/schema.hpp"

namespace perigee::worker {

void FlightRecordings::record(Player& player) {
  if (!player.recorder && armed_.in_use() == 0) return;
  const Tick final_now = player.inputs.final_before(needs_.next);
  if (player.recorder) record_final(player, final_now, player.recorded, *player.recorder);
  if (armed_.in_use() == 0) return;
  const world::Entity* avatar = needs_.world.find(player.avatar);
  if (avatar != nullptr) armed_.record(player, avatar->type, final_now);
}

FlightRecordings::Arming FlightRecordings::arm(std::uint64_t client_id, std::int32_t for_ticks) {
  const Player* player = needs_.players.find_client(client_id);
  if (player == nullptr) return Arming::NoPlayer;
  return armed_.arm(*player, needs_.next, for_ticks) ? Arming::Armed : Arming::AllInUse;
}

std::optional<replay::FlightHeader> FlightRecordings::copy(std::uint64_t client_id,
                                                           std::string_view build,
                                                           replay::FlightRecorder& to) const {
  const ArmedRecorders::Slot* slot = armed_.find(client_id);
  if (slot == nullptr || slot->recorder.ticks() == 0) return std::nullopt;
  to = slot->recorder;
  replay::FlightHeader header = slot->header;
  header.game = needs_.game.name();
  header.schema_hash = world::agreed_schema(needs_.game);
  header.build = build;
  header.input_fields = replay::recorded_input_fields(needs_.game.input_layout());
  return header;
}

std::optional<replay::Recording::Thing> FlightRecordings::thing(Handle handle) const {
  const world::Entity* entity = needs_.world.find(handle);
  if (entity == nullptr) return std::nullopt;
  return replay::Recording::Thing{handle, entity->type, needs_.world.chained(handle)};
}

std::vector<replay::Recording::Thing> FlightRecordings::things(
    std::span<const Handle> handles) const {
  std::vector<replay::Recording::Thing> out;
  for (const Handle handle : handles) {
    if (const auto found = thing(handle)) out.push_back(*found);
  }
  return out;
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
  return player->recorder->recording(
      {.side = replay::Side::Worker,
       .game = std::string(needs_.game.name()),
       .schema_hash = world::agreed_schema(needs_.game),
       .build = std::string(build),
       .avatar = player->identity,
       .session = player->session,
       .type = needs_.world.find(player->avatar)->type,
       .delay_ticks = static_cast<std::int8_t>(player->inputs.delay_ticks()),
       .tick = of.tick,
       .meters = of.meters,
       .input_fields = replay::recorded_input_fields(needs_.game.input_layout())},
      [this](Handle handle) { return thing(handle); });
}

}  // namespace perigee::worker
