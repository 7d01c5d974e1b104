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

/// The source with most connections pays, with its oldest. An attacker with one address displaces
/// nobody else; one with many has to be faster than players' log-ins take. None: nobody is here.
std::optional<std::uint64_t> most_connected(std::span<const CrowdMember> members);
/// The same of open calls: the source with most calls pays, with its connection that has most.
std::optional<std::uint64_t> most_calling(std::span<const CrowdMember> members);
/// Those of `members` that are `wanted`: whose source has fewest calls first, then the oldest.
std::vector<std::uint64_t> lightest_first(std::span<const CrowdMember> members,
                                          const std::set<std::uint64_t>& wanted);

}  // namespace perigee::host
