#include "perigee/lab/attribution.hpp"

namespace perigee::lab {
namespace {

replay::ThingKind kind_of(const world::World& world, Handle handle) {
  const world::Entity* entity = world.find(handle);
  if (entity == nullptr) return replay::ThingKind::Gone;
  switch (world.type_of(*entity).kind) {
    case world::EntityKind::Static:
      return replay::ThingKind::Static;
    case world::EntityKind::Timeline:
      return replay::ThingKind::Timeline;
    case world::EntityKind::Actor:
      return replay::ThingKind::Actor;
    case world::EntityKind::Body:
      break;
  }
  return world.chained(handle) ? replay::ThingKind::Chained : replay::ThingKind::Body;
}

}  // namespace

Attribution::Attribution()
    : finals_(std::make_unique<TickRing<world::StepRecord, finals_ticks>>()) {}

void Attribution::before_receive(const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  believed_.clear();
  if (!prediction.running()) return;
  base_ = prediction.base_tick();
  present_ = prediction.state();
  for (Tick t = base_; before(t, prediction.next()); ++t) {
    const world::StepRecord* record = prediction.record(t);
    if (record == nullptr) return believed_.clear();
    believed_.push_back(*record);
  }
}

void Attribution::note_final(const worker::Core& core, const worker::Player& player,
                             const world::StepRecord& record, Tick named) {
  core_ = &core;
  params_ = player.params;
  world::StepRecord& kept = finals_->claim(named);
  kept = record;
  kept.tick = named;
}

// The server's own up to the newest final state, then what the client makes of that.
bool Attribution::became(const client::Prediction& now, replay::Chain& out) const {
  for (const world::StepRecord& believed : believed_) {
    const Tick tick = believed.tick;
    const bool is_final = before(tick, now.base_tick());
    const world::StepRecord* record = is_final ? finals_->find(tick) : now.record(tick);
    if (record == nullptr) return false;
    out.push_back(*record);
  }
  return true;
}

replay::Explanation Attribution::explain(const world::GameModule& game,
                                         const client::Client& client) const {
  const client::Prediction& now = client.prediction();
  replay::Disagreement between{believed_, present_.position, now.parent(), {}};
  if (believed_.empty() || core_ == nullptr || !became(now, between.became)) return {};
  const client::EntityStore& entities = client.entities();
  const Tick end = now.next() + client.delay_ticks();
  const replay::Bystanders bystanders{
      .kind_of = [&](Handle handle) { return kind_of(core_->world(), handle); },
      .known = [&](Handle handle) { return entities.find(handle) != nullptr; },
      .motion_at_end = [&](Handle parent) { return entities.motion_at(parent, end); }};
  return replay::explain(game, *params_, between, bystanders);
}

}  // namespace perigee::lab
