/// Walks over compound values: constants, views, lists, optional values, and a ring's values over a
/// range of ticks. Both directions, like all walks (bytes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "perigee/base/tick.hpp"

namespace perigee {

/// A number that has only one value, such as a kind or a magic.
template <class Cursor, class Number>
bool walk_constant(Cursor& cursor, Number value) {
  const Number only = value;
  return cursor.number(value) && value == only;
}
/// All bytes that follow. A reader's view is valid as long as its packet.
template <class Cursor, class View>
bool walk_rest(Cursor& cursor, View& bytes) {
  if constexpr (Cursor::reading) {
    return cursor.view(bytes, cursor.remaining());
  } else {
    return cursor.copy(bytes);
  }
}
/// A size and that many bytes, as a view.
template <class Size, class Cursor, class View>
bool walk_sized(Cursor& cursor, View& bytes) {
  if (bytes.size() > std::numeric_limits<Size>::max()) return false;
  auto size = static_cast<Size>(bytes.size());
  if (!cursor.number(size)) return false;
  if constexpr (Cursor::reading) {
    return cursor.view(bytes, size);
  } else {
    return cursor.copy(bytes);
  }
}

/// A count and that many items; more than `most` is refused.
template <class Count, class Cursor, class Items, class Walk>
bool walk_counted(Cursor& cursor, Items& items, std::size_t most, Walk&& walk_item) {
  auto count = static_cast<Count>(items.size());
  if (!cursor.number(count) || count > most) return false;
  if constexpr (Cursor::reading) items.resize(count);
  for (auto& item : items) {
    if (!walk_item(item)) return false;
  }
  return true;
}
/// The same for large items: each is added when it is read, so a wrong count allocates no memory.
template <class Count, class Cursor, class Items, class Walk>
bool walk_one_by_one(Cursor& cursor, Items& items, std::size_t most, Walk&& walk_item) {
  auto count = static_cast<Count>(items.size());
  if (!cursor.number(count) || count > most) return false;
  if constexpr (Cursor::reading) {
    for (; count > 0; --count) {
      if (!walk_item(items.emplace_back())) return false;
    }
  } else {
    for (auto& item : items) {
      if (!walk_item(item)) return false;
    }
  }
  return true;
}
/// A field without a meaning: written as zero, and refused if it is anything else.
template <class Number, class Cursor>
bool walk_zero(Cursor& cursor) {
  Number zero{};
  return cursor.number(zero) && zero == 0;
}
/// For a list with a capacity below 256.
template <class Cursor, class List, class Walk>
bool walk_list(Cursor& cursor, List& list, Walk&& walk_item) {
  return walk_counted<std::uint8_t>(cursor, list, list.capacity(), walk_item);
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

/// A ring's values of the ticks from `from` to `to`, both included.
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

}  // namespace perigee
