/// The game's state of one entity besides its motion, as the wire carries it; opaque here. Empty
/// while the entity is in its initial state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/ring.hpp"

namespace perigee {

inline constexpr std::size_t game_bytes_max = 264;  ///< 256 of fields, 8 of presence bits
using GameBytes = FixedVector<std::byte, game_bytes_max>;

inline std::span<const std::byte> view_of(const GameBytes& bytes) {
  return {bytes.begin(), bytes.size()};
}

template <class Cursor, class Bytes>
  requires std::same_as<std::remove_const_t<Bytes>, GameBytes>
bool walk(Cursor& cursor, Bytes& bytes) {
  auto size = static_cast<std::uint16_t>(bytes.size());
  if (!cursor.number(size) || size > game_bytes_max) return false;
  if constexpr (Cursor::reading) bytes.resize(size);
  return cursor.copy({bytes.begin(), bytes.size()});
}

}  // namespace perigee
