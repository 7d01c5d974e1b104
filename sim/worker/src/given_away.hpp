/// What left for other workers lately. If one of them dies without an heir before it has spoken to
/// every client, the clients still have a picture by our word, and only we can take it back.
#pragma once

#include <deque>
#include <span>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::GivenAway {
 public:
  /// By then whoever has it has told of it: what rests is told of every 8 s.
  static constexpr std::int32_t kept_ticks = 1800;

  explicit GivenAway(Core& core) : core_(core) {}

  void note(std::span<const Handle> members, WorkerSlot to);
  /// Clients hear what was lost with lives that are over.
  void on_map();
  void after_tick();

 private:
  struct Given {
    Handle handle = no_entity;
    std::uint32_t block = 0;  ///< of handles: the life it went to, or that one's heir
    Tick at;
  };
  bool over(std::uint32_t block) const;
  void follow_heirs();

  Core& core_;
  std::deque<Given> given_;  ///< the oldest first, at most entities_max
};

}  // namespace perigee::worker
