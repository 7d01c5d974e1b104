/// The setup of a world: types, its block of handles, start and limits.
#pragma once

#include <cstdint>
#include <span>

#include "perigee/world/entity_type.hpp"
#include "perigee/world/parenting.hpp"

namespace perigee::world {

struct WorldLimits {
  std::uint32_t entities_max = 16384;
  double cell_m = 16;  ///< edge of a neighbour grid cell; larger entities are in a short list
};

struct WorldSetup {
  std::span<const EntityType> types;  ///< by id; outlives the world
  Handle handle_base = 1;             ///< the block of handles that this world may grant
  Handle handle_count = 1U << 20;
  Tick start;                 ///< the first tick to step
  ParentingParams parenting;  ///< decides the candidates of parent_candidates
  WorldLimits limits;
};

}  // namespace perigee::world
