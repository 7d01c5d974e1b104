#include "perigee/lab/compared_state.hpp"

namespace perigee::lab {

ComparedState compared_state(const world::StepRecord& record, const Pose* ship,
                             std::uint8_t reset_epoch) {
  ComparedState out{record.parent, false, record.after.position, reset_epoch};
  if ((record.after.flags & actor_at_controls) != 0 && ship != nullptr) {
    out.steers = true;
    out.position = transform(*ship, out.position);
  }
  return out;
}

}  // namespace perigee::lab
