/// Passing doors: a bot opens a door, walks through it, and sometimes shuts it.
#pragma once

#include <optional>

#include "perigee/bots/on_foot_needs.hpp"

namespace perigee::bots {

class DoorUser {
 public:
  explicit DoorUser(const OnFootNeeds& needs) : needs_(needs) {}
  /// Chooses one of the doors in sight, of which there is at least one.
  void begin();
  /// Mode::Door: to the front of the door, opens it if it is shut, waits, and on to the other side.
  void pass(PlayerInput& input);

 private:
  void approach(const client::ClientEntity& door, const Vec3& foot, const Vec3& across,
                PlayerInput& input);
  void leave(const Vec3& behind, PlayerInput& input);
  void use_door(PlayerInput& input);

  const OnFootNeeds needs_;
  Handle door_ = no_entity;
  double side_ = 1;  ///< the side that it came from
  bool passing_ = false;
  std::optional<Tick> use_at_;  ///< not before; none: at once
};

}  // namespace perigee::bots
