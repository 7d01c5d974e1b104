/// Values from a game that the engine refuses: numbers that are not finite or cannot be encoded,
/// names of entities that do not exist, lists beyond their limits. A refused value is replaced as
/// stated for its GameValue and counted here, and the tick goes on. Places where a game has
/// probably lost an actor are counted, too.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/ids.hpp"

namespace perigee::world {

/// Limit of a game's positions, along each axis: cells of every precision reach this far.
inline constexpr double place_max_m = 1e7;
/// Limit of speeds that a game sets, along each axis: the largest that an entity record can encode.
inline constexpr double speed_max_m_s = 2016;
inline constexpr double spin_max_rad_s = 1000;
inline constexpr double impulse_max_n_s = 1e12;

/// False for NaN, too.
inline bool within(const Vec3& v, double limit) {
  return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}
inline bool is_place(const Vec3& v) { return within(v, place_max_m); }
/// Of length 1, to the tolerance of the wire's readers.
inline bool is_turn(const Quat& q) {
  const double size = dot(q, q);
  return size >= 0.99 && size <= 1.01;
}
inline bool is_pose(const Pose& pose) { return is_place(pose.position) && is_turn(pose.rotation); }

/// The numbers of a vector, as a fault names them.
struct VectorFields {
  std::string_view x, y, z;
};
namespace field {
inline constexpr VectorFields position{"position.x", "position.y", "position.z"};
inline constexpr std::string_view rotation = "rotation";
inline constexpr VectorFields velocity{"velocity.x", "velocity.y", "velocity.z"};
inline constexpr VectorFields angular_velocity{"angular_velocity.x", "angular_velocity.y",
                                               "angular_velocity.z"};
inline constexpr VectorFields acceleration{"acceleration.x", "acceleration.y", "acceleration.z"};
inline constexpr VectorFields angular_acceleration{
    "angular_acceleration.x", "angular_acceleration.y", "angular_acceleration.z"};
}  // namespace field
/// The first number that is beyond the limit, or NaN; empty: there is none.
inline std::string_view beyond(const Vec3& v, double limit, const VectorFields& names) {
  if (!(std::abs(v.x) <= limit)) return names.x;
  if (!(std::abs(v.y) <= limit)) return names.y;
  return std::abs(v.z) <= limit ? std::string_view() : names.z;
}
/// The first part of a pose that is_pose() refuses; empty: there is none.
inline std::string_view unusable(const Pose& pose) {
  const std::string_view position = beyond(pose.position, place_max_m, field::position);
  return position.empty() && !is_turn(pose.rotation) ? field::rotation : position;
}
/// The first of these that is not empty.
inline std::string_view first_of(std::initializer_list<std::string_view> fields) {
  for (const std::string_view each : fields) {
    if (!each.empty()) return each;
  }
  return {};
}

enum class GameValue : std::uint8_t {
  SpawnId,
  SpawnType,
  SpawnKind,
  SpawnParent,
  SpawnPose,
  SpawnVelocity,
  SpawnRoom,
  SpawnOutside,
  SpawnLimit,
  DespawnActor,
  BodyName,
  BodyMotion,
  DriveVelocity,
  Impulse,
  Hinge,
  HingeSpeed,
  PlayerType,
  PlayerParent,
  PlayerState,
  PlayerOutside,
  StepMotion,
  RayAim,
  ProposalAim,
  PushImpulse,
  ActorImpulse,
  SpeedShare,
  UseVerdict,
  UseVehicle,
  Change,
  Judgement,
  ActorPlace,
  NpcInput,
  ThingState,
  MessageSize,
  MessageToNpc,
  RecordSize,
  CueReach,
  CuePlace,
  ActorAdrift,
  ActorOutside,
  last = ActorOutside
};

struct GameValueRow {
  GameValue value;
  std::string_view name;
  std::string_view instead;  ///< the replacement, in words for an operator
};
inline constexpr std::array game_value_rows{
    GameValueRow{
        GameValue::SpawnId, "spawn: id",
        "not spawned: the id is taken, or its spawner or ordinal is too large; use another "
        "tick in make_entity_id for more than 4095 ordinals"},
    GameValueRow{GameValue::SpawnType, "spawn: type", "not spawned: no such type in the table"},
    GameValueRow{GameValue::SpawnKind, "spawn: kind",
                 "not spawned: actors are spawned only for players, see spawn_state"},
    GameValueRow{
        GameValue::SpawnParent, "spawn: parent",
        "not spawned: statics and bodies have no parents, and no entity is its own parent"},
    GameValueRow{
        GameValue::SpawnPose, "spawn: pose",
        "not spawned: a number is not finite or beyond 1e7 m, or the rotation has not length 1"},
    GameValueRow{GameValue::SpawnVelocity, "spawn: velocity",
                 "not spawned: a number is not finite or beyond 2016 m/s or 1000 rad/s"},
    GameValueRow{GameValue::SpawnRoom, "spawn: room",
                 "not spawned: no room for more entities, or the handle is taken"},
    GameValueRow{GameValue::SpawnOutside, "spawn: place",
                 "not spawned: the place is outside of the world"},
    GameValueRow{
        GameValue::SpawnLimit, "spawn, despawn or set_state",
        "not done: 256 entities have come, gone or changed in this tick, or the worker has as many "
        "actors of the game as it may have"},
    GameValueRow{GameValue::DespawnActor, "despawn: actor",
                 "not despawned: players' actors leave with their players"},
    GameValueRow{GameValue::BodyName, "set_drive or set_body: body",
                 "ignored: there is no such body"},
    GameValueRow{GameValue::BodyMotion, "motion of a body",
                 "the motion before the tick is kept, at rest"},
    GameValueRow{GameValue::DriveVelocity, "set_drive: velocity",
                 "ignored: the body is not driven in this tick"},
    GameValueRow{GameValue::Impulse, "apply_impulse_next_tick", "ignored"},
    GameValueRow{GameValue::Hinge, "add_hinge", "not added"},
    GameValueRow{GameValue::HingeSpeed, "drive_hinge: speed", "ignored: the motor keeps its speed"},
    GameValueRow{GameValue::PlayerType, "spawn_state: type",
                 "the first actor type of the table is used"},
    GameValueRow{GameValue::PlayerParent, "spawn_state: parent",
                 "the player starts in the middle of the region, at rest"},
    GameValueRow{GameValue::PlayerState, "spawn_state: state",
                 "the player starts in the middle of the region, at rest"},
    GameValueRow{GameValue::PlayerOutside, "spawn_state: place",
                 "outside the world: the player starts in the middle of the region, at rest"},
    GameValueRow{GameValue::StepMotion, "motion of an actor",
                 "the motion before the tick is kept, at rest"},
    GameValueRow{GameValue::RayAim, "step: ray", "the ray hits nothing"},
    GameValueRow{GameValue::ProposalAim, "step: propose", "not proposed"},
    GameValueRow{GameValue::PushImpulse, "step: push", "not pushed"},
    GameValueRow{GameValue::ActorImpulse, "step: impulse",
                 "ignored: a number is not finite or beyond 2016 m/s"},
    GameValueRow{GameValue::SpeedShare, "step: limit_speed", "ignored: not from 0 to 1"},
    GameValueRow{GameValue::UseVerdict, "accept_use: verdict", "treated as not usable"},
    GameValueRow{GameValue::UseVehicle, "accept_use: vehicle",
                 "treated as not usable: the target is not a body with a vehicle control"},
    GameValueRow{GameValue::Change, "change of a scheduled object",
                 "refused: the object is unknown or another worker's, or the change is not after "
                 "now and after all announced ones"},
    GameValueRow{GameValue::Judgement, "judge or commit: reason", "treated as not allowed"},
    GameValueRow{
        GameValue::ActorPlace, "place",
        "the actor stays: the parent is unknown or an actor, a number is not finite or out "
        "of range, or the place is outside the world"},
    GameValueRow{GameValue::NpcInput, "drive_npc: input",
                 "the NPC presses nothing in the tick: an axis is -128, its pitch is beyond a "
                 "quarter turn, an action is unknown, or a field of the game's is out of its "
                 "range"},
    GameValueRow{GameValue::ThingState, "set_state",
                 "ignored: the entity's type has no state, the entity is an actor, or another "
                 "worker's"},
    GameValueRow{GameValue::MessageSize, "tell: message", "not sent: it has not 1 to 1024 bytes"},
    GameValueRow{GameValue::MessageToNpc, "tell: actor",
                 "not sent: the actor is an NPC, and only players have clients"},
    GameValueRow{GameValue::RecordSize, "save or keep: bytes",
                 "not kept: a profile has more than 65536 bytes, or a result not 1 to 256"},
    GameValueRow{GameValue::CueReach, "cue_reach_m", "nobody else gets the cue: below 0, or NaN"},
    GameValueRow{GameValue::CuePlace, "cue: place",
                 "not played: a number is not finite or beyond 1e7 m"},
    GameValueRow{
        GameValue::ActorAdrift, "place of an actor: no gravity",
        "nothing is done: it has been in the air for 5 s, and its parent's gravity does not reach "
        "it; give the floor a larger gravity box, or put the actor elsewhere, e.g. with "
        "Journal::respawn"},
    GameValueRow{
        GameValue::ActorOutside, "place of an actor: outside of the world",
        "nothing is done: it goes on there; put it elsewhere, e.g. with Journal::respawn, or make "
        "the world larger"},
};
static_assert(
    [] {
      for (std::size_t i = 0; i < game_value_rows.size(); ++i) {
        if (game_value_rows[i].value != static_cast<GameValue>(i)) return false;
      }
      return game_value_rows.size() == static_cast<std::size_t>(GameValue::last) + 1;
    }(),
    "game_value_rows needs one row per GameValue, in enum order");
constexpr const GameValueRow& row_of(GameValue value) {
  return game_value_rows[static_cast<std::size_t>(value)];
}

struct GameFault {
  static constexpr TypeId no_type = 255;

  GameValue value = GameValue::SpawnId;
  TypeId type = no_type;      ///< of the entity, if known
  Handle entity = no_entity;  ///< if known
  Tick tick;                  ///< the world's tick at that time
  /// The number that was wrong, of a motion, a place or an input: "velocity.y". Empty: the whole
  /// value.
  std::string_view field;
  std::optional<Vec3> place = std::nullopt;  ///< in world axes, of an actor at a wrong place
  friend bool operator==(const GameFault&, const GameFault&) = default;
};

struct EntityType;
/// The fault as one sentence: value, type, entity, tick, field or place, and what was done instead.
std::string to_sentence(const GameFault& fault, std::span<const EntityType> types);
/// Name of the fault's type; "unknown" without one.
std::string_view type_name(const GameFault& fault, std::span<const EntityType> types);
/// "(1.0, -2.5, 300.0)"; empty without a place.
std::string place_text(const GameFault& fault);

/// Counts all refused values, and keeps the first of each type and value for the log.
class GameFaults {
 public:
  static constexpr std::size_t unsent_max = 32;  ///< beyond, a later repetition is logged
  using Unsent = FixedVector<GameFault, unsent_max>;

  void note(const GameFault& fault);
  std::uint64_t total() const { return total_; }
  /// The first occurrences per type and value since the last call.
  Unsent take_unsent();

 private:
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, 256> sent_{};  ///< by type: a bit per value
  Unsent unsent_;
  static_assert(static_cast<std::size_t>(GameValue::last) < 64);
};

}  // namespace perigee::world
