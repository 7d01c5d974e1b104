#include "mesh_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "bullet_convert.hpp"

namespace perigee::world {
namespace {

constexpr double at_edge_m = 0.02;  // the engine's triangles are a little beside the mesh's

bool touches_sharp_edge(const Triangle& triangle, const Vec3& point) {
  for (int i = 0; i < 3; ++i) {
    if (Mesh::edge_of(triangle.edges, i) != Mesh::sharp_edge) continue;
    const Vec3& a = triangle.corner[i];
    const Vec3 edge = triangle.corner[(i + 1) % 3] - a;
    const double share = std::clamp(dot(edge, point - a) / dot(edge, edge), 0.0, 1.0);
    if (distance(point, a + edge * share) < at_edge_m) return true;
  }
  return false;
}

/// The engine rounds triangles by its margin, which keeps contacts steady, and would rest bodies
/// that far above the surface. And its contact with an edge points to where the edge alone would
/// push. At an edge inside a surface, that would stop or lift what slides over it: there, the
/// contact is one with the face.
void straighten(btManifoldPoint& contact, const btCollisionObjectWrapper& surface,
                const btCollisionObjectWrapper& body, int index, bool surface_is_b) {
  const auto* shape = static_cast<const Shape*>(surface.getCollisionObject()->getUserPointer());
  const Triangle triangle = shape->triangle(static_cast<std::uint32_t>(index));
  const btTransform& at = surface.getWorldTransform();
  const btVector3& on_surface =
      surface_is_b ? contact.m_positionWorldOnB : contact.m_positionWorldOnA;
  const btVector3& on_body = surface_is_b ? contact.m_positionWorldOnA : contact.m_positionWorldOnB;
  const btVector3 face = at.getBasis() * to_bullet(triangle.normal);
  const btVector3 outwards = contact.m_normalWorldOnB * (surface_is_b ? 1 : -1);
  const btVector3& center = body.getCollisionObject()->getWorldTransform().getOrigin();
  if ((center - on_surface).dot(face) < 0) return;  // it came from behind
  Vec3 point = from_bullet(at.invXform(on_surface));
  point -= triangle.normal * dot(triangle.normal, point - triangle.corner[0]);  // less the margin
  // A deep contact may point to the wrong side.
  if (outwards.dot(face) > 0 && touches_sharp_edge(triangle, point)) return;
  const double gap = (on_body - on_surface).dot(face);
  contact.m_normalWorldOnB = face * (surface_is_b ? 1 : -1);
  contact.m_distance1 = gap;
  if (surface_is_b) {
    contact.m_positionWorldOnB = contact.m_positionWorldOnA - face * gap;
    contact.m_localPointB = at.invXform(contact.m_positionWorldOnB);
  } else {
    contact.m_positionWorldOnA = contact.m_positionWorldOnB - face * gap;
    contact.m_localPointA = at.invXform(contact.m_positionWorldOnA);
  }
}

bool is_triangle(const btCollisionObjectWrapper& object) {
  return object.getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE;
}

/// The triangle's material counts instead of the type of its entity.
void set_friction(btManifoldPoint& contact, const btCollisionObjectWrapper& surface,
                  const btCollisionObjectWrapper& body, int index) {
  const auto* shape = static_cast<const Shape*>(surface.getCollisionObject()->getUserPointer());
  const SurfaceMaterial* of = shape->material(static_cast<std::uint32_t>(index));
  if (of != nullptr) {
    contact.m_combinedFriction = body.getCollisionObject()->getFriction() * double{of->friction};
  }
}

bool on_contact(btManifoldPoint& contact, const btCollisionObjectWrapper* a, int, int index_a,
                const btCollisionObjectWrapper* b, int, int index_b) {
  if (is_triangle(*b)) {
    set_friction(contact, *b, *a, index_b);
    straighten(contact, *b, *a, index_b, true);
  } else if (is_triangle(*a)) {
    set_friction(contact, *a, *b, index_a);
    straighten(contact, *a, *b, index_a, false);
  }
  return true;
}

}  // namespace

void correct_contacts_with(btCollisionObject& object, const Shape& shape) {
  gContactAddedCallback = on_contact;
  // The engine returns the pointer, and never writes through it.
  object.setUserPointer(const_cast<Shape*>(&shape));
  object.setCollisionFlags(object.getCollisionFlags() |
                           btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

}  // namespace perigee::world
