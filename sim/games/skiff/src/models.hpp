/// The boxes that Skiff's entities are made of. Decks are at y = 0 of their own frames.
#pragma once

#include "perigee/skiff/tunables.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::skiff {

/// Deck 200 x 120 m with parapets, a hall with a door, a corridor, stairs, ten pillars.
world::ShapePtr station_shape();
/// Volume of its gravity: the deck and 15 m above.
world::Bounds station_gravity();
/// The station's doors when shut, in its frame: the hall's and those of the free-standing gates.
inline constexpr std::uint32_t station_doors = 7;
Pose station_door_pose(std::uint32_t i);
/// A ferry's door when shut, in its frame.
Pose ferry_door_pose();
/// 60 x 12 x 20 m: a hull with a walled deck on top, a 2 m opening in its -x wall.
world::ShapePtr ferry_shape();
world::Bounds ferry_gravity();
/// An open deck of 50 x 40 m.
world::ShapePtr carousel_shape();
world::Bounds carousel_gravity();
/// 12 x 4 x 8 m: a low hull with a parapet around its deck.
world::ShapePtr skiff_shape();
world::Bounds skiff_gravity();
/// Place where it is moored, in the station's frame.
Pose mooring();
/// The walker: a row of links of 2 m on hinges; number `i` of the station's.
inline constexpr std::uint32_t walker_links = 10;
world::ShapePtr walker_link_shape();
Pose walker_link_pose(std::uint32_t i);
/// Joint of a link to the next one (negative: to the one before), with the hinge's axis along x.
Pose walker_joint(double end_m);
/// 2 m wide and 3 m high; slides along its own +z.
world::ShapePtr door_shape();

/// 4 x 4 m, and as deep as it rises, so that no actor gets under it. Its floor is at y = 0.
world::ShapePtr lift_shape(const Tunables& tunables);
Pose lift_pose();
/// 2 x 2 m in the hall's roof; opens downwards about its +x edge.
world::ShapePtr trap_shape();
Pose trap_pose();
/// A disc of 8 m radius on the deck; characters can step onto it.
world::ShapePtr rotor_shape();
world::Bounds rotor_gravity();
Pose rotor_pose();

/// A mound of 32 x 32 m, 6 m high, in terraces of 1 m: the station's ground.
world::ShapePtr ground_shape();
Pose ground_pose();

/// Places of crate number `i` and of spawn number `i`; frame of station or ferry.
Vec3 station_crate_position(std::uint32_t i, double edge_m);
Vec3 ferry_crate_position(std::uint32_t i, double edge_m);
Vec3 newcomer_position(std::uint32_t i, const Tunables& tunables);
/// The same on the turning decks, around their middles.
Vec3 deckhand_position(std::uint32_t i, const Tunables& tunables);

}  // namespace perigee::skiff
