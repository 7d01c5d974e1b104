#include "perigee/base/wire_world.hpp"

#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

constexpr std::uint8_t block_version = 8;
enum Section : std::uint8_t { section_own = 1, section_event = 2, section_group = 3 };

template <class Cursor, class T>
bool as_float(Cursor& cursor, T& value) {
  float narrow = static_cast<float>(value);
  if (!cursor.number(narrow)) return false;
  if constexpr (Cursor::reading) value = narrow;
  return true;
}
template <class Cursor, class V>
bool vec_float(Cursor& cursor, V& v) {
  return as_float(cursor, v.x) && as_float(cursor, v.y) && as_float(cursor, v.z);
}
template <class Cursor, class Q>
bool quat_float(Cursor& cursor, Q& q) {
  if (!as_float(cursor, q.x) || !as_float(cursor, q.y) || !as_float(cursor, q.z) ||
      !as_float(cursor, q.w)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    const double size = dot(q, q);
    if (size < 0.99 || size > 1.01) return false;
    q = normalized(q);
  }
  return true;
}
template <class Cursor, class P>
bool walk_pose(Cursor& cursor, P& pose) {
  return cursor.vec3(pose.position) && quat_float(cursor, pose.rotation);
}

template <class Cursor, class H>
bool walk_header(Cursor& c, H& h) {
  return walk_constant(c, block_version) && c.number(h.cluster_id) && c.number(h.stream_epoch) &&
         c.tick(h.tick);
}

template <class Cursor, class M>
bool walk_parent(Cursor& c, M& m) {
  return c.number(m.handle) && walk_pose(c, m.motion.pose) && vec_float(c, m.motion.velocity) &&
         vec_float(c, m.motion.angular_velocity) && vec_float(c, m.motion.acceleration) &&
         vec_float(c, m.motion.angular_acceleration);
}

template <class Cursor, class V>
bool walk_chunk_version(Cursor& c, V& v) {
  return c.number(v.patch) && c.number(v.chunk) && c.number(v.version);
}

template <class Cursor, class Rate>
bool walk_rate(Cursor& c, Rate& r) {
  const auto percent = [](std::uint8_t value) {
    return value >= slowest_ppm / ppm_per_percent && value <= 100;
  };
  return c.number(r.percent) && c.number(r.change_in_ticks) && c.number(r.next_percent) &&
         percent(r.percent) && percent(r.next_percent);
}

template <class Cursor, class Own>
bool walk_own(Cursor& c, Own& o) {
  const bool head = c.number(o.avatar) && c.number(o.reset_epoch) && walk_shared(c, o.techniques) &&
                    c.number(o.delay_ticks) && c.flag(o.has_echo) && c.tick(o.echo) &&
                    c.number(o.echo_age_ticks) && c.flag(o.has_margin) && c.tick(o.margin_input) &&
                    c.number(o.margin_us) && c.number(o.late) && c.number(o.guessed) &&
                    walk_rate(c, o.rate) && c.tick(o.final_tick) && c.number(o.final_parent) &&
                    walk(c, o.final_state) && walk(c, o.final_game) && c.flag(o.speculative);
  if (!head) return false;
  if (o.speculative && !(c.number(o.newest_parent) && walk(c, o.newest_state))) return false;
  const bool lists =
      walk_list(c, o.parents, [&](auto& m) { return walk_parent(c, m); }) &&
      walk_list(c, o.versions,
                [&](auto& v) { return c.number(v.object) && c.number(v.version); }) &&
      walk_list(c, o.chunks, [&](auto& v) { return walk_chunk_version(c, v); });
  if (!lists || !c.enumerator(o.vehicle, VehiclePrediction::last)) return false;
  return o.vehicle == VehiclePrediction::None || c.vec3(o.vehicle_thrust);
}

template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, SpawnEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.identity) && c.number(e.type) && c.number(e.respawns) &&
         c.number(e.version) && c.number(e.parent) && c.number(e.goal) && walk_pose(c, e.pose);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, DespawnEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.version);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ParentSwitchEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.parent) && c.tick(e.effect) && c.number(e.version) &&
         c.enumerator(e.vehicle, VehicleChange::last);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, TimelineEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.object) && c.tick(e.effect) && c.number(e.goal) && c.number(e.version);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, EffectEvent>
bool walk_event(Cursor& c, E& e) {
  return c.tick(e.target) && c.number(e.index) && c.enumerator(e.verdict, Verdict::last) &&
         c.enumerator(e.reason, CancelReason::last) && c.number(e.detail);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, OutcomeEvent>
bool walk_event(Cursor& c, E& e) {
  return c.tick(e.tick) && c.number(e.index) && c.number(e.kind) && c.number(e.actor) &&
         c.number(e.target) && c.number(e.amount);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ProjectileEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.actor) && c.tick(e.tick) && c.number(e.index) && c.number(e.kind) &&
         c.number(e.parent) && c.vec3(e.from) && c.vec3(e.velocity);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, GameStateEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && walk(c, e.game);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, VoxelEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.patch) && c.number(e.cell) && c.number(e.version) && c.tick(e.tick) &&
         c.number(e.actor) && c.number(e.index) && c.flag(e.solid) && c.flag(e.withdrawn);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ChunkEvent>
bool walk_event(Cursor& c, E& e) {
  if (!walk_chunk_version(c, e.what)) return false;
  for (auto& eight : e.bits) {
    if (!c.number(eight)) return false;
  }
  return true;
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ProjectileHitEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.actor) && c.tick(e.left) && c.number(e.index) && c.number(e.kind) &&
         c.tick(e.at);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, LostEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle);
}
template <std::size_t Index = 0>
bool read_event(ByteReader& reader, std::uint8_t kind, WorldEvent& event) {
  if constexpr (Index < std::variant_size_v<WorldEvent>) {
    if (kind != Index) return read_event<Index + 1>(reader, kind, event);
    return walk_event(reader, event.emplace<Index>());
  } else {
    return false;
  }
}

/// Encoding of a group's frame of reference in its header.
enum FrameKind : std::uint8_t { cell_fine, cell_middle, cell_coarse, parent_frame };

template <class Cursor, class F>
bool walk_frame(Cursor& c, F& frame) {
  auto kind = frame.parent != no_entity ? parent_frame : static_cast<FrameKind>(frame.precision);
  if (!c.enumerator(kind, parent_frame) || !c.number(frame.block)) return false;
  if constexpr (Cursor::reading) {
    if (kind != parent_frame) frame.precision = static_cast<Precision>(kind);
  }
  if (kind != parent_frame) return c.vec3(frame.cell);
  return c.number(frame.parent) && frame.parent != no_entity;
}

/// Ignores everything: visitor of the first pass over a block, which only checks it.
class Silent final : public BlockVisitor {
  void on_own(const OwnSection&) override {}
  void on_event(Sequence, const WorldEvent&) override {}
  void on_record(const GroupFrame&, const EntityRecord&) override {}
};

bool read_group(ByteReader& reader, BlockVisitor& visitor) {
  GroupFrame frame;
  std::uint8_t count = 0;
  if (!walk_frame(reader, frame) || !reader.number(count) || count == 0) return false;
  for (int i = 0; i < count; ++i) {
    EncodedRecord bytes;
    if (!reader.copy(bytes)) return false;
    const auto record = decode_record(bytes, frame);
    if (!record) return false;
    visitor.on_record(frame, *record);
  }
  return true;
}

bool read_sections(ByteReader reader, BlockVisitor& visitor) {
  std::uint8_t reached = 0;
  while (!reader.at_end()) {
    std::uint8_t tag = 0;
    if (!reader.number(tag) || tag < reached) return false;
    if (tag == section_own) {
      OwnSection own;
      if (reached == section_own || !walk_own(reader, own)) return false;
      visitor.on_own(own);
    } else if (tag == section_event) {
      Sequence sequence;
      std::uint8_t kind = 0;
      WorldEvent event;
      if (!reader.number(sequence.value) || !reader.number(kind) ||
          !read_event(reader, kind, event)) {
        return false;
      }
      visitor.on_event(sequence, event);
    } else if (tag != section_group || !read_group(reader, visitor)) {
      return false;
    }
    reached = tag;
  }
  return true;
}

}  // namespace

BlockWriter::BlockWriter(std::span<std::byte> out, const BlockHeader& header) : writer_(out) {
  const bool fits = walk_header(writer_, header);
  PERIGEE_ASSERT(fits, "a block's buffer must hold at least its header");
  header_bytes_ = writer_.size();
}

bool BlockWriter::own(const OwnSection& own) {
  const std::size_t start = writer_.size();
  const std::uint8_t tag = section_own;
  if (writer_.number(tag) && walk_own(writer_, own)) return true;
  writer_.rewind(start);
  return false;
}

bool BlockWriter::event(Sequence sequence, const WorldEvent& event) {
  const std::size_t start = writer_.size();
  const std::uint8_t tag = section_event;
  const auto kind = static_cast<std::uint8_t>(event.index());
  const bool fits = writer_.number(tag) && writer_.number(sequence.value) && writer_.number(kind) &&
                    std::visit([&](const auto& e) { return walk_event(writer_, e); }, event);
  if (!fits) writer_.rewind(start);
  return fits;
}

bool BlockWriter::begin_group(const GroupFrame& frame) {
  if (writer_.space() < group_header_bytes_max + entity_record_bytes) return false;
  const std::uint8_t tag = section_group;
  const std::uint8_t count = 0;
  writer_.number(tag);
  walk_frame(writer_, frame);
  writer_.number(count);
  group_ = frame;
  group_count_at_ = writer_.size() - 1;
  group_count_ = 0;
  return true;
}

bool BlockWriter::record(const EntityRecord& record) {
  PERIGEE_ASSERT(handle_block(record.handle) == group_.block,
                 "a group's records must have handles of one block");
  return encoded_record(encode_record(record, group_.precision));
}

bool BlockWriter::encoded_record(const EncodedRecord& bytes) {
  if (group_count_ == 255 || !writer_.copy(bytes)) return false;
  writer_.patch(group_count_at_, ++group_count_);
  return true;
}

std::optional<BlockHeader> read_block_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  BlockHeader header;
  return walk_header(reader, header) ? std::optional(header) : std::nullopt;
}

std::optional<BlockHeader> read_block(std::span<const std::byte> bytes, BlockVisitor& visitor) {
  ByteReader reader(bytes);
  BlockHeader header;
  Silent silent;
  if (!walk_header(reader, header) || !read_sections(reader, silent)) return std::nullopt;
  read_sections(reader, visitor);
  return header;
}

}  // namespace perigee
