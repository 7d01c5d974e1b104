#include "perigee/world/actor_context.hpp"

#include "perigee/world/ray.hpp"

namespace perigee::world {

Vec3 ActorContext::look() const { return look_direction(record_.input.yaw, record_.input.pitch); }

std::optional<NearHit> ActorContext::ray(const Vec3& from, const Vec3& direction,
                                         double range_m) const {
  std::optional<NearHit> nearest;
  for (const Neighbour& neighbour : record_.neighbours) {
    const auto away_m = cast_ray(*neighbour.shape, inverse_transform(neighbour.previous, from),
                                 rotate_back(neighbour.previous.rotation, direction), range_m);
    if (away_m && (!nearest || *away_m < nearest->away_m)) nearest = NearHit{neighbour.id, *away_m};
  }
  return nearest;
}

bool ActorContext::cue(std::uint8_t effect, Handle subject) {
  Wishes& wishes = record_.wishes;
  const auto index = static_cast<std::uint8_t>(first_cue_index + wishes.indices);
  if (!wishes.cues.push_back({index, effect, false, subject})) return false;
  ++wishes.indices;
  return true;
}

bool ActorContext::propose(Proposal proposal, std::uint8_t effect) {
  Wishes& wishes = record_.wishes;
  proposal.index = static_cast<std::uint8_t>(first_cue_index + wishes.indices);
  if (!wishes.proposals.push_back(proposal)) return false;
  ++wishes.indices;
  if (effect != 0) wishes.cues.push_back({proposal.index, effect, true, proposal.target});
  return true;
}

bool ActorContext::push(Handle body, const Vec3& impulse, const Vec3& at) {
  return record_.wishes.pushes.push_back({body, impulse, at});
}

}  // namespace perigee::world
