/// The state of one entity in a world.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/world/entity.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/timeline.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::world {

struct EntityRecord {
  using Motions = TickRing<Motion, history_ticks>;

  Entity entity;
  const EntityType* type = nullptr;
  Motion start;                         ///< statics: permanent; bodies: at their spawn
  BodyId body = no_body;                ///< once it has entered physics
  std::unique_ptr<Motions> motions;     ///< bodies only; none once at rest for the whole history
  std::unique_ptr<ActorTraces> traces;  ///< actors only
  /// Actors only: where shots hit it, see World::correct_actor.
  std::unique_ptr<ActorTraces> drawn;
  Tick traced_at;                     ///< the newest tick of them
  TimelineLog log;                    ///< scheduled objects only
  std::unique_ptr<ThingState> state;  ///< of a type that has one
  /// A patch's chunk as a body, in the state of that version.
  struct ChunkBody {
    BodyId body = no_body;
    std::optional<std::uint16_t> version;
  };
  std::unique_ptr<VoxelPatch> voxels;
  std::vector<ChunkBody> chunk_bodies;
  bool lively = false;  ///< in the list of LivelyEntities
  bool driven = false;
  Vec3 drive_velocity, drive_angular;
  MotionOnward received;  ///< remote bodies: the owner's newest motion
  Tick received_at;
  bool received_any = false;  ///< false: still the place of its spawn
  /// A place that it keeps from a tick on, until LivelyEntities::rouse.
  struct Still {
    std::optional<Tick> since;  ///< none: before the whole history
    Motion at;
    Bounds bounds;  ///< world

    bool at_tick(Tick tick) const { return !since || not_after(*since, tick); }
  };
  std::optional<Still> still;
  /// An endless scheduled object: bounds of its whole path, world.
  std::optional<Bounds> rounds;
  std::uint32_t cell_entry = 0;             ///< grid entry, if at rest or on an endless path
  std::optional<std::uint32_t> door_entry;  ///< grid entry of a scheduled object with changes

  /// The newest trace is held for a while if the actor's owner is silent. For older ticks the trace
  /// is exact or unknown.
  const ActorTrace* trace(Tick tick) const { return held(*traces, tick); }
  const ActorTrace* drawn_trace(Tick tick) const { return held(*drawn, tick); }
  const ActorTrace* held(const ActorTraces& of, Tick tick) const {
    constexpr std::int32_t hold_ticks_max = 15;
    const ActorTrace* exact = of.find(tick);
    const std::int32_t silent = ticks_between(traced_at, tick);
    if (exact != nullptr || silent <= 0 || silent > hold_ticks_max) return exact;
    return of.find(traced_at);
  }
  /// As last received from its owner, extrapolated.
  Motion remote_motion(Tick tick) {
    const std::int32_t ticks = ticks_between(received_at, tick);
    if (received.origin().rests()) return received.origin();
    const Motion& at = received.after(std::min(ticks, catch_up_ticks));
    return ticks <= catch_up_ticks ? at : Motion{.pose = at.pose};
  }
  bool is(EntityKind kind) const { return type->kind == kind; }
  bool moves_by_physics() const { return is(EntityKind::Body) && !entity.remote; }
};

/// The order in which entities are processed.
inline constexpr auto by_entity_id = [](const EntityRecord* a, const EntityRecord* b) {
  return a->entity.id < b->entity.id;
};

/// Adds to a list that is kept by entity id.
template <class List, class Record>
void insert_in_id_order(List& list, Record* record) {
  list.insert(std::lower_bound(list.begin(), list.end(), record, by_entity_id), record);
}

}  // namespace perigee::world
