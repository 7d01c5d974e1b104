/// Server reconciliation: recorded ticks that turned out wrong run again, everybody's tick by tick,
/// as they would have run had all inputs come in time. What is wrong spreads: to the actor's own
/// next tick if its state changed, to whom it pushed or pushes now, to who looked there. Parents,
/// helms, impulses on bodies and verdicts on uses stay as they first were; bodies' motions are as
/// recorded. (S8-S10)
#pragma once

#include <utility>
#include <vector>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Rewinds {
 public:
  explicit Rewinds(Core& core);

  /// All that is wrong before core.next_, up to `rewind_steps_max`: what is more stays as it was,
  /// and is counted.
  void run();

 private:
  struct Standing {
    Player* player = nullptr;
    const world::Shape* shape = nullptr;
    const world::World::ActorTraces* traces = nullptr;
    const world::ActorTrace* trace = nullptr;  ///< of the tick at hand
    Vec3 at;                                   ///< at the start of the tick at hand, world
    bool admitted = false;                     ///< the steps from here on are paid for
  };
  struct Moved {
    const Player* player = nullptr;
    Vec3 was, is;  ///< world
  };

  void find_places(Tick tick);
  template <class Visit>
  void for_each_within(const Vec3& at, double m, Visit visit);
  void mark_who_was_pushed(Tick tick);
  void rewind_tick(Standing& who, Tick tick);
  bool admit(Standing& who, Tick tick);
  void gather_people(const Standing& who, world::StepRecord& record);

  Core& core_;
  std::vector<Standing> standing_;
  std::vector<Moved> moved_;  ///< who stands elsewhere at the tick's start than it did
  std::vector<std::pair<double, Standing*>> along_x_;  ///< who is anywhere at that tick
  std::vector<world::ActorBeside> nearby_;
  std::int32_t steps_left_ = 0;
};

}  // namespace perigee::worker
