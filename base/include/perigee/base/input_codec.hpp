/// Encoding of inputs and of a worker's input timeline, for files and for other workers. Clients
/// pack their inputs tighter (wire_client.hpp).
#pragma once

#include <array>

#include "perigee/base/bytes.hpp"
#include "perigee/base/input_timeline.hpp"
#include "perigee/base/walk.hpp"

namespace perigee {

/// The bytes of the game's fields that are not at their defaults.
template <class Cursor, class Own>
bool walk_own(Cursor& cursor, Own& own) {
  std::uint16_t there = 0;
  if constexpr (!Cursor::reading) {
    for (std::size_t i = 0; i < own.changed.size(); ++i) {
      there |= static_cast<std::uint16_t>((own.changed[i] != std::byte{} ? 1U : 0U) << i);
    }
  }
  if (!cursor.number(there)) return false;
  for (std::size_t i = 0; i < own.changed.size(); ++i) {
    if ((there >> i & 1) != 0 && !cursor.copy(std::span(own.changed).subspan(i, 1))) return false;
  }
  return true;
}

/// The samples, and the game's fields, which take no byte while they are at their defaults.
template <class Cursor, class I>
bool walk_samples_and_own(Cursor& cursor, I& input) {
  constexpr std::uint8_t own_follows = 0x80, count_bits = 0x7f;
  auto head =
      static_cast<std::uint8_t>(input.samples.size() | (input.own.unset() ? 0U : own_follows));
  if (!cursor.number(head)) return false;
  const std::size_t count = head & count_bits;
  if (count > PlayerInput::sub_samples_max) return false;
  if constexpr (Cursor::reading) {
    input.samples.resize(count);
    input.own = {};
  }
  for (auto& one : input.samples) {
    const bool ok = cursor.number(one.offset) && cursor.number(one.pressed) &&
                    cursor.enumerator(one.action, ActionKind::last) && cursor.number(one.target);
    if (!ok) return false;
  }
  return (head & own_follows) == 0 || walk_own(cursor, input.own);
}

template <class Cursor, class I>
bool walk_input(Cursor& cursor, I& input) {
  return cursor.tick(input.tick) && cursor.number(input.right) && cursor.number(input.up) &&
         cursor.number(input.forward) && cursor.number(input.yaw) && cursor.number(input.pitch) &&
         cursor.number(input.held) && cursor.number(input.view_age) &&
         walk_samples_and_own(cursor, input);
}

/// Everything that decides how inputs from `next` on, and late inputs, are handled. Settings are
/// not included: they are the same in the whole cluster.
template <class Cursor, class T>
bool InputTimeline::walk(Cursor& cursor, T& timeline, Tick next) {
  const Tick from = next - sent_ticks;
  const Tick to = next + (coming_ticks - 1);
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
  const auto names = [&](auto& list) { return walk_list(cursor, list, name); };
  auto& t = timeline;
  if constexpr (Cursor::reading) t.newest_taken_ = next - 1;
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
         walk_list(cursor, t.kept_, kept) &&
         walk_ring(cursor, t.kept_names_, next - 31, next, names);
}

/// Encodes the waiting inputs and the `back` ticks before them, from which guesses are made. For
/// the `older` ticks before those, which a client may repeat, encodes only whether their input was
/// applied.
template <class Cursor, class T>
bool InputTimeline::walk_open(Cursor& cursor, T& timeline, Tick next) {
  constexpr std::int32_t back = 8;
  constexpr std::int32_t places = 128;
  constexpr std::int32_t older = 8;  // together with `back`: more than a window
  auto& t = timeline;
  std::array<std::uint64_t, places / 64> there{};
  const auto word = [&](std::int32_t i) -> std::uint64_t& {
    return there[static_cast<std::size_t>(i / 64)];
  };
  const auto bit = [](std::int32_t i) { return std::uint64_t{1} << i % 64; };
  std::uint8_t applied = 0;
  if constexpr (!Cursor::reading) {
    for (std::int32_t i = 0; i < places; ++i) {
      const Slot* slot = t.slots_.find(next + (i - back));
      if (slot != nullptr && (slot->real || i < back)) word(i) |= bit(i);
    }
    for (std::int32_t i = 0; i < older; ++i) {
      const Slot* slot = t.slots_.find(next - (back + 1 + i));
      if (slot != nullptr && slot->real) applied |= static_cast<std::uint8_t>(1U << i);
    }
  } else {
    t.slots_.clear();
  }
  bool ok = cursor.number(t.window_ticks_) &&
            cursor.enumerator(t.techniques_.timeline, perigee::Timeline::last) &&
            cursor.flag(t.techniques_.rollback) && cursor.flag(t.techniques_.relative_prediction) &&
            walk_tick(cursor, t.last_applied_) && cursor.tick(t.last_applied_at_) &&
            cursor.number(t.delay_ticks_) && cursor.number(t.pushes_) && cursor.flag(t.anchored_) &&
            cursor.number(t.missed_ticks_) && walk_tick(cursor, t.newest_) &&
            cursor.tick(t.trouble_) && cursor.number(t.earliest_) && cursor.number(t.latest_) &&
            walk_tick(cursor, t.names_from_) && cursor.number(there[0]) && cursor.number(applied);
  std::uint8_t far_ahead = there[1] != 0;  // inputs more than 55 ticks ahead
  ok = ok && cursor.flag(far_ahead) && (far_ahead == 0 || cursor.number(there[1]));
  for (std::int32_t i = 0; ok && i < places; ++i) {
    if ((word(i) & bit(i)) == 0) continue;
    if constexpr (Cursor::reading) {
      Slot& slot = t.slots_.claim(next + (i - back));
      ok = walk_input(cursor, slot.input) && cursor.flag(slot.real);
      slot.used = i < back;
    } else {
      const Slot& slot = *t.slots_.find(next + (i - back));
      ok = walk_input(cursor, slot.input) && cursor.flag(slot.real);
    }
  }
  if constexpr (Cursor::reading) {
    t.first_ = t.final_from_ = next;
    t.newest_taken_ = next - 1;
    for (std::int32_t i = 0; i < older; ++i) {
      if ((applied >> i & 1) != 0) t.spent_.claim(next - (back + 1 + i) - t.delay_ticks_) = 1;
    }
  }
  return ok;
}

}  // namespace perigee
