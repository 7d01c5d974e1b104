/// Contacts of the engine's bodies with triangles: without seams.
#pragma once

#include <btBulletCollisionCommon.h>

#include "perigee/world/shape.hpp"

namespace perigee::world {

/// Makes the engine correct the contacts with this object. Its shape must outlive it.
void correct_contacts_with(btCollisionObject& object, const Shape& shape);

}  // namespace perigee::world
