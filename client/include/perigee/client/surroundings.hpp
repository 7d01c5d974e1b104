/// Surroundings of a tick of the predicted avatar: the motion of its parent, obstacles, gravity and
/// ground. They are gathered when the tick is predicted, and refreshed when it is stepped again.
#pragma once

#include <optional>

#include "perigee/base/techniques.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/client/own_edits.hpp"
#include "perigee/client/switch_schedule.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

struct PredictedAvatar {
  Handle handle = no_entity;
  std::uint64_t identity = 0;
  const world::ActorParams* params = nullptr;
  std::int32_t delay_ticks = 0;  ///< of its inputs on the worker

  /// The worker's tick for an input that names `named`. All ticks in blocks are the worker's.
  Tick worker_tick(Tick named) const { return named + delay_ticks; }
};

class Surroundings {
 public:
  struct Needs {
    const EntityStore& entities;
    const PredictedAvatar& avatar;
    const SwitchSchedule& switches;
    const OwnEdits& own_edits;
    const Techniques& techniques;
  };
  explicit Surroundings(const Needs& needs) : needs_(needs) {}

  /// Sets the record's parent and its motion over the tick, as known now. `from`: the parent in the
  /// tick before. False if a parent's motion is not known.
  bool set_parent(world::StepRecord& record, Handle from) const;
  /// Replaces all obstacles. `local`: the state at the tick's start.
  void gather(world::StepRecord& record, const ActorState& local, const ViewPoint& view) const;
  /// Replaces only obstacles that depend on announced changes: doors, of any frame. The others stay
  /// as recorded, so that a replay does not add errors of its own. True if a door differed.
  bool refresh_doors(world::StepRecord& record) const;
  /// Adds obstacles of that tick that were not known then, or not at that place, or were out of
  /// reach. True if there were any.
  bool add_missing(world::StepRecord& record, const ActorState& local) const;
  /// Sets gravity and ground; for every tick that is stepped, or stepped again.
  void finish(world::StepRecord& record, const ActorState& local, const ViewPoint& view) const {
    set_gravity(record, local, view);
    cut_out(record, local);
  }

 private:
  /// Poses relative to the record's parent, over its tick.
  struct Ends {
    Pose previous, pose;
  };
  bool drawn_only(const world::EntityType& type) const;
  bool is_own_door(const ClientEntity& entity, const world::StepRecord& record) const;
  Ends door_ends(const ClientEntity& entity, Tick now) const;
  std::optional<Ends> known_ends(const ClientEntity& entity, const world::StepRecord& record,
                                 const std::optional<Motion>& parent_end) const;
  void set_gravity(world::StepRecord& record, const ActorState& local, const ViewPoint& view) const;
  void cut_out(world::StepRecord& record, const ActorState& local) const;

  Needs needs_;
};

}  // namespace perigee::client
