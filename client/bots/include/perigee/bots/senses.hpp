/// A bot's view of its surroundings in one tick: its own state, the doors, lifts and ships near it,
/// and other players in its way. It sees only what a person would see through the client.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/client/entity_store.hpp"

namespace perigee::bots {

class Senses {
 public:
  using Handles = FixedVector<Handle, 16>;
  /// Doors, lifts and ships are looked for this often, and when the entities or the parent change.
  static constexpr std::int32_t survey_ticks = 6;
  /// The bot's own avatar, as its client predicts it.
  struct Own {
    Handle avatar = no_entity;
    Handle parent = no_entity;
    ActorState state;
  };

  explicit Senses(const client::EntityStore& entities) : entities_(entities) {}
  /// Once per tick, before all else. The place of the first call is the bot's home.
  void look(Tick now, const Own& own);

  const client::EntityStore& entities() const { return entities_; }
  const Tick& now() const { return now_; }
  Handle avatar() const { return own_.avatar; }
  Handle parent() const { return own_.parent; }
  const ActorState& state() const { return own_.state; }
  const Motion& parent_motion() const { return parent_motion_; }
  /// Its own position in the world.
  const Vec3& world() const { return world_; }
  bool flying() const { return (own_.state.flags & actor_jetpack) != 0; }
  bool grounded() const { return (own_.state.flags & actor_grounded) != 0; }
  /// Its parent is a ship.
  bool aboard() const;
  /// It came aboard in this tick.
  bool boarded() const { return boarded_; }
  /// Place of origin: a parent, and the position in its frame.
  Handle home() const { return home_; }
  const Vec3& home_local() const { return home_local_; }

  const Handles& doors() const { return doors_; }
  /// And rotors.
  const Handles& lifts() const { return lifts_; }
  /// The nearest ship that approaches.
  Handle ship() const { return ship_; }
  /// Motion of a ship now, extrapolated if it is far.
  std::optional<Motion> ship_motion(Handle handle) const;
  /// Players avoid walking into each other, or into crates.
  bool somebody_ahead(double heading_rad) const;
  /// Another player waits at that place, nearer to it.
  bool somebody_nearer(const Vec3& place) const;

 private:
  bool is_ship(const client::ClientEntity& entity) const;
  std::optional<Motion> motion_of(const client::ClientEntity& entity) const;
  void look_at(const client::ClientEntity& entity, double& ship_m);
  template <class Visit>
  void for_each_body(const Vec3& place, double reach_m, Visit visit) const;
  void find_landmarks();
  void survey();

  const client::EntityStore& entities_;
  Tick now_;
  Own own_;
  Motion parent_motion_;
  Vec3 world_;
  bool boarded_ = false;
  bool started_ = false;
  Handle home_ = no_entity;
  Vec3 home_local_;
  Tick surveyed_;
  Handles doors_;
  Handles lifts_;
  Handle ship_ = no_entity;
  std::vector<const client::ClientEntity*> landmarks_;  ///< doors, lifts and ships
  std::optional<std::uint64_t> landmarks_of_;           ///< changes() of the entities then
};

}  // namespace perigee::bots
