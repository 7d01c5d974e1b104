/// Which connection of a full port has to go. Plain decisions about plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "perigee/netcode/address.hpp"

namespace perigee::host {

struct CrowdMember {
  std::uint64_t id = 0;  ///< grows with every connection
  std::uint64_t source = 0;
  std::uint32_t calls = 0;
};

/// Connections of one customer count together: an IPv4 address, or the first 64 bits of an IPv6
/// one.
std::uint64_t source_of(const Address& client);

/// The oldest connection of the source that has most of them. An attacker with one address
/// displaces only its own connections; one with many addresses has to be faster than log-ins take.
/// None: there are no connections.
std::optional<std::uint64_t> most_connected(std::span<const CrowdMember> members);
/// Of the source with most open calls, the connection that has most of them.
std::optional<std::uint64_t> most_calling(std::span<const CrowdMember> members);
/// The `wanted` connections among `members`, those of the source with the fewest calls first, older
/// ones before newer ones.
std::vector<std::uint64_t> lightest_first(std::span<const CrowdMember> members,
                                          const std::set<std::uint64_t>& wanted);

}  // namespace perigee::host
