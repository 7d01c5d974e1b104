#include "player_name.hpp"

#include <cstdint>

#include "perigee/transport/user_data.hpp"

namespace perigee::session {
namespace {

/// Bytes of the sequence that `lead` begins; 0 if it begins none.
std::size_t sequence_bytes(std::uint32_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

/// The code point at the front, which is taken off; none of the valid ones if malformed (RFC 3629).
constexpr std::uint32_t malformed = 0xffffffff;
std::uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const std::size_t size = sequence_bytes(byte(0));
  if (size == 0 || size > text.size()) return malformed;
  std::uint32_t point = size == 1 ? byte(0) : byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return malformed;
    point = point << 6 | (byte(i) & 0x3fU);
  }
  text.remove_prefix(size);
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return point < least[size] || surrogate || point > 0x10ffff ? malformed : point;
}

}  // namespace

bool is_player_name(std::string_view text) {
  if (text.empty() || text.size() > transport::player_name_bytes_max) return false;
  while (!text.empty()) {
    const std::uint32_t point = take_code_point(text);
    if (point == malformed || point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
  }
  return true;
}

}  // namespace perigee::session
