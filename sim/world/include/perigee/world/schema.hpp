/// Hash over everything that both sides of a game must agree on, for GameModule::schema_hash().
#pragma once

#include <cstdint>
#include <span>

#include "perigee/base/hash.hpp"
#include "perigee/world/entity_type.hpp"

namespace perigee::world {

/// Version of the step: raised with each change after which the same state and inputs give other
/// bits (the tests `StepVersion.*` detect most of them). A worker cannot continue the log of a
/// worker with another step: the replay differs, so the worker refuses the log. Clients with
/// another step would be corrected. Builds with different steps therefore count as different games.
inline constexpr std::uint32_t step_version = 2;

class GameModule;
/// GameModule::schema_hash() with the layout of the game's own input fields, and with the buttons
/// that aim: compared at log-ins and between workers. The game's hash itself for a game without
/// such fields that aims with the usual buttons.
std::uint64_t agreed_schema(const GameModule& game);

/// Adds the parts of a type table that worker and client compute with, and the version of the step.
void add_types(StateHash& hash, std::span<const EntityType> types);

}  // namespace perigee::world
