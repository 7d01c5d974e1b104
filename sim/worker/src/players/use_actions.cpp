#include "perigee/worker/players/use_actions.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

EffectEvent verdict_on(Tick target, std::uint8_t index, world::UseVerdict verdict) {
  const auto cancelled = [&](CancelReason reason) {
    return EffectEvent{target, index, Verdict::Cancelled, reason};
  };
  switch (verdict) {
    case world::UseVerdict::Accepted:
      break;
    case world::UseVerdict::UnknownTarget:
      return cancelled(CancelReason::NotThere);
    case world::UseVerdict::TooFar:
      return cancelled(CancelReason::TooFar);
    case world::UseVerdict::NotUsable:
    case world::UseVerdict::Busy:
      return cancelled(CancelReason::NotAllowed);
  }
  return {target, index, Verdict::Confirmed, CancelReason::None};
}

// The user's prediction may have passed its own door before it learns that the door opens. A third
// of a second of that is hidden by smoothing; what is beyond, on the longest paths, the door waits.
std::int32_t announce_ticks(const Player& player) {
  constexpr std::int32_t hidden_ticks = 20;
  return std::max(player.ahead.longest_ticks() - hidden_ticks, 0);
}

}  // namespace

void UseActions::judge(Player& player, const world::StepRecord& record,
                       const InputTimeline::Use& use) {
  if (record.guessed || record.input.samples.empty()) return;
  std::uint8_t* judged = player.judged.find(record.tick);
  if (judged == nullptr) {
    judged = &player.judged.claim(record.tick);
    *judged = 0;
  }
  for (std::size_t i = 0; i < record.input.samples.size(); ++i) {
    const SubSample& sample = record.input.samples[i];
    if (sample.action != ActionKind::Use || (*judged & 1U << i) != 0) continue;
    *judged = static_cast<std::uint8_t>(*judged | 1U << i);
    const world::UseAttempt attempt{.actor = player.avatar,
                                    .parent = record.parent,
                                    .state = record.before,
                                    .target = sample.target,
                                    .now = needs_.next,
                                    .at = record.tick,
                                    .announce_ticks = announce_ticks(player)};
    // Only the owner may change an entity.
    const world::Entity* target = needs_.world.find(sample.target);
    world::UseOutcome outcome = target != nullptr && target->remote
                                    ? world::UseOutcome{world::UseVerdict::NotUsable}
                                    : needs_.game.accept_use(attempt);
    if (outcome.vehicle != VehicleChange::None &&
        !needs_.vehicles.announce(player, sample.target, outcome.vehicle, record.tick)) {
      outcome.verdict = world::UseVerdict::Busy;
    }
    if (outcome.verdict == world::UseVerdict::Accepted && outcome.change &&
        needs_.world.announce(*outcome.change) != world::TimelineLog::Added::Stored) {
      outcome.verdict = world::UseVerdict::Busy;
    }
    const auto [at, index] = player.inputs.name_of_sample(record.tick, use, i);
    const EffectEvent verdict = verdict_on(at, index, outcome.verdict);
    if (!player.npc()) needs_.observers.send(player.session, verdict, false);
  }
}

void UseActions::send_announced() {
  needs_.world.take_announced(announced_);
  for (const world::TimelineChange& change : announced_) {
    needs_.observers.broadcast(
        change.object, TimelineEvent{change.object, change.effect, change.goal, change.version},
        true);
  }
}

}  // namespace perigee::worker
