#include "perigee/base/walk.hpp"
#include "perigee/world/codec.hpp"
#include "perigee/world/group.hpp"

namespace perigee::world {
namespace {

// Bit by bit: the two zeros differ.
// NOLINTBEGIN(bugprone-suspicious-memory-comparison)
bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(const Motion& a, const Motion& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
// NOLINTEND(bugprone-suspicious-memory-comparison)
bool same_bits(const ActorTrace& a, const ActorTrace& b) {
  return a.parent == b.parent && same_bits(a.position, b.position) &&
         same_bits(a.velocity, b.velocity);
}
static_assert(sizeof(Motion) == 19 * sizeof(double),
              "Motion must have no padding: it is compared by bytes");

/// Values of consecutive ticks, many of which equal their predecessor.
template <class Cursor, class Past, class Walk>
bool walk_past(Cursor& cursor, Past& past, Walk&& walk_value) {
  auto count = static_cast<std::uint16_t>(past.size());
  if (!cursor.number(count) || count > World::history_ticks) return false;
  if constexpr (Cursor::reading) past.resize(count);
  for (std::size_t i = 0; i < past.size(); ++i) {
    auto& [tick, value] = past[i];
    std::uint8_t same = 0;
    if constexpr (!Cursor::reading) same = i > 0 && same_bits(value, past[i - 1].second);
    if (!cursor.tick(tick) || !cursor.flag(same) || (same != 0 && i == 0)) return false;
    if (i > 0 && !before(past[i - 1].first, tick)) return false;
    if (same == 0 && !walk_value(value)) return false;
    if constexpr (Cursor::reading) {
      if (same != 0) value = past[i - 1].second;
    }
  }
  return true;
}

template <class Cursor, class E>
bool walk_cells(Cursor& cursor, E& past, std::span<const EntityType> types) {
  std::uint8_t has = past.cells.has_value();
  if (!cursor.flag(has)) return false;
  if constexpr (Cursor::reading) {
    const auto& plan = types[past.entity.type].shape->voxels();
    if ((plan != nullptr) != (has != 0)) return false;
    if (plan != nullptr) past.cells.emplace(plan);
  }
  return has == 0 || VoxelPatch::walk(cursor, *past.cells);
}

template <class Cursor, class E>
bool walk_state(Cursor& cursor, E& past, std::span<const EntityType> types) {
  std::uint8_t has = past.state.has_value();
  if (!cursor.flag(has)) return false;
  if constexpr (Cursor::reading) {
    if ((types[past.entity.type].state != nullptr) != (has != 0)) return false;
    if (has != 0) past.state.emplace();
  }
  return has == 0 || walk_thing_state(cursor, *past.state);
}

/// Whether all of them are within the ticks that the actor's traces cover.
bool drawn_among(const EntityPast& past) {
  return past.drawn.empty() ||
         (!past.traces.empty() && not_after(past.traces.front().first, past.drawn.front().first) &&
          not_after(past.drawn.back().first, past.traces.back().first));
}

template <class Cursor, class E>
bool walk_entity(Cursor& cursor, E& past, std::span<const EntityType> types) {
  auto& entity = past.entity;
  const bool ok = cursor.number(entity.id.bits) && cursor.number(entity.handle) &&
                  cursor.number(entity.type) && cursor.number(entity.respawns) &&
                  cursor.number(entity.parent) && sparse(cursor, fields_of_pose(entity.local));
  if (!ok || entity.handle == no_entity) return false;
  if constexpr (Cursor::reading) {
    if (entity.type >= types.size()) return false;
  }
  if (!walk_past(cursor, past.motions, [&](auto& motion) { return walk_motion(cursor, motion); })) {
    return false;
  }
  const auto trace = [&](auto& place) { return walk_trace(cursor, place); };
  if (!walk_past(cursor, past.traces, trace) || !walk_past(cursor, past.drawn, trace) ||
      !walk_log(cursor, past.log, entity.handle) || !walk_cells(cursor, past, types) ||
      !walk_state(cursor, past, types)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    const EntityKind kind = types[entity.type].kind;
    return past.motions.empty() == (kind != EntityKind::Body) &&
           past.traces.empty() == (kind != EntityKind::Actor) && drawn_among(past);
  }
  return true;
}

template <class Cursor, class G>
bool walk_group(Cursor& cursor, G& group, std::span<const EntityType> types) {
  const auto entity = [&](auto& past) { return walk_entity(cursor, past, types); };
  const auto hinge = [&](auto& held) { return walk_hinge(cursor, held); };
  return cursor.tick(group.now) &&
         walk_counted<std::uint16_t>(cursor, group.entities, group_things_max, entity) &&
         walk_counted<std::uint16_t>(cursor, group.hinges, group_hinges_max, hinge);
}

}  // namespace

std::vector<std::byte> to_bytes(const GroupPast& group) {
  PERIGEE_ASSERT(
      group.entities.size() <= group_things_max && group.hinges.size() <= group_hinges_max,
      "more than group_things_max entities or group_hinges_max hinges");
  std::size_t room = 64 + group.hinges.size() * 256;
  for (const EntityPast& past : group.entities) {
    room += 1024 + sizeof(ThingState) + past.motions.size() * 160 +
            (past.traces.size() + past.drawn.size()) * 80;
    if (!past.cells) continue;
    room += past.cells->plan().chunks() * (sizeof(ChunkBits) + 4) +
            past.cells->edits().size() * sizeof(VoxelEdit);
  }
  std::vector<std::byte> out(room);
  ByteWriter writer(out);
  PERIGEE_ASSERT(walk_group(writer, group, {}), "the buffer is too small for the group");
  out.resize(writer.size());
  return out;
}

std::optional<GroupPast> group_from_bytes(std::span<const std::byte> bytes,
                                          std::span<const EntityType> types) {
  ByteReader reader(bytes);
  GroupPast out;
  if (!walk_group(reader, out, types) || !reader.at_end()) return std::nullopt;
  return out;
}

}  // namespace perigee::world
