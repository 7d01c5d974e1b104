#include "perigee/host/caller.hpp"

#include <grpcpp/grpcpp.h>

#include <vector>

#include "perigee/base/address.hpp"

namespace perigee::host {
namespace {

std::string wanted(const CallRights& rights) {
  std::string out;
  const auto add = [&](const std::string& who) { out += (out.empty() ? "" : " or ") + who; };
  if (rights.members) add("a member");
  if (rights.gateways) add("a gateway");
  if (rights.operators) {
    add("an operator with the scope " +
        std::string(scope_names[static_cast<std::size_t>(*rights.operators)]));
  }
  return out;
}

std::string described(const PeerIdentity& identity) {
  std::string out(peer_role_names[static_cast<std::size_t>(identity.role)]);
  out += " " + identity.name;
  if (identity.role == PeerRole::Operator) out += ", scope " + scope_list(identity.scopes);
  return out;
}

}  // namespace

std::string to_string(const Caller& caller) {
  const std::string address = to_string(caller.address);
  return caller.proven ? described(caller.identity) + " (" + address + ")" : address;
}

bool allows(const CallRights& rights, const PeerIdentity& identity) {
  switch (identity.role) {
    case PeerRole::Member:
      return rights.members;
    case PeerRole::Gateway:
      return rights.gateways;
    case PeerRole::Operator:
      return rights.operators && identity.scopes.has(*rights.operators);
  }
  return false;
}

grpc::Status may_call(std::string_view peer, const CallRights& rights) {
  const auto caller = caller_of(peer);
  if (!caller) return {grpc::StatusCode::PERMISSION_DENIED, "the caller is not known"};
  if (!caller->proven || allows(rights, caller->identity)) return grpc::Status::OK;
  return {grpc::StatusCode::PERMISSION_DENIED, "your certificate is that of " +
                                                   described(caller->identity) + "; this is for " +
                                                   wanted(rights)};
}

}  // namespace perigee::host
