#include "perigee/client/recorder.hpp"

#include <string>

#include "perigee/world/schema.hpp"

namespace perigee::client {

void Recorder::use(const std::optional<replay::RecorderSettings>& settings) {
  settings_ = settings;
  recorder_.reset();
  forget_world();
}

void Recorder::forget_world() {
  if (!settings_) return;
  recorder_ = std::make_unique<replay::FlightRecorder>(needs_.game.types(), *settings_);
}

void Recorder::note_step(const world::StepRecord& record) {
  if (recorder_) recorder_->note(record);
}

void Recorder::note_final(const OwnSection& own) {
  if (!recorder_ || !needs_.prediction.running()) return;
  recorder_->note_final(
      {needs_.prediction.next(), own.final_tick, own.final_parent, own.final_state});
}

void Recorder::note_change(const TimelineEvent& event) {
  if (!recorder_) return;
  recorder_->note_change(
      {needs_.prediction.next(), {event.object, event.effect, event.goal, event.version}});
}

void Recorder::note_correction(const Correction& correction) {
  if (recorder_) recorder_->note_correction({correction.at, correction.cause, correction.meters});
}

std::optional<replay::Recording> Recorder::recording(const Correction& of,
                                                     std::string_view build) const {
  const ClientEntity* avatar = needs_.entities.find(needs_.prediction.avatar());
  if (!recorder_ || avatar == nullptr || recorder_->ticks() == 0) return std::nullopt;
  const auto thing_of = [&](Handle handle) -> std::optional<replay::Recording::Thing> {
    const ClientEntity* entity = needs_.entities.find(handle);
    if (entity == nullptr) return std::nullopt;
    return replay::Recording::Thing{handle, entity->type, false};
  };
  return recorder_->recording(
      {.side = replay::Side::Client,
       .game = std::string(needs_.game.name()),
       .schema_hash = world::agreed_schema(needs_.game),
       .build = std::string(build),
       .avatar = avatar->identity,
       .type = avatar->type,
       .tick = of.at,
       .cause = of.cause,
       .meters = of.meters,
       .input_fields = replay::recorded_input_fields(needs_.game.input_layout())},
      thing_of);
}

}  // namespace perigee::client
