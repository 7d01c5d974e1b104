/// The owner of a certificate, a process of the cluster or an operator, from subject alternative
/// names of the type URI. A certificate has one `perigee:role:…`, and an operator's also one or
/// more `perigee:scope:…`.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"
#include "perigee/base/scopes.hpp"

namespace perigee::host {

enum class PeerRole : std::uint8_t {
  Member,   ///< directory, session service, worker, rooms
  Gateway,  ///< has less rights than a member, because strangers reach it
  Operator,
  last = Operator
};
inline constexpr std::array<std::string_view, 3> peer_role_names = {"member", "gateway",
                                                                    "operator"};

struct PeerIdentity {
  std::string name;  ///< the certificate's common name, printable
  PeerRole role = PeerRole::Member;
  Scopes scopes;  ///< empty unless an operator
};

/// `uris`: all URIs of the certificate; those that do not begin with `perigee:` are ignored. The
/// error is a sentence about the certificate.
Result<PeerIdentity> identity_from(std::string_view common_name, std::span<const std::string> uris);

}  // namespace perigee::host
