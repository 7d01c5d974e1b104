/// What both sides of a game must agree on, as one number: for GameModule::schema_hash().
#pragma once

#include <cstdint>
#include <span>

#include "perigee/netcode/hash.hpp"
#include "perigee/world/entity_type.hpp"

namespace perigee::world {

/// Of what a tick does with all that: raised with each change after which the same state and inputs
/// come to other bits (`StepVersion.*` sees most of them). What was played by one step cannot be
/// gone on with by another: whoever is handed it over plays it again and refuses it, and clients
/// are corrected. So builds whose steps differ are different games.
inline constexpr std::uint32_t step_version = 1;

/// Everything of a type table that worker and client compute with, and the version of the step.
void add_types(StateHash& hash, std::span<const EntityType> types);

}  // namespace perigee::world
