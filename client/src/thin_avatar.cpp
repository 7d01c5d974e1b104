#include "perigee/client/thin_avatar.hpp"

namespace perigee::client {

bool ThinAvatar::on_own(const OwnSection& own) {
  const Tick final_tick = own.final_tick - own.delay_ticks;
  const bool reset = running_ && (own.reset_epoch != reset_epoch_ || own.avatar != handle_);
  if (reset) ++hard_resets_;
  const bool starts = !running_ || reset;
  if (!starts && !before(final_tick_, final_tick)) return false;
  ++finals_;
  handle_ = own.avatar;
  reset_epoch_ = own.reset_epoch;
  final_tick_ = final_tick;
  parent_ = own.final_parent;
  state_ = own.final_state;
  if (starts) next_ = final_tick;
  running_ = true;
  return starts;
}

InputSender::Claim ThinAvatar::claim() const {
  const double ahead_s = ticks_between(final_tick_, next_) * seconds_per_tick;
  return {parent_, state_.position + to_double(state_.velocity) * ahead_s};
}

}  // namespace perigee::client
