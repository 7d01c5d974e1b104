/// The caller of a gRPC call, and its rights.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "perigee/base/address.hpp"
#include "perigee/host/peer_identity.hpp"

namespace grpc {
class Status;
}

namespace perigee::host {

struct Caller {
  Address address;
  bool proven = false;    ///< the port asks for certificates
  PeerIdentity identity;  ///< if proven
};

/// From a call context's `peer`, valid during that call. None: `peer` is not a connection of a
/// GrpcServer of this process.
std::optional<Caller> caller_of(std::string_view peer);
/// For logs: "operator alice (10.0.0.7:51022)"; without a certificate only the address.
std::string to_string(const Caller& caller);

/// The callers that may make a call. At ports that ask for no certificates all may.
struct CallRights {
  bool members = false;
  bool gateways = false;
  std::optional<Scope> operators;  ///< with this scope
};
namespace rights {
inline constexpr CallRights members{.members = true};
inline constexpr CallRights gateways{.gateways = true};
inline constexpr CallRights cluster{.members = true, .gateways = true};
/// With operators that only read.
inline constexpr CallRights readers{.members = true, .gateways = true, .operators = Scope::Read};
inline constexpr CallRights operators_read{.operators = Scope::Read};
inline constexpr CallRights operators_players{.operators = Scope::Players};
inline constexpr CallRights operators_map{.operators = Scope::Map};
}  // namespace rights

bool allows(const CallRights& rights, const PeerIdentity& identity);
/// OK, or PERMISSION_DENIED with a sentence that names what is missing.
grpc::Status may_call(std::string_view peer, const CallRights& rights);

}  // namespace perigee::host
