#include "perigee/replay/recording.hpp"

#include <algorithm>

#include "file_codec.hpp"
#include "mesh_codec.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/replay/ground_codec.hpp"
#include "perigee/replay/step_codec.hpp"

namespace perigee::replay {
namespace {

constexpr std::array magic{'p', 'e', 'r', 'i', 'g', 'e', 'e',  ' ',
                           'f', 'l', 'i', 'g', 'h', 't', '\n', '\x1a'};
constexpr double actor_size_max_m = 100;

std::uint64_t checksum(std::span<const std::byte> bytes) {
  StateHash hash;
  for (const std::byte b : bytes) hash.add(b);
  return hash.value();
}

template <class Cursor, class Header>
bool walk_header(Cursor& cursor, Header& header) {
  return cursor.enumerator(header.side, Side::last) && walk_text(cursor, header.game) &&
         cursor.number(header.schema_hash) && walk_text(cursor, header.build) &&
         cursor.number(header.tunables_hash) && cursor.number(header.avatar) &&
         cursor.number(header.session) && cursor.number(header.type) &&
         cursor.number(header.delay_ticks) && cursor.tick(header.tick) &&
         cursor.enumerator(header.cause, CorrectionCause::last) && cursor.number(header.meters) &&
         walk_input_fields(cursor, header.input_fields);
}

template <class Cursor, class Params>
bool walk_params(Cursor& cursor, Params& p) {
  const bool ok = cursor.number(p.radius_m) && cursor.number(p.height_m) &&
                  cursor.number(p.mass_kg) && cursor.number(p.walk_m_s) &&
                  cursor.number(p.run_m_s) && cursor.number(p.ground_acceleration_m_s2) &&
                  cursor.number(p.air_acceleration_m_s2) && cursor.number(p.jump_m_s) &&
                  cursor.number(p.coyote_ticks) && cursor.number(p.jump_ticks) &&
                  cursor.number(p.step_up_m) && cursor.number(p.slope_cosine_min) &&
                  cursor.number(p.snap_m) && cursor.number(p.jetpack_m_s2) &&
                  cursor.number(p.jetpack_speed_max_m_s) && cursor.number(p.damper_m_s2) &&
                  cursor.number(p.fall_speed_max_m_s) && cursor.number(p.push_m_s);
  return ok && p.radius_m > 0 && p.height_m > 2 * p.radius_m && p.height_m < actor_size_max_m;
}

template <class Cursor, class B>
bool walk_box(Cursor& cursor, B& box) {
  const Vec3& half = box.half;
  return cursor.vec3(box.center) && cursor.vec3(box.half) && cursor.number(box.rotation.x) &&
         cursor.number(box.rotation.y) && cursor.number(box.rotation.z) &&
         cursor.number(box.rotation.w) && cursor.number(box.radius) && half.x >= 0 && half.y >= 0 &&
         half.z >= 0 && box.radius >= 0 && accepts_rotation<Cursor>(box.rotation) &&
         length_squared(box.center) + length_squared(half) < number_max;
}

template <class Cursor, class Boxes>
bool walk_boxes(Cursor& cursor, Boxes& boxes, std::uint16_t count) {
  if constexpr (Cursor::reading) boxes.resize(count);
  return std::all_of(boxes.begin(), boxes.end(), [&](auto& box) { return walk_box(cursor, box); });
}

template <class Cursor, class Type>
bool walk_cells(Cursor& cursor, Type& type) {
  if constexpr (Cursor::reading) {
    world::VoxelPlan plan;
    if (!walk_plan(cursor, plan)) return false;
    type.shape = world::make_voxel_shape(std::move(plan));
    return true;
  } else {
    return walk_plan(cursor, *type.shape->voxels());
  }
}

/// Hulls that were left out have a hash, but no corners.
template <class Cursor>
bool walk_hulls(Cursor& cursor, std::vector<world::HullPtr>& hulls, bool& left_out) {
  auto count = static_cast<std::uint8_t>(hulls.size());
  if (!cursor.number(count) || count > world::Shape::hulls_max) return false;
  hulls.resize(count);
  for (world::HullPtr& hull : hulls) {
    std::vector<Vec3f> corners;
    std::uint64_t hash = 0;
    if constexpr (!Cursor::reading) {
      if (!left_out) corners.assign(hull->corners().begin(), hull->corners().end());
      hash = hull->hash();
    }
    auto size = static_cast<std::uint8_t>(corners.size());
    if (!cursor.number(hash) || !cursor.number(size)) return false;
    corners.resize(size);
    for (Vec3f& corner : corners) {
      if (!cursor.vec3(corner)) return false;
    }
    if constexpr (Cursor::reading) {
      left_out = left_out || size == 0;
      if (left_out) continue;
      auto made = world::Hull::make(corners);
      if (!made || made.value()->hash() != hash) return false;
      hull = std::move(made).value();
    }
  }
  return true;
}

/// The mesh, unless its triangles were left out.
template <class Cursor, class Type>
bool walk_mesh(Cursor& cursor, Type& type, world::MeshPtr& mesh) {
  world::MeshSource source;
  std::uint64_t hash = 0;
  if constexpr (!Cursor::reading) {
    if (!type.left_out) source = mesh->source();
    hash = mesh->hash();
  }
  if (!cursor.number(hash) || !cursor.flag(type.left_out)) return false;
  if (type.left_out) return true;
  if (!walk_source(cursor, source)) return false;
  if constexpr (Cursor::reading) {
    auto made = world::Mesh::make(source);
    if (!made || made.value()->hash() != hash) return false;
    mesh = std::move(made).value();
  }
  return true;
}

/// The heights, unless they were left out.
template <class Cursor, class Type>
bool walk_heightfield(Cursor& cursor, Type& type) {
  world::HeightfieldSource source;
  std::uint64_t hash = 0;
  if constexpr (!Cursor::reading) {
    if (!type.left_out) source = type.shape->heightfield()->source();
    hash = type.shape->heightfield()->hash();
  }
  if (!cursor.number(hash) || !cursor.flag(type.left_out)) return false;
  if constexpr (Cursor::reading) type.shape = world::make_capsule_shape(1, 2);
  if (type.left_out) return true;  // the shape is not used: read_recording() refuses the file
  if (!walk_heights(cursor, source)) return false;
  if constexpr (Cursor::reading) {
    auto made = world::Heightfield::make(std::move(source));
    if (!made || made.value()->hash() != hash) return false;
    type.shape = world::make_shape(std::move(made).value());
  }
  return true;
}

/// Boxes, hulls, and perhaps a mesh.
template <class Cursor, class Type>
bool walk_surfaces(Cursor& cursor, Type& type, std::uint16_t count) {
  std::vector<world::Box> boxes;
  std::vector<world::HullPtr> hulls;
  world::MeshPtr mesh;
  if constexpr (!Cursor::reading) {
    boxes.assign(type.shape->boxes().begin(), type.shape->boxes().end());
    hulls.assign(type.shape->hulls().begin(), type.shape->hulls().end());
    mesh = type.shape->mesh();
  }
  bool has_mesh = mesh != nullptr;
  bool without_hulls = type.left_out;
  if (!walk_boxes(cursor, boxes, count) || !walk_hulls(cursor, hulls, without_hulls) ||
      !cursor.flag(has_mesh) || (has_mesh && !walk_mesh(cursor, type, mesh))) {
    return false;
  }
  if constexpr (Cursor::reading) {
    type.left_out = type.left_out || without_hulls;
    if (type.left_out) {
      type.shape = world::make_capsule_shape(1, 2);  // not used: read_recording() refuses the file
      return true;
    }
    if (boxes.empty() && hulls.empty() && !mesh) return false;
    type.shape = world::make_shape(std::move(boxes), std::move(mesh), std::move(hulls));
  }
  return true;
}

/// A shape is a number of boxes; cells if that number is 0; `with_surfaces` before boxes, hulls and
/// a mesh; `of_heights` before a heightfield.
template <class Cursor, class Type>
bool walk_shape(Cursor& cursor, Type& type) {
  constexpr std::uint16_t with_surfaces = 0xffff;
  constexpr std::uint16_t of_heights = 0xfffe;
  std::uint16_t kind = 0;
  std::uint16_t count = 0;
  if constexpr (!Cursor::reading) {
    const world::Shape& shape = *type.shape;
    if (!shape.voxels()) count = static_cast<std::uint16_t>(shape.boxes().size());
    kind = shape.heightfield() ? of_heights : shape.has_triangles() ? with_surfaces : count;
  }
  if (!cursor.number(kind)) return false;
  if (kind == 0) return walk_cells(cursor, type);
  if (kind == with_surfaces) {
    return cursor.number(count) && count <= Recording::boxes_max &&
           walk_surfaces(cursor, type, count);
  }
  if (kind == of_heights) return walk_heightfield(cursor, type);
  if (kind > Recording::boxes_max) return false;
  std::vector<world::Box> boxes;
  if constexpr (!Cursor::reading) {
    boxes.assign(type.shape->boxes().begin(), type.shape->boxes().end());
  }
  if (!walk_boxes(cursor, boxes, kind)) return false;
  if constexpr (Cursor::reading) type.shape = world::make_shape(std::move(boxes));
  return true;
}

template <class Cursor, class Type>
bool walk_type(Cursor& cursor, Type& type) {
  return walk_text(cursor, type.name) && cursor.enumerator(type.kind, world::EntityKind::last) &&
         cursor.enumerator(type.inertia, world::Inertia::Full) &&
         walk_gravity(cursor, type.gravity) && walk_params(cursor, type.actor) &&
         walk_shape(cursor, type);
}

template <class Cursor, class Thing>
bool walk_thing(Cursor& cursor, Thing& thing) {
  return cursor.number(thing.handle) && cursor.number(thing.type) && cursor.flag(thing.chained);
}

template <class Cursor, class Final>
bool walk_final(Cursor& cursor, Final& final) {
  return cursor.tick(final.received) && cursor.tick(final.final_tick) &&
         cursor.number(final.parent) && walk_state(cursor, final.state);
}

template <class Cursor, class Change>
bool walk_change(Cursor& cursor, Change& received) {
  return cursor.tick(received.received) && world::walk(cursor, received.change);
}

template <class Cursor, class Claim>
bool walk_claim(Cursor& cursor, Claim& claim) {
  return cursor.tick(claim.tick) && cursor.number(claim.parent) &&
         cursor.number(claim.position.x) && cursor.number(claim.position.y) &&
         cursor.number(claim.position.z) &&
         length_squared(to_double(claim.position)) < number_max * number_max;
}

template <class Cursor, class Correction>
bool walk_correction(Cursor& cursor, Correction& correction) {
  return cursor.tick(correction.at) && cursor.enumerator(correction.cause, CorrectionCause::last) &&
         cursor.number(correction.meters);
}

/// Whether each is after the one before, by the tick that `tick_of` reads.
template <class Items, class TickOf>
bool ascend(const Items& items, TickOf tick_of) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (!before(tick_of(items[i - 1]), tick_of(items[i]))) return false;
  }
  return true;
}

template <class Cursor, class R>
bool walk_recording(Cursor& cursor, R& recording) {
  bool ok = walk_header(cursor, recording.header) &&
            walk_counted<std::uint16_t>(cursor, recording.types, Recording::types_max,
                                        [&](auto& type) { return walk_type(cursor, type); });
  if (!ok || recording.header.type >= recording.types.size()) return false;
  std::vector<world::ShapePtr> shapes;
  shapes.reserve(recording.types.size());
  for (const RecordedType& type : recording.types) shapes.push_back(type.shape);
  ok = walk_counted<std::uint16_t>(cursor, recording.things, 65535,
                                   [&](auto& thing) {
                                     return walk_thing(cursor, thing) &&
                                            thing.type < recording.types.size();
                                   }) &&
       walk_counted<std::uint16_t>(cursor, recording.ticks, Recording::ticks_max,
                                   [&](auto& step) { return walk_step(cursor, step, shapes); }) &&
       walk_counted<std::uint16_t>(cursor, recording.finals, Recording::news_max,
                                   [&](auto& final) { return walk_final(cursor, final); }) &&
       walk_counted<std::uint16_t>(cursor, recording.changes, Recording::news_max,
                                   [&](auto& change) { return walk_change(cursor, change); }) &&
       walk_counted<std::uint16_t>(cursor, recording.claims, Recording::news_max,
                                   [&](auto& claim) { return walk_claim(cursor, claim); }) &&
       walk_counted<std::uint16_t>(
           cursor, recording.corrections, Recording::news_max,
           [&](auto& correction) { return walk_correction(cursor, correction); });
  if (!ok || !ascend(recording.ticks, [](const auto& step) { return step.tick; }) ||
      !ascend(recording.claims, [](const auto& claim) { return claim.tick; })) {
    return false;
  }
  const auto by_handle = [](const auto& a, const auto& b) { return a.handle < b.handle; };
  return std::is_sorted(recording.things.begin(), recording.things.end(), by_handle);
}

std::string number(std::uint64_t value) { return std::to_string(value); }

}  // namespace

const Recording::Thing* Recording::thing(Handle handle) const {
  const auto found =
      std::lower_bound(things.begin(), things.end(), handle,
                       [](const Thing& thing, Handle h) { return thing.handle < h; });
  return found == things.end() || found->handle != handle ? nullptr : &*found;
}

Result<Halves> halves_of(const Recording& one) {
  if (one.ticks.empty()) return Error{"the recording has no ticks"};
  return one.header.side == Side::Client ? Halves{&one, nullptr} : Halves{nullptr, &one};
}

Result<Halves> halves_of(const Recording& one, const Recording& other) {
  if (one.header.side == other.header.side) {
    return Error{"both files are of the same side; pass one of a client and one of a worker"};
  }
  if (one.header.avatar != other.header.avatar) {
    return Error{"the files are of two different avatars"};
  }
  const auto first = halves_of(one), second = halves_of(other);
  if (!first) return first.error();
  if (!second) return second.error();
  return Halves{first->client != nullptr ? first->client : second->client,
                first->worker != nullptr ? first->worker : second->worker};
}

std::vector<std::byte> write_recording(const Recording& recording) {
  return written(recording_bytes_max, [&](ByteWriter& writer) {
    return writer.copy(std::as_bytes(std::span(magic))) && writer.number(recording_version) &&
           walk_recording(writer, recording) && writer.number(checksum(writer.written()));
  });
}

Result<Recording> read_recording(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::array<char, magic.size()> begin{};
  std::uint16_t version = 0;
  if (!reader.copy(std::as_writable_bytes(std::span(begin))) || begin != magic ||
      !reader.number(version)) {
    return Error{"not a flight recording: the file begins otherwise"};
  }
  if (version != recording_version) {
    return Error{"the recording has version " + number(version) + ", this program reads version " +
                 number(recording_version) + "; use the version of perigee that wrote it"};
  }
  if (bytes.size() > recording_bytes_max) {
    return Error{"the recording is larger than " + number(recording_bytes_max >> 20) + " MiB"};
  }
  Recording recording;
  std::uint64_t sum = 0;
  const std::size_t body = reader.position();
  const bool whole = walk_recording(reader, recording);
  const std::size_t end = reader.position();
  if (!whole || !reader.number(sum) || !reader.at_end()) {
    return Error{"the recording is truncated or damaged: invalid at byte " +
                 number(std::max(end, body)) + " of " + number(bytes.size())};
  }
  if (sum != checksum(bytes.first(end))) {
    return Error{"the recording is damaged: its checksum does not match"};
  }
  for (const RecordedType& type : recording.types) {
    if (!type.left_out) continue;
    return Error{
        "the recording is without the triangles, heights and hulls of the game's levels, which "
        "take more "
        "than " +
        number(Recording::mesh_bytes_max >> 20) +
        " MiB, and cannot be replayed; record in a smaller level"};
  }
  for (world::StepRecord& step : recording.ticks) step.actor = recording.header.avatar;
  return recording;
}

std::vector<RecordedType> recorded_types(std::span<const world::EntityType> types) {
  std::vector<RecordedType> out;
  std::size_t bytes = 0;
  for (const world::EntityType& type : types) {
    out.push_back(
        {std::string(type.name), type.kind, type.inertia, type.gravity, type.actor, type.shape});
    if (const auto& mesh = type.shape->mesh()) {
      bytes += source_bytes(mesh->corners().size(), mesh->triangles().size());
    }
    if (const auto& field = type.shape->heightfield()) bytes += source_bytes(field->source());
    for (const world::HullPtr& hull : type.shape->hulls()) {
      bytes += hull_bytes(hull->corners().size());
    }
  }
  for (RecordedType& type : out) {
    type.left_out = type.shape->has_triangles() && bytes > Recording::mesh_bytes_max;
  }
  return out;
}

std::uint64_t tunables_hash(std::span<const RecordedType> types) {
  return checksum(written(recording_bytes_max, [&](ByteWriter& writer) {
    return std::all_of(types.begin(), types.end(),
                       [&](const RecordedType& type) { return walk_type(writer, type); });
  }));
}

}  // namespace perigee::replay
