#include "perigee/base/telemetry.hpp"

#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

constexpr std::uint16_t permille_max = 1000;

template <class Cursor, class Sizes>
bool walk_sizes(Cursor& cursor, Sizes& sizes) {
  return walk_counted<std::uint8_t>(cursor, sizes, Telemetry::sizes_max,
                                    [&](auto& size_mm) { return cursor.number(size_mm); });
}

template <class Cursor, class T>
bool walk(Cursor& cursor, T& t) {
  if (!(walk_constant(cursor, telemetry_frame_kind) && cursor.number(t.interval_ms) &&
        cursor.number(t.rtt_us) && cursor.number(t.full_loop_rtt_us) &&
        cursor.number(t.jitter_us) && cursor.number(t.loss_permille) && cursor.number(t.lead_us))) {
    return false;
  }
  for (auto& count : t.corrections) {
    if (!cursor.number(count)) return false;
  }
  return walk_sizes(cursor, t.correction_sizes_mm) && cursor.number(t.extrapolations) &&
         cursor.number(t.frames_animated) && cursor.number(t.bytes_received) &&
         cursor.number(t.sample_interval_us) && cursor.number(t.send_wait_us) &&
         cursor.number(t.publish_wait_us) && cursor.number(t.view_delay_us) &&
         cursor.number(t.input_to_display_us);
}

}  // namespace

std::span<const std::byte> write_telemetry(const Telemetry& telemetry, std::span<std::byte> out) {
  ByteWriter writer(out);
  if (!walk(writer, telemetry)) return {};
  return writer.written();
}

std::optional<Telemetry> read_telemetry(std::span<const std::byte> bytes) {
  const auto telemetry = read_whole<Telemetry>(bytes, walk<ByteReader, Telemetry>);
  return telemetry && telemetry->loss_permille <= permille_max ? telemetry : std::nullopt;
}

}  // namespace perigee
