#include "perigee/base/wire_client.hpp"

#include <array>

#include "perigee/base/bits.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

/// Which fields of an input differ from the next newer one (or from zero, for the newest).
enum InputField : std::uint8_t {
  field_axes = 1 << 0,
  field_yaw = 1 << 1,
  field_pitch = 1 << 2,
  field_held = 1 << 3,
  field_samples = 1 << 4,
  field_view = 1 << 5,
  field_own = 1 << 6,
  fields_all = (1 << 7) - 1,
};

std::uint8_t changed_fields(const PlayerInput& input, const PlayerInput& newer) {
  unsigned mask = 0;
  if (input.right != newer.right || input.up != newer.up || input.forward != newer.forward) {
    mask |= field_axes;
  }
  if (input.yaw != newer.yaw) mask |= field_yaw;
  if (input.pitch != newer.pitch) mask |= field_pitch;
  if (input.held != newer.held) mask |= field_held;
  if (!input.samples.empty()) mask |= field_samples;
  if (input.view_age != newer.view_age) mask |= field_view;
  if (input.own != newer.own) mask |= field_own;
  return static_cast<std::uint8_t>(mask);
}

template <class Cursor, class Samples>
bool walk_samples(Cursor& cursor, Samples& samples) {
  auto count = static_cast<std::uint8_t>(samples.size());
  if (!cursor.number(count) || count == 0 || count > PlayerInput::sub_samples_max) return false;
  if constexpr (Cursor::reading) samples.resize(count);
  for (auto& sample : samples) {
    const bool ok = cursor.number(sample.offset) && cursor.number(sample.pressed) &&
                    cursor.enumerator(sample.action, ActionKind::last) &&
                    cursor.number(sample.target);
    if (!ok) return false;
  }
  return true;
}

/// On reading, `input` already holds the newer input's values.
template <class Cursor, class Input>
bool walk_input(Cursor& cursor, std::uint8_t mask, Input& input) {
  if (!cursor.number(mask) || mask > fields_all) return false;
  if ((mask & field_axes) != 0 &&
      !(cursor.number(input.right) && cursor.number(input.up) && cursor.number(input.forward))) {
    return false;
  }
  if ((mask & field_yaw) != 0 && !cursor.number(input.yaw)) return false;
  if ((mask & field_pitch) != 0 && !cursor.number(input.pitch)) return false;
  if ((mask & field_held) != 0 && !cursor.number(input.held)) return false;
  if (!in_quarter_turn(input.pitch)) return false;
  if (input.right == -128 || input.up == -128 || input.forward == -128) return false;
  if ((mask & field_view) != 0 && !cursor.number(input.view_age)) return false;
  return (mask & field_samples) == 0 || walk_samples(cursor, input.samples);
}

bool write_own(ByteWriter& writer, const InputLayout& layout, const OwnInput& own,
               const OwnInput& newer) {
  std::array<std::byte, InputLayout::encoded_bytes_max> room;
  BitWriter bits(room);
  layout.write(bits, own, newer);
  return writer.copy(std::span(room).first(bits.finish()));
}

/// `own` holds the newer input's values.
bool read_own(ByteReader& reader, const InputLayout& layout, OwnInput& own) {
  if (layout.empty()) return false;
  std::span<const std::byte> bytes;
  ByteReader peek = reader;
  peek.view(bytes, peek.remaining());
  BitReader bits(bytes);
  return layout.read(bits, own) && reader.view(bytes, bits.bytes());
}

// `walk_input` reads the mask itself; the value passed to it is overwritten.
bool read_input(ByteReader& reader, const InputLayout& layout, PlayerInput& input) {
  std::uint8_t mask = 0;
  ByteReader peek = reader;
  return peek.number(mask) && walk_input(reader, mask, input) &&
         ((mask & field_own) == 0 || read_own(reader, layout, input.own));
}

bool write_input(ByteWriter& writer, const InputLayout& layout, const PlayerInput& input,
                 const PlayerInput& newer) {
  const std::uint8_t mask = changed_fields(input, newer);
  return walk_input(writer, mask, input) &&
         ((mask & field_own) == 0 || write_own(writer, layout, input.own, newer.own));
}

constexpr auto kind_byte(ClientFrame kind) { return static_cast<std::uint8_t>(kind); }

template <class Cursor, class Frame>
bool walk_head(Cursor& cursor, Frame& frame) {
  return walk_constant(cursor, kind_byte(ClientFrame::Control)) &&
         cursor.number(frame.reset_epoch) && walk_shared(cursor, frame.techniques) &&
         cursor.number(frame.view_sixteenths) && cursor.number(frame.claimed_parent) &&
         cursor.vec3(frame.claimed_position);
}

template <class Cursor, class Frame>
bool walk_acknowledge(Cursor& cursor, Frame& frame) {
  return walk_constant(cursor, kind_byte(ClientFrame::Acknowledge)) &&
         cursor.number(frame.stream_epoch) && cursor.number(frame.events.next.value) &&
         cursor.number(frame.events.bits) && cursor.tick(frame.newest_block) &&
         cursor.number(frame.complete.bits);
}

}  // namespace

std::span<const std::byte> write_control(const ControlFrame& frame, std::span<std::byte> out,
                                         const InputLayout& own) {
  PERIGEE_ASSERT(!frame.inputs.empty(), "a control frame must have at least one input (K27)");
  ByteWriter writer(out);
  if (!walk_head(writer, frame) || !writer.tick(frame.inputs[0].tick)) return {};
  const std::size_t count_at = writer.size();
  std::uint8_t count = 0;
  if (!writer.number(count)) return {};
  PlayerInput newer;
  for (const PlayerInput& input : frame.inputs) {
    const std::size_t before_input = writer.size();
    const bool fits = write_input(writer, own, input, newer);
    if (!fits || (count > 0 && writer.size() - count_at > ControlFrame::inputs_bytes_max)) {
      writer.rewind(before_input);
      break;
    }
    newer = input;
    ++count;
  }
  if (count == 0) return {};
  writer.patch(count_at, count);
  return writer.written();
}

std::size_t inputs_in(std::span<const std::byte> control) {
  ByteReader reader(control);
  ControlFrame frame;
  Tick newest;
  std::uint8_t count = 0;
  const bool ok = walk_head(reader, frame) && reader.tick(newest) && reader.number(count);
  return ok ? count : 0;
}

bool read_control(std::span<const std::byte> bytes, ControlFrame& frame, const InputLayout& own) {
  ByteReader reader(bytes);
  std::uint8_t count = 0;
  Tick newest;
  if (!walk_head(reader, frame) || !reader.tick(newest) || !reader.number(count) || count == 0 ||
      count > ControlFrame::inputs_max) {
    return false;
  }
  frame.inputs.clear();
  PlayerInput input;
  for (int i = 0; i < count; ++i) {
    input.samples.clear();  // edges happen once: never copied from the newer input
    if (!read_input(reader, own, input)) return false;
    input.tick = newest - i;
    frame.inputs.push_back(input);
  }
  return reader.at_end();
}

std::span<const std::byte> write_acknowledge(const AcknowledgeFrame& frame,
                                             std::span<std::byte> out) {
  ByteWriter writer(out);
  return walk_acknowledge(writer, frame) ? writer.written() : std::span<const std::byte>{};
}

bool read_acknowledge(std::span<const std::byte> bytes, AcknowledgeFrame& frame) {
  ByteReader reader(bytes);
  return walk_acknowledge(reader, frame) && reader.at_end();
}

std::optional<ClientFrame> client_frame_kind(std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto kind = static_cast<std::uint8_t>(bytes[0]);
  if (kind == 0 || kind > kind_byte(ClientFrame::last)) return std::nullopt;
  return static_cast<ClientFrame>(kind);
}

}  // namespace perigee
