#include "perigee/lab/attribution.hpp"

#include <utility>

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
    : believed_(std::make_unique<Records>()), finals_(std::make_unique<Records>()) {}

// Called thousands of times a second, so unchanged ticks are not copied again.
void Attribution::before_receive(const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  base_ = prediction.base_tick();
  present_ = prediction.state();
  if (!prediction.running()) {
    end_ = base_;
    return;
  }
  const bool anew = prediction.rewritten() != copied_ || before(end_, base_);
  copied_ = prediction.rewritten();
  for (Tick t = anew ? base_ : end_; before(t, prediction.next()); ++t) {
    const world::StepRecord* record = prediction.record(t);
    if (record != nullptr) believed_->claim(t) = *record;
  }
  end_ = prediction.next();
}

std::optional<replay::Chain> Attribution::believed() const {
  replay::Chain out;
  for (Tick t = base_; before(t, end_); ++t) {
    const world::StepRecord* record = believed_->find(t);
    if (record == nullptr) return std::nullopt;
    out.push_back(*record);
  }
  return out;
}

void Attribution::note_final(const worker::Core& core, const worker::Player& player,
                             const world::StepRecord& record, Tick named) {
  core_ = &core;
  params_ = player.params;
  world::StepRecord& kept = finals_->claim(named);
  kept = record;
  kept.tick = named;
}

// The server's ticks up to the newest final state, then the client's prediction from there.
bool Attribution::became(const client::Prediction& now, replay::Chain& out) const {
  for (Tick tick = base_; before(tick, end_); ++tick) {
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
  auto predicted = believed();
  if (!predicted || predicted->empty() || core_ == nullptr) return {};
  replay::Disagreement between{std::move(*predicted), present_.position, now.parent(), {}};
  if (!became(now, between.became)) return {};
  const client::EntityStore& entities = client.entities();
  const Tick end = now.next() + client.delay_ticks();
  const replay::Bystanders bystanders{
      .kind_of = [&](Handle handle) { return kind_of(core_->world(), handle); },
      .known = [&](Handle handle) { return entities.find(handle) != nullptr; },
      .motion_at_end = [&](Handle parent) { return entities.motion_at(parent, end); }};
  return replay::explain(game, *params_, between, bystanders);
}

}  // namespace perigee::lab
