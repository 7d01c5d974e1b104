/// Numbers that are small nearly always, with 7 bits in a byte, the lowest ones first. A byte has
/// its highest bit if another one follows. Each number has one spelling.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee {

inline constexpr int short_number_bits = 7;  ///< in a byte

constexpr std::size_t short_number_bytes(std::uint16_t number) {
  return 1U + (number >> short_number_bits != 0) + (number >> 2 * short_number_bits != 0);
}

/// Reading refuses what has no room in `number`, and a last byte of 0 behind others.
template <class Cursor>
bool walk_short_number(Cursor& cursor, std::uint16_t& number) {
  constexpr std::uint8_t more = 1 << short_number_bits;
  if constexpr (Cursor::reading) {
    std::uint32_t value = 0;
    for (int at = 0; at < 3 * short_number_bits; at += short_number_bits) {
      std::uint8_t byte = 0;
      if (!cursor.number(byte)) return false;
      value |= static_cast<std::uint32_t>(byte & (more - 1)) << at;
      if ((byte & more) != 0) continue;
      if (value > 0xffff || (byte == 0 && at > 0)) return false;
      number = static_cast<std::uint16_t>(value);
      return true;
    }
    return false;
  } else {
    std::uint16_t rest = number;
    for (; rest >= more; rest = static_cast<std::uint16_t>(rest >> short_number_bits)) {
      if (!cursor.number(static_cast<std::uint8_t>(rest | more))) return false;
    }
    return cursor.number(static_cast<std::uint8_t>(rest));
  }
}

}  // namespace perigee
