/// What both sides of a game must agree on, as one number: for GameModule::schema_hash().
#pragma once

#include <span>

#include "perigee/netcode/hash.hpp"
#include "perigee/world/entity_type.hpp"

namespace perigee::world {

/// Everything of a type table that worker and client compute with.
void add_types(StateHash& hash, std::span<const EntityType> types);

}  // namespace perigee::world
