#include "perigee/gateway/leaves.hpp"

#include <algorithm>

namespace perigee::gateway {

Leaves::Leaves(Needs needs, std::uint32_t capacity) : needs_(needs) { leaves_.reserve(capacity); }

void Leaves::send(Micros now_us, SessionId session, WorkerSlot worker, bool lost) {
  if (!needs_.links.reachable(worker)) return;
  needs_.links.add(worker, LeaveRecord{session, lost});
  if (leaves_.size() == leaves_.capacity()) {
    needs_.counts.add(metric.leaves_unanswered);
    leaves_.erase(leaves_.begin());  // the oldest has been sent most often
  }
  leaves_.push_back({session, worker, lost, 1, now_us + period_us});
}

bool Leaves::pending(SessionId session, WorkerSlot worker) const {
  return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leave& leave) {
    return leave.session == session && leave.worker == worker;
  });
}

void Leaves::forget(SessionId session, WorkerSlot worker) {
  std::erase_if(leaves_, [&](const Leave& leave) {
    return leave.session == session && leave.worker == worker;
  });
}

// The worker that was asked may have migrated the avatar to another one, which answers.
void Leaves::on_left(WorkerSlot worker, const LeftRecord& left) {
  const bool asked = pending(left.session, worker);
  std::erase_if(leaves_, [&](const Leave& leave) {
    return leave.session == left.session && (leave.worker == worker || !asked);
  });
}

void Leaves::advance(Micros now_us) {
  std::erase_if(leaves_, [&](Leave& leave) {
    if (now_us < leave.next_us) return false;
    if (leave.sent == repeats_max || !needs_.links.reachable(leave.worker)) {
      needs_.counts.add(metric.leaves_unanswered);
      return true;
    }
    needs_.links.add(leave.worker, LeaveRecord{leave.session, leave.lost});
    ++leave.sent;
    leave.next_us = now_us + period_us;
    return false;
  });
}

}  // namespace perigee::gateway
