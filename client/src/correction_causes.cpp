#include "perigee/client/correction_causes.hpp"

namespace perigee::client {

CorrectionCause cause_at_once(const EntityStore& entities, const FinalFindings& found) {
  if (found.own.final_parent != found.parent) return CorrectionCause::ParentSwitch;
  for (const ObjectVersion& version : found.own.versions) {
    if (!entities.up_to_date(version)) return CorrectionCause::StaleObject;
  }
  if (found.own.late > 0) return CorrectionCause::InputLate;
  if (found.own.guessed > 0) return CorrectionCause::InputLost;
  if (found.state_differed) return CorrectionCause::ControllerState;
  if (found.predicted == nullptr) return CorrectionCause::Unknown;
  for (const world::Contact& contact : found.predicted->report.contacts) {
    const ClientEntity* touched = entities.find(contact.id);
    if (touched == nullptr) continue;
    const Tick tick = found.predicted->tick + found.delay_ticks;
    if (!entities.motion_at(contact.id, tick)) return CorrectionCause::HitAnimatedBody;
  }
  return CorrectionCause::Unknown;
}

// The first prediction used the doors and the parent's motion as known then.
CorrectionCause cause_after_replay(CorrectionCause at_once, const ReplayFindings& found) {
  if (at_once == CorrectionCause::ParentSwitch) return at_once;
  if (found.door_differed) return CorrectionCause::StaleObject;
  if (found.obstacle_missed) return CorrectionCause::NotStreamed;
  const bool sure = at_once == CorrectionCause::StaleObject ||
                    at_once == CorrectionCause::InputLost || at_once == CorrectionCause::InputLate;
  return found.frame_differed && !sure ? CorrectionCause::RotatingFrame : at_once;
}

}  // namespace perigee::client
