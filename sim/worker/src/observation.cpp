#include "perigee/worker/observation.hpp"

#include <array>
#include <cmath>

#include "perigee/base/bytes.hpp"

namespace perigee::worker {
namespace {

std::uint16_t in_32767ths(double part) {
  return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(part * 32767)));
}

/// The present pose; for another worker's actor the last one that has arrived.
std::optional<Pose> newest_pose(const world::World& world, Handle handle) {
  for (std::int32_t back = 0; back <= world::catch_up_ticks; ++back) {
    if (const auto pose = world.pose(handle, world.now() - back)) return pose;
  }
  return std::nullopt;
}

}  // namespace

std::span<const std::byte> ObservationWriter::write(const world::World& world) {
  bytes_.clear();
  world.for_each_lively([&](const world::Entity& entity) { add(world, entity, false); });
  world.look_through(turn_, rest_turns, [&](const world::Entity& entity, bool at_rest) {
    if (at_rest) add(world, entity, true);
  });
  turn_ = (turn_ + 1) % rest_turns;
  return bytes_;
}

void ObservationWriter::add(const world::World& world, const world::Entity& entity, bool at_rest) {
  const auto pose = newest_pose(world, entity.handle);
  if (!pose) return;
  if (bytes_.size() == records_max * record_bytes) {
    ++left_out_;
    return;
  }
  const bool is_actor = world.type_of(entity).kind == world::EntityKind::Actor;
  std::array<std::byte, record_bytes> record;
  ByteWriter writer(record);
  bool fits = writer.number(entity.handle) && writer.number(entity.parent) &&
              writer.number(static_cast<std::uint16_t>(entity.type)) &&
              writer.number(static_cast<std::uint16_t>(
                  (entity.remote ? ghost : 0) | (at_rest ? rests : 0) | (is_actor ? actor : 0)));
  for (const double meters : {pose->position.x, pose->position.y, pose->position.z}) {
    fits = fits && writer.number(static_cast<float>(meters));
  }
  const Quat& rotation = pose->rotation;
  for (const double part : {rotation.x, rotation.y, rotation.z, rotation.w}) {
    fits = fits && writer.number(in_32767ths(part));
  }
  PERIGEE_ASSERT(fits && writer.size() == record_bytes, "an observed entity has record_bytes");
  bytes_.insert(bytes_.end(), record.begin(), record.end());
}

}  // namespace perigee::worker
