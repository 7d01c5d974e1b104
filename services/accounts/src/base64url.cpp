#include "base64url.hpp"

#include <cstdint>

namespace perigee::accounts {
namespace {

constexpr std::uint32_t no_digit = 64;

std::uint32_t digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
  if (c == '-') return 62;
  return c == '_' ? 63 : no_digit;
}

}  // namespace

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  std::uint32_t bits = 0;
  for (const char c : text) {
    const std::uint32_t digit = digit_of(c);
    if (digit == no_digit) return std::nullopt;
    pending = pending << 6U | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(pending >> bits & 0xffU);
    pending &= (1U << bits) - 1;
  }
  if (pending != 0) return std::nullopt;
  return bytes;
}

}  // namespace perigee::accounts
