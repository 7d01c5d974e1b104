/// Chooses which connection a full port closes. Pure functions of plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "perigee/base/address.hpp"

namespace perigee::host {

struct CrowdMember {
  std::uint64_t id = 0;  ///< increases with every connection
  std::uint64_t source = 0;
  std::uint32_t calls = 0;
};

/// Key of a customer's connections, which count together: an IPv4 address, or the first 64 bits of
/// an IPv6 address.
std::uint64_t source_of(const Address& client);

/// The oldest connection of the source with the most connections. An attacker with one address
/// displaces only its own connections; with many addresses it must be faster than log-ins take.
/// None: there are no connections.
std::optional<std::uint64_t> most_connected(std::span<const CrowdMember> members);
/// The connection with the most open calls, of the source with the most open calls.
std::optional<std::uint64_t> most_calling(std::span<const CrowdMember> members);
/// The `wanted` connections among `members`, ordered by their source's number of calls (fewest
/// first), then oldest first.
std::vector<std::uint64_t> lightest_first(std::span<const CrowdMember> members,
                                          const std::set<std::uint64_t>& wanted);

}  // namespace perigee::host
