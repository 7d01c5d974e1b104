// The client's part of a flight recording.
#include "perigee/client/client.hpp"

namespace perigee::client {

void Client::note_final(const OwnSection& own) {
  if (!recorder_ || !prediction_.running()) return;
  recorder_->note_final({prediction_.next(), own.final_tick, own.final_parent, own.final_state});
}

void Client::note_change(const TimelineEvent& event) {
  if (!recorder_) return;
  recorder_->note_change(
      {prediction_.next(), {event.object, event.effect, event.goal, event.version}});
}

std::optional<replay::Recording> Client::recording(const Correction& of,
                                                   std::string_view build) const {
  const ClientEntity* avatar = entities_.find(prediction_.avatar());
  if (!recorder_ || avatar == nullptr || recorder_->ticks() == 0) return std::nullopt;
  const auto thing_of = [&](Handle handle) -> std::optional<replay::Recording::Thing> {
    const ClientEntity* entity = entities_.find(handle);
    if (entity == nullptr) return std::nullopt;
    return replay::Recording::Thing{handle, entity->type, false};
  };
  return recorder_->recording({.side = replay::Side::Client,
                               .game = std::string(game_.name()),
                               .schema_hash = game_.schema_hash(),
                               .build = std::string(build),
                               .avatar = avatar->identity,
                               .type = avatar->type,
                               .tick = of.at,
                               .cause = of.cause,
                               .meters = of.meters},
                              thing_of);
}

}  // namespace perigee::client
