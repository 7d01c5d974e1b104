/// The rights of operators, of people as well as of programs.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"

namespace perigee {

/// The rights of an operator. Every scope includes Read.
enum class Scope : std::uint8_t {
  Read,     ///< lists, status, observations of workers
  Players,  ///< kick, ban, invite, record, techniques
  Map,      ///< regions, workers, rooms, world time
  last = Map
};
inline constexpr std::array<std::string_view, 3> scope_names = {"read", "players", "map"};

class Scopes {
 public:
  constexpr Scopes() = default;
  constexpr Scopes(std::initializer_list<Scope> scopes) {
    for (const Scope each : scopes) add(each);
  }
  constexpr void add(Scope scope) { bits_ |= bit(scope); }
  constexpr void add(const Scopes& more) { bits_ |= more.bits_; }
  constexpr bool has(Scope scope) const { return (bits_ & bit(scope)) != 0; }
  static constexpr Scopes all() { return {Scope::Read, Scope::Players, Scope::Map}; }
  bool operator==(const Scopes&) const = default;

 private:
  static constexpr std::uint8_t bit(Scope scope) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
  }
  std::uint8_t bits_ = 0;
};
/// "read", "players,map", "all".
std::string scope_list(const Scopes& scopes);
/// Names separated by commas, or "all". Read is part of every scope.
Result<Scopes> scopes_of(std::string_view text);

}  // namespace perigee
