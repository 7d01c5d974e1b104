/// Contacts of the engine's bodies with triangles: without seams, and steady.
#pragma once

#include <btBulletCollisionCommon.h>

#include "perigee/world/shape.hpp"

namespace perigee::world {

/// Makes the engine correct the contacts with this object. Its shape must outlive it.
void correct_contacts_with(btCollisionObject& object, const Shape& shape);

/// For btCollisionDispatcher::setNearCallback(). A body and a level have at most four contacts, and
/// the engine keeps those that are far apart. For one that is 2 cm above the ground it would drop
/// the one that a crate stands on, and crates on bumps would rock for ever.
void find_contacts(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                   const btDispatcherInfo& info);

}  // namespace perigee::world
