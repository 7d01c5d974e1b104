#include "perigee/worker/snapshots/cue_sender.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

/// As last judged; null: not judged yet, or only other workers can.
const world::Judgement* judgement_of(const Player& player, Tick tick, std::uint8_t index) {
  const auto* of_tick = player.sent.find(tick);
  if (of_tick == nullptr) return nullptr;
  const auto& judgement = (*of_tick)[index - world::first_cue_index];
  return judgement ? &*judgement : nullptr;
}

}  // namespace

void CueSender::on_step(Player& player, const world::StepRecord& record, bool committed) {
  if (record.guessed || record.wishes.cues.empty()) return;
  const bool late = ticks_between(record.tick, needs_.next) > cue_age_ticks_max;
  auto* sent = player.cues_sent.find(record.tick);
  if (sent == nullptr && !late) {  // a late tick would take the place of a newer one
    sent = &player.cues_sent.claim(record.tick);
    sent->clear();
  }
  for (const world::Cue& cue : record.wishes.cues) {
    const world::Judgement* judged =
        cue.judged ? judgement_of(player, record.tick, cue.index) : nullptr;
    if (judged != nullptr && judged->reason != CancelReason::None) continue;
    // A proposal that comes after its tick was committed is refused.
    if (committed && cue.judged && judged == nullptr) continue;
    const Player::CueName name{cue.effect, cue.subject};
    if (sent != nullptr && std::ranges::find(*sent, name) != sent->end()) continue;
    if (late) {
      needs_.counts.add(metric.cues_late);
      continue;
    }
    if (waiting_.size() == waiting_max || !sent->push_back(name)) {
      needs_.counts.add(metric.cues_crowded_out);
      continue;
    }
    const std::uint8_t detail = judged != nullptr ? judged->detail : std::uint8_t{0};
    waiting_.push_back({{player.avatar, record.tick, cue.effect, detail, cue.subject, {}},
                        transform(record.parent_motion.pose, record.after.position),
                        player.session});
  }
}

bool CueSender::order(const world::CueOrder& order) {
  if (!needs_.checked_game.takes(order)) return false;
  const world::Entity* entity = needs_.world.find(order.entity);
  std::optional<Vec3> at = order.place;
  if (!at && entity != nullptr && !needs_.world.type_of(*entity).everywhere) {
    if (const auto pose = needs_.world.pose(order.entity, needs_.next)) at = pose->position;
  }
  if (!at || orders_ == orders_max || waiting_.size() == waiting_max) return false;
  ++orders_;
  CueEvent cue{order.entity, needs_.next, order.effect, order.detail, order.subject, {}};
  const bool drawn_here = entity != nullptr && !entity->remote;
  if (order.place || !drawn_here) cue.place = to_float(*at);
  waiting_.push_back({cue, *at, {}});
  return true;
}

void CueSender::send() {
  for (Waiting& waiting : waiting_) send(waiting);
  waiting_.clear();
  orders_ = 0;
}

void CueSender::send(Waiting& waiting) {
  CueEvent& cue = waiting.cue;
  if (!cue.place && !waiting.cause && !stayed_there(waiting)) cue.place = to_float(waiting.at);
  const double reach_m = needs_.checked_game.cue_reach_m(cue.effect, cue.entity);
  for (auto& [session, state] : needs_.observers) {
    if (!state->in_force || session == waiting.cause) continue;
    replication::Observer& observer = state->observer;
    CueEvent told = cue;
    // An order is heard within its reach, also by clients that do not know the entity.
    if (!waiting.cause && !cue.place && !needs_.publisher.knows(observer, cue.entity)) {
      told.place = to_float(waiting.at);
    }
    needs_.publisher.cue(observer, told, waiting.at, reach_m);
  }
}

// It may have left in the tick of the order, or have been put elsewhere.
bool CueSender::stayed_there(const Waiting& waiting) const {
  constexpr double tick_m = 20;  // more than all but the fastest move in a tick
  const auto pose = needs_.world.pose(waiting.cue.entity, needs_.next);
  return pose && distance(pose->position, waiting.at) < tick_m;
}

}  // namespace perigee::worker
