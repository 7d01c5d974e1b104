#include "perigee/lab/play_meter.hpp"

#include "perigee/lab/stage.hpp"

#include <cmath>

namespace perigee::lab {
namespace {

constexpr int turn_min = 65536 / 36;  // 10 degrees

/// The section between a lane's doors that it is in.
int between_doors(const ActorState& state) {
  return (state.position.x > -lane_door_m) + (state.position.x > lane_door_m);
}

}  // namespace

PlayFigures& PlayFigures::operator+=(const PlayFigures& more) {
  for (const auto count :
       {&PlayFigures::ticks, &PlayFigures::moving_ticks, &PlayFigures::steering_ticks,
        &PlayFigures::turns, &PlayFigures::contacts, &PlayFigures::jumps, &PlayFigures::crossings,
        &PlayFigures::parents, &PlayFigures::edits, &PlayFigures::missed, &PlayFigures::late}) {
    this->*count += more.*count;
  }
  input_delays_ms.insert(input_delays_ms.end(), more.input_delays_ms.begin(),
                         more.input_delays_ms.end());
  return *this;
}

void PlayMeter::note(const world::StepRecord& record, PlayFigures& out) {
  ++out.ticks;
  out.moving_ticks += length(to_double(record.after.velocity)) > 0.5;
  out.steering_ticks += (record.after.flags & actor_at_controls) != 0;
  out.missed += record.guessed;
  for (const world::Proposal& wish : record.wishes.proposals) {
    out.edits += wish.edit && wish.edit->patch != no_entity;
  }
  const auto turned = static_cast<std::int16_t>(record.input.yaw - heading_);
  if (std::abs(turned) > turn_min) {
    ++out.turns;
    heading_ = record.input.yaw;
  }
  if (last_ && last_->parent == record.parent) {
    const bool left_ground =
        (last_->after.flags & actor_grounded) != 0 && (record.after.flags & actor_grounded) == 0;
    out.jumps += left_ground && record.after.velocity.y > 2;
    out.crossings += between_doors(last_->after) != between_doors(record.after);
    out.contacts +=
        (last_->after.flags & actor_blocked) == 0 && (record.after.flags & actor_blocked) != 0;
  } else if (last_) {
    ++out.parents;
  }
  last_ = record;
}

}  // namespace perigee::lab
