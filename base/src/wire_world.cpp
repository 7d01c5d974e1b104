#include "perigee/base/wire_world.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "perigee/base/assert.hpp"
#include "perigee/base/short_number.hpp"
#include "perigee/base/walk.hpp"
#include "wire_sections.hpp"

namespace perigee {
namespace {

constexpr std::uint8_t block_version = 15;
/// A group's tag is section_group, plus its precision, plus parent_frame.
enum Section : std::uint8_t { section_own = 1, section_event = 2, section_group = 4 };
constexpr std::uint8_t parent_frame = precisions;
constexpr std::uint8_t group_tag_end = section_group + 2 * precisions;
/// The last section.
constexpr std::uint8_t section_cues = group_tag_end;

/// Bits of the header's last byte. Four are the lowest ones of the version.
constexpr std::uint8_t part_bits = 0x07, version_bits = 0x78, more_follow_bit = 0x80;
static_assert(block_parts_max == part_bits + 1);
constexpr std::uint8_t this_version = block_version * (part_bits + 1) & version_bits;

template <class Cursor, class H>
bool walk_header(Cursor& c, H& h) {
  auto part =
      static_cast<std::uint8_t>(h.part | this_version | (h.last_part ? 0 : more_follow_bit));
  const bool fits = c.number(h.cluster_id) && c.number(h.stream_epoch) && c.tick(h.tick) &&
                    c.number(part) && (part & version_bits) == this_version;
  if constexpr (Cursor::reading) {
    h.part = part & part_bits;
    h.last_part = (part & more_follow_bit) == 0;
  }
  return fits;
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

/// Small numbers of either sign are short.
template <class Cursor, class Index>
bool walk_index(Cursor& c, Index& index) {
  auto zigzag =
      static_cast<std::uint16_t>(static_cast<std::uint16_t>(index) << 1 ^ (index < 0 ? 0xffff : 0));
  if (!walk_short_number(c, zigzag)) return false;
  if constexpr (Cursor::reading) {
    index = static_cast<std::int16_t>(zigzag >> 1 ^ ((zigzag & 1) != 0 ? 0xffff : 0));
  }
  return true;
}

/// Of a handle: blocks beyond the largest handle are refused.
template <class Cursor, class Block>
bool walk_handle_block(Cursor& c, Block& block) {
  std::uint16_t number = block;
  if (!walk_short_number(c, number) || number > handle_block(~Handle{0})) return false;
  if constexpr (Cursor::reading) block = number;
  return true;
}

template <class Cursor, class F>
bool walk_frame(Cursor& c, F& frame, std::uint8_t tag) {
  if (!walk_handle_block(c, frame.block)) return false;
  if constexpr (Cursor::reading) frame.precision = static_cast<Precision>(tag % precisions);
  static_assert(section_group % precisions == 0);
  if (tag < section_group + parent_frame) {
    return walk_index(c, frame.cell.x) && walk_index(c, frame.cell.y) &&
           walk_index(c, frame.cell.z);
  }
  return c.number(frame.parent) && frame.parent != no_entity;
}

/// An age in ticks: one byte, or this value and four.
constexpr std::uint8_t long_age = 255;
bool write_age(ByteWriter& writer, std::uint32_t age) {
  if (age < long_age) return writer.number(static_cast<std::uint8_t>(age));
  return writer.number(long_age) && writer.number(age);
}
bool read_age(ByteReader& reader, std::uint32_t& age) {
  std::uint8_t first = 0;
  if (!reader.number(first)) return false;
  age = first;
  return first < long_age || (reader.number(age) && age <= track_ticks_max);
}

/// Records take most of the time of reading a block: the first pass reads and keeps them, and the
/// second one takes them from here. In practice a block has less than half as many.
class RecordReader {
 public:
  std::optional<TrackRecord> read(ByteReader& reader, const GroupFrame& frame, Tick now) {
    if (next_ < kept_) {
      reader = storage_.kept[next_].after;
      return storage_.kept[next_++].record;
    }
    std::uint32_t age = 0;
    if (!read_age(reader, age)) return std::nullopt;
    auto record = decode_track(reader, frame);
    if (!record) return std::nullopt;
    record->track.tick = now - static_cast<std::int32_t>(age);
    record->sent = now;
    if (keeps_ && kept_ < records_max) {
      std::construct_at(&storage_.kept[kept_], Kept{*record, reader});
      next_ = ++kept_;
    }
    return record;
  }
  /// The second pass.
  void start_again() {
    keeps_ = false;
    next_ = 0;
  }

 private:
  static constexpr std::size_t records_max = 64;
  struct Kept {
    TrackRecord record;
    ByteReader after;
  };
  static_assert(std::is_trivially_destructible_v<Kept>);
  union Storage {
    Storage() {}  // most blocks have few records
    std::array<Kept, records_max> kept;
  };
  Storage storage_;
  std::size_t kept_ = 0, next_ = 0;
  bool keeps_ = true;
};

/// Ignores everything: visitor of the first pass over a block, which only checks it.
class Silent final : public BlockVisitor {
 public:
  explicit Silent(const BlockVisitor& visitor) : visitor_(visitor) {}

 private:
  void on_own(const OwnSection&) override {}
  void on_event(Sequence, const WorldEvent&) override {}
  void on_record(const GroupFrame&, const TrackRecord&) override {}
  const OwnBasis* own_basis(Tick tick) const override { return visitor_.own_basis(tick); }

  const BlockVisitor& visitor_;
};

bool read_group(ByteReader& reader, Tick now, std::uint8_t tag, RecordReader& records,
                BlockVisitor& visitor) {
  GroupFrame frame;
  std::uint8_t count = 0;
  if (!walk_frame(reader, frame, tag) || !reader.number(count) || count == 0) return false;
  for (int i = 0; i < count; ++i) {
    const auto record = records.read(reader, frame, now);
    if (!record) return false;
    visitor.on_record(frame, *record);
  }
  return true;
}

bool read_cues(ByteReader& reader, Tick now, BlockVisitor& visitor) {
  std::uint8_t count = 0;
  if (!reader.number(count) || count == 0) return false;
  for (int i = 0; i < count; ++i) {
    CueEvent cue;
    if (!walk_cue(reader, cue, now)) return false;
    visitor.on_cue(cue);
  }
  return reader.at_end();
}

bool read_sections(ByteReader reader, Tick now, RecordReader& records, BlockVisitor& visitor) {
  constexpr std::uint8_t group = section_group;
  std::uint8_t reached = 0;
  while (!reader.at_end()) {
    std::uint8_t tag = 0;
    if (!reader.number(tag)) return false;
    if (tag == section_cues) return read_cues(reader, now, visitor);
    if (tag >= group_tag_end || std::min(tag, group) < reached) return false;
    if (tag == section_own) {
      OwnSection own;
      const auto basis_of = [&](Tick tick) { return visitor.own_basis(tick); };
      if (reached == section_own || !read_own(reader, now, basis_of, own)) return false;
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
    } else if (tag < group || !read_group(reader, now, tag, records, visitor)) {
      return false;
    }
    reached = std::min(tag, group);
  }
  return true;
}

}  // namespace

BlockWriter::BlockWriter(std::span<std::byte> out, const BlockHeader& header)
    : writer_(out), tick_(header.tick) {
  const bool fits = walk_header(writer_, header);
  PERIGEE_ASSERT(fits, "a block's buffer must hold at least its header");
  header_bytes_ = writer_.size();
}

bool BlockWriter::own(const OwnSection& own, const OwnBasis* basis) {
  const std::size_t start = writer_.size();
  const std::uint8_t tag = section_own;
  if (writer_.number(tag) && write_own(writer_, tick_, own, basis)) return true;
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
  constexpr std::size_t age_bytes_max = 5;
  if (writer_.space() < group_header_bytes_max + age_bytes_max + track_record_bytes_max) {
    return false;
  }
  const auto tag =
      static_cast<std::uint8_t>(section_group + static_cast<std::uint8_t>(frame.precision) +
                                (frame.parent != no_entity ? parent_frame : 0));
  const std::uint8_t count = 0;
  writer_.number(tag);
  walk_frame(writer_, frame, tag);
  writer_.number(count);
  group_count_at_ = writer_.size() - 1;
  group_count_ = 0;
  return true;
}

bool BlockWriter::record(std::span<const std::byte> bytes, Tick tick) {
  const std::size_t start = writer_.size();
  const bool fits = group_count_ < 255 &&
                    write_age(writer_, static_cast<std::uint32_t>(ticks_between(tick, tick_))) &&
                    writer_.copy(bytes);
  if (!fits) {
    writer_.rewind(start);
    return false;
  }
  writer_.patch(group_count_at_, ++group_count_);
  return true;
}

bool BlockWriter::cue(const CueEvent& cue) {
  constexpr std::uint8_t most = 255;
  const std::int32_t age_ticks = ticks_between(cue.tick, tick_);
  PERIGEE_ASSERT(age_ticks >= 0 && age_ticks <= cue_age_ticks_max, "a cue must be of its second");
  const std::size_t start = writer_.size();
  const std::uint8_t tag = section_cues, none = 0;
  const bool first = cue_count_ == 0;
  bool fits = cue_count_ < most && (!first || (writer_.number(tag) && writer_.number(none)));
  if (first) cue_count_at_ = writer_.size() - 1;
  fits = fits && walk_cue(writer_, cue, tick_);
  if (!fits) {
    writer_.rewind(start);
    return false;
  }
  writer_.patch(cue_count_at_, ++cue_count_);
  return true;
}

void BlockWriter::more_follow() {
  const std::size_t at = header_bytes_ - 1;
  const auto part = static_cast<std::uint8_t>(writer_.written()[at]);
  writer_.patch(at, static_cast<std::uint8_t>(part | more_follow_bit));
}

std::optional<BlockHeader> read_block_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  BlockHeader header;
  return walk_header(reader, header) ? std::optional(header) : std::nullopt;
}

std::optional<BlockHeader> read_block(std::span<const std::byte> bytes, BlockVisitor& visitor) {
  ByteReader reader(bytes);
  BlockHeader header;
  Silent silent(visitor);
  RecordReader records;
  if (!walk_header(reader, header) || !read_sections(reader, header.tick, records, silent)) {
    return std::nullopt;
  }
  records.start_again();
  read_sections(reader, header.tick, records, visitor);
  return header;
}

}  // namespace perigee
