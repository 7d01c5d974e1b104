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

bool is_box(const btCollisionObjectWrapper& object) {
  return object.getCollisionShape()->getShapeType() == BOX_SHAPE_PROXYTYPE;
}

class SteadyContacts final : public btManifoldResult {
 public:
  using btManifoldResult::btManifoldResult;

  void addContactPoint(const btVector3& normal_on_b, const btVector3& on_b,
                       btScalar distance_m) override {
    const bool of_a_crate = (is_triangle(*m_body0Wrap) && is_box(*m_body1Wrap)) ||
                            (is_box(*m_body0Wrap) && is_triangle(*m_body1Wrap));
    if (of_a_crate && !make_room(normal_on_b, on_b, distance_m)) return;
    btManifoldResult::addContactPoint(normal_on_b, on_b, distance_m);
  }

 private:
  static constexpr double touch_m = 1e-3;

  /// False: the contact is left out. A contact that does not touch gives its place to one that
  /// does, and takes that of another one that does not touch, if the area becomes larger.
  bool make_room(const btVector3& normal_on_b, const btVector3& on_b, btScalar distance_m) {
    btPersistentManifold& contacts = *m_manifoldPtr;
    if (contacts.getNumContacts() < MANIFOLD_CACHE_SIZE) return true;
    btManifoldPoint contact;
    contact.m_localPointA = on_body0(normal_on_b, on_b, distance_m);
    if (contacts.getCacheEntry(contact) >= 0) return true;  // the engine has it already
    const bool touches = distance_m <= touch_m;
    double largest = touches ? -1 : area_with(contact.m_localPointA, MANIFOLD_CACHE_SIZE);
    int given_up = MANIFOLD_CACHE_SIZE;
    bool all_touch = true;
    for (int i = 0; i < MANIFOLD_CACHE_SIZE; ++i) {
      if (contacts.getContactPoint(i).getDistance() <= touch_m) continue;
      all_touch = false;
      const double area = area_with(contact.m_localPointA, i);
      if (area <= largest) continue;
      largest = area;
      given_up = i;
    }
    if (all_touch) return touches;  // the engine chooses among contacts that touch
    if (given_up == MANIFOLD_CACHE_SIZE) return false;
    contacts.removeContactPoint(given_up);
    return true;
  }
  /// A measure of the area between the contacts, with that point in the place of one of them.
  double area_with(const btVector3& point, int instead_of) const {
    btVector3 at[MANIFOLD_CACHE_SIZE];
    for (int i = 0; i < MANIFOLD_CACHE_SIZE; ++i) {
      at[i] = i == instead_of ? point : m_manifoldPtr->getContactPoint(i).m_localPointA;
    }
    const auto across = [&](int a, int b, int c, int d) {
      return (at[a] - at[b]).cross(at[c] - at[d]).length2();
    };
    return std::max({across(0, 1, 2, 3), across(0, 2, 1, 3), across(0, 3, 1, 2)});
  }
  /// The contact in the frame of the engine's first body.
  btVector3 on_body0(const btVector3& normal_on_b, const btVector3& on_b,
                     btScalar distance_m) const {
    const bool swapped = m_manifoldPtr->getBody0() != m_body0Wrap->getCollisionObject();
    const btVector3 on_a = on_b + normal_on_b * distance_m;
    return m_manifoldPtr->getBody0()->getWorldTransform().invXform(swapped ? on_b : on_a);
  }
};

}  // namespace

// As btCollisionDispatcher::defaultNearCallback().
void find_contacts(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                   const btDispatcherInfo& info) {
  auto* const a = static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject);
  auto* const b = static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject);
  if (!dispatcher.needsCollision(a, b)) return;
  const btCollisionObjectWrapper of_a(nullptr, a->getCollisionShape(), a, a->getWorldTransform(),
                                      -1, -1);
  const btCollisionObjectWrapper of_b(nullptr, b->getCollisionShape(), b, b->getWorldTransform(),
                                      -1, -1);
  if (pair.m_algorithm == nullptr) {
    pair.m_algorithm = dispatcher.findAlgorithm(&of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  }
  if (pair.m_algorithm == nullptr) return;
  SteadyContacts contacts(&of_a, &of_b);
  pair.m_algorithm->processCollision(&of_a, &of_b, info, &contacts);
}

void correct_contacts_with(btCollisionObject& object, const Shape& shape) {
  gContactAddedCallback = on_contact;
  // The engine returns the pointer, and never writes through it.
  object.setUserPointer(const_cast<Shape*>(&shape));
  object.setCollisionFlags(object.getCollisionFlags() |
                           btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

}  // namespace perigee::world
