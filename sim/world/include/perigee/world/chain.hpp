/// Bodies that hang together: which of them the others are told and drawn relative to. (mission
/// K19)
#pragma once

#include <span>

#include "perigee/world/ids.hpp"

namespace perigee::world {

struct ChainMember {
  EntityId id;
  Handle handle = no_entity;
  double mass_kg = 0;
  bool controlled = false;  ///< by any player, whoever looks
};
/// The lowest id that is controlled, else the heaviest, of equal ones the lowest id: one root for
/// all clients, and a tree of depth one, so that cycles of joints cannot make cycles of frames.
Handle chain_root(std::span<const ChainMember> members);

}  // namespace perigee::world
