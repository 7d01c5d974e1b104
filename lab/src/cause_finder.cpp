#include "perigee/lab/cause_finder.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

// Vehicles are not stepped by records, so the cause may be the input or a collision.
CorrectionCause cause_of_steered(const client::Prediction& prediction, const InputTrace& inputs) {
  if (inputs.guessed(prediction.base_tick() - 1, prediction.next())) {
    return CorrectionCause::InputLate;
  }
  return prediction.vehicle().touched() ? CorrectionCause::HitAnimatedBody
                                        : CorrectionCause::Residual;
}

}  // namespace

CauseFound CauseFinder::find(Micros now_us, const Displacement& moved, const client::Client& client,
                             const InputTrace& inputs) const {
  if (moved.steered_m > moved.avatar_m) {
    const client::Prediction& prediction = client.prediction();
    return {now_us, cause_of_steered(prediction, inputs), moved.steered_m, prediction.base_tick()};
  }
  const replay::Explanation found = attribution_.explain(*game_, client);
  const bool stood_still =
      found.cause == CorrectionCause::InputLost && inputs.sampled_too_late(found.since);
  return {now_us, stood_still ? CorrectionCause::ClockStep : found.cause, moved.avatar_m,
          found.since};
}

void learn_what_came_late(const InputTimeline& inputs, std::vector<CauseFound>& causes) {
  constexpr std::size_t recent = 8;
  for (std::size_t i = causes.size() - std::min(causes.size(), recent); i < causes.size(); ++i) {
    if (causes[i].cause != CorrectionCause::InputLost) continue;
    if (inputs.came_too_late(causes[i].since)) causes[i].cause = CorrectionCause::InputLate;
  }
}

}  // namespace perigee::lab
