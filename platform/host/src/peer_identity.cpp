#include "perigee/host/peer_identity.hpp"

#include <algorithm>
#include <optional>

namespace perigee::host {
namespace {

constexpr std::string_view role_prefix = "perigee:role:";
constexpr std::string_view scope_prefix = "perigee:scope:";
constexpr std::size_t name_bytes_max = 64;

template <class Value, std::size_t Count>
std::optional<Value> named(const std::array<std::string_view, Count>& names,
                           std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

std::string printable(std::string_view text) {
  std::string out(text.substr(0, name_bytes_max));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

}  // namespace

Result<PeerIdentity> identity_from(std::string_view common_name,
                                   std::span<const std::string> uris) {
  PeerIdentity out{.name = printable(common_name)};
  std::optional<PeerRole> role;
  bool scoped = false;
  for (const std::string_view uri : uris) {
    if (!uri.starts_with("perigee:")) continue;
    if (uri.starts_with(role_prefix)) {
      if (role) return Error{"has two roles"};
      role = named<PeerRole>(peer_role_names, uri.substr(role_prefix.size()));
      if (!role) return Error{"has an unknown role: " + printable(uri)};
    } else if (uri.starts_with(scope_prefix)) {
      const auto scopes = scopes_of(uri.substr(scope_prefix.size()));
      if (!scopes) return Error{"has an unknown scope: " + printable(uri)};
      out.scopes.add(*scopes);
      scoped = true;
    } else {
      return Error{"has an unknown name: " + printable(uri)};
    }
  }
  if (!role) return Error{"has no role: no subject alternative name URI:perigee:role:…"};
  if (scoped != (*role == PeerRole::Operator)) {
    return Error{scoped ? "has scopes without being an operator's"
                        : "is an operator's and has no scope"};
  }
  out.role = *role;
  return out;
}

}  // namespace perigee::host
