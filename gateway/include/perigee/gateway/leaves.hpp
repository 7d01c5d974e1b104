/// Leave records to workers, repeated until the worker answers. A leave outlives its session: the
/// client's slot may be reused at once.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/worker_links.hpp"

namespace perigee::gateway {

class Leaves {
 public:
  static constexpr Micros period_us = 100'000;
  static constexpr std::uint32_t repeats_max = 20;

  struct Needs {
    WorkerLinks& links;
    Counts<Count>& counts;
  };
  /// `capacity`: limit of unanswered leaves. Beyond it the oldest is given up.
  Leaves(Needs needs, std::uint32_t capacity);

  /// `lost`: the client may come back, so the worker keeps the avatar for a while. Without effect
  /// if the worker is not reachable.
  void send(Micros now_us, SessionId session, WorkerSlot worker, bool lost);
  void on_left(WorkerSlot worker, const LeftRecord& left);
  /// Repeats what is due.
  void advance(Micros now_us);
  /// The session joins at that worker again.
  void forget(SessionId session, WorkerSlot worker);
  /// Whether the worker has not answered yet.
  bool pending(SessionId session, WorkerSlot worker) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(leaves_.size()); }

 private:
  struct Leave {
    SessionId session = 0;
    WorkerSlot worker;
    bool lost = false;
    std::uint32_t sent = 0;
    Micros next_us = 0;
  };

  Needs needs_;
  std::vector<Leave> leaves_;  ///< the oldest first; never grows beyond its capacity
};

}  // namespace perigee::gateway
