/// Inputs, and what a worker keeps of a player's, as bytes: for files and for other workers. What
/// clients send is packed tighter (wire_client.hpp).
#pragma once

#include <optional>
#include <type_traits>

#include "perigee/netcode/bytes.hpp"
#include "perigee/netcode/input_timeline.hpp"

namespace perigee {

template <class Cursor, class I>
bool walk_input(Cursor& cursor, I& input) {
  auto count = static_cast<std::uint8_t>(input.samples.size());
  const bool ok =
      cursor.tick(input.tick) && cursor.number(input.right) && cursor.number(input.up) &&
      cursor.number(input.forward) && cursor.number(input.yaw) && cursor.number(input.pitch) &&
      cursor.number(input.held) && cursor.number(input.view_age) && cursor.number(count);
  if (!ok || count > PlayerInput::sub_samples_max) return false;
  if constexpr (Cursor::reading) input.samples.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto& sample = input.samples[i];
    if (!cursor.number(sample.offset) || !cursor.number(sample.pressed) ||
        !cursor.enumerator(sample.action, ActionKind::last) || !cursor.number(sample.target)) {
      return false;
    }
  }
  return true;
}

template <class Cursor, class T, class Walk>
bool walk_optional(Cursor& cursor, T& value, Walk&& walk_value) {
  std::uint8_t there = value.has_value();
  if (!cursor.flag(there)) return false;
  if constexpr (Cursor::reading) {
    value.reset();
    if (there != 0) value.emplace();
  }
  return there == 0 || walk_value(*value);
}
template <class Cursor, class T>
bool walk_tick(Cursor& cursor, T& value) {
  return walk_optional(cursor, value, [&](auto& tick) { return cursor.tick(tick); });
}

/// What a ring has of the ticks from `from` to `to`, both included.
template <class Cursor, class Ring, class Walk>
bool walk_ring(Cursor& cursor, Ring& ring, Tick from, Tick to, Walk&& walk_value) {
  if constexpr (Cursor::reading) ring.clear();
  for (Tick tick = from; not_after(tick, to); ++tick) {
    std::uint8_t there = 0;
    if constexpr (!Cursor::reading) there = ring.find(tick) != nullptr;
    if (!cursor.flag(there)) return false;
    if (there == 0) continue;
    if constexpr (Cursor::reading) {
      if (!walk_value(ring.claim(tick))) return false;
    } else {
      if (!walk_value(*ring.find(tick))) return false;
    }
  }
  return true;
}

template <class Cursor, class List, class Walk>
bool walk_fixed(Cursor& cursor, List& list, Walk&& walk_item) {
  auto count = static_cast<std::uint8_t>(list.size());
  if (!cursor.number(count) || count > list.capacity()) return false;
  if constexpr (Cursor::reading) list.resize(count);
  for (auto& item : list) {
    if (!walk_item(item)) return false;
  }
  return true;
}

/// All that decides what becomes of inputs from `next` on, and of those that come late. Settings
/// are the cluster's and stay.
template <class Cursor, class Timeline>
bool walk_timeline(Cursor& cursor, Timeline& timeline, Tick next) {
  return InputTimeline::walk(cursor, timeline, next);
}

template <class Cursor, class T>
bool InputTimeline::walk(Cursor& cursor, T& timeline, Tick next) {
  constexpr std::int32_t reach = ring_ticks / 2;  // guess() looks that far back
  const Tick from = next - reach;
  const Tick to = next + (reach - 1);
  const auto name = [&](auto& sample) {
    return cursor.tick(sample.target) && cursor.number(sample.index);
  };
  const auto slot = [&](auto& place) {
    return walk_input(cursor, place.input) && cursor.flag(place.real) && cursor.flag(place.used) &&
           cursor.number(place.kept) && place.kept <= place.input.samples.size();
  };
  const auto byte = [&](auto& value) { return cursor.number(value); };
  const auto kept = [&](auto& sample) {
    return cursor.number(sample.sample.offset) && cursor.number(sample.sample.pressed) &&
           cursor.enumerator(sample.sample.action, ActionKind::last) &&
           cursor.number(sample.sample.target) && name(sample.name) && cursor.tick(sample.due);
  };
  const auto names = [&](auto& list) { return walk_fixed(cursor, list, name); };
  auto& t = timeline;
  return cursor.number(t.window_ticks_) &&
         cursor.enumerator(t.techniques_.timeline, perigee::Timeline::last) &&
         cursor.flag(t.techniques_.rollback) && cursor.flag(t.techniques_.relative_prediction) &&
         walk_ring(cursor, t.slots_, from, to, slot) && walk_tick(cursor, t.last_applied_) &&
         cursor.tick(t.last_applied_at_) && walk_tick(cursor, t.first_) &&
         walk_ring(cursor, t.came_too_late_, from, to, byte) && cursor.number(t.delay_ticks_) &&
         cursor.number(t.pushes_) && cursor.flag(t.anchored_) && cursor.number(t.missed_ticks_) &&
         walk_tick(cursor, t.newest_) && cursor.tick(t.trouble_) && cursor.number(t.earliest_) &&
         cursor.number(t.latest_) && walk_tick(cursor, t.names_from_) &&
         walk_tick(cursor, t.final_from_) && walk_ring(cursor, t.spent_, from, to, byte) &&
         walk_fixed(cursor, t.kept_, kept) &&
         walk_ring(cursor, t.kept_names_, next - 31, next, names);
}

}  // namespace perigee
