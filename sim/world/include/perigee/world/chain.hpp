/// Chains of bodies that are linked by joints, and the choice of their root: the others are
/// replicated and rendered relative to it.
#pragma once

#include <span>

#include "perigee/world/ids.hpp"

namespace perigee::world {

struct ChainMember {
  EntityId id;
  Handle handle = no_entity;
  double mass_kg = 0;
  bool controlled = false;  ///< by any player
};
/// The lowest id that is controlled, else the heaviest member, of equally heavy ones the lowest id.
/// All clients thus use one root, and a tree of depth one: cycles of joints cannot make cycles of
/// frames.
Handle chain_root(std::span<const ChainMember> members);

}  // namespace perigee::world
