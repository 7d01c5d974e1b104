/// The player behind a session, as the issuer of its token names it.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "perigee/base/bytes.hpp"
#include "perigee/base/ring.hpp"

namespace perigee {

inline constexpr std::size_t player_name_bytes_max = 32;
inline constexpr std::size_t player_claims_bytes_max = 128;
using PlayerName = FixedVector<char, player_name_bytes_max>;      ///< UTF-8
using PlayerClaims = FixedVector<char, player_claims_bytes_max>;  ///< a JSON object, or nothing

struct PlayerAccount {
  std::uint64_t player_id = 0;  ///< the same at every log-in; 0: the issuer did not set it
  PlayerName name;
  PlayerClaims claims;  ///< statements of the issuer for the game
  friend bool operator==(const PlayerAccount&, const PlayerAccount&) = default;
};

template <std::size_t Capacity>
std::string_view text_of(const FixedVector<char, Capacity>& text) {
  return {text.begin(), text.size()};
}

/// A byte with the length, then the text.
template <class Cursor, class Text>
  requires std::same_as<std::remove_const_t<Text>, FixedVector<char, Text::capacity()>>
bool walk_text(Cursor& cursor, Text& text) {
  static_assert(Text::capacity() < 256);
  auto size = static_cast<std::uint8_t>(text.size());
  if (!cursor.number(size) || size > Text::capacity()) return false;
  if constexpr (Cursor::reading) {
    text.resize(size);
    return cursor.copy(std::as_writable_bytes(std::span(text.begin(), text.size())));
  } else {
    return cursor.copy(std::as_bytes(std::span(text.begin(), text.size())));
  }
}

template <class Cursor, class A>
  requires std::same_as<std::remove_const_t<A>, PlayerAccount>
bool walk(Cursor& cursor, A& account) {
  return cursor.number(account.player_id) && walk_text(cursor, account.name) &&
         walk_text(cursor, account.claims);
}

}  // namespace perigee
