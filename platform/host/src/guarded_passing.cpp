// Decides when a connection's bytes pass to gRPC, so that the limits hold. Closed connections that
// gRPC has not cleaned up yet count, too.
#include <sys/epoll.h>
#include <sys/socket.h>

#include "guarded_listener_impl.hpp"

namespace perigee::host {

bool GuardedListener::Impl::may_pass(const GuardedConnection& connection) const {
  if (connection.server() >= 0 && connection.calls_kept() == 0) return true;
  std::size_t connected = clearing.size();
  std::uint32_t calls = connection.calls_kept();
  for (const auto& far_end : clearing) calls += far_end.calls;
  for (const auto& [id, other] : connections) {
    connected += other.server() >= 0 ? 1U : 0U;
    calls += other.calls_passed();
  }
  if (calls > limits.calls_max) return false;
  return connection.server() >= 0 || connected < limits.connections_max;
}

void GuardedListener::Impl::pass(GuardedConnection& connection) {
  if (!may_pass(connection)) {
    waiting.insert(connection.id());
    return follow(connection);
  }
  waiting.erase(connection.id());
  const bool given = connection.server() >= 0 || give_to_server(connection);
  if (!given || connection.to_server().over) return close(connection.id());
  follow(connection);
}

/// Connections of the source with the fewest calls pass first, so that one source's many
/// connections delay only each other.
void GuardedListener::Impl::pass_waiting() {
  std::erase_if(clearing, [](const auto& far_end) { return !far_end.open(); });
  if (waiting.empty()) return;
  const auto members = crowd();
  for (const std::uint64_t id : lightest_first(members, waiting)) {
    const auto found = connections.find(id);
    if (found != connections.end()) pass(found->second);
  }
}

void GuardedListener::Impl::close(std::uint64_t id) {
  const auto found = connections.find(id);
  if (found->second.server() >= 0) clearing.push_back(found->second.far_end());
  waiting.erase(id);
  connections.erase(found);
}

/// False: no descriptors are left, or the process is stopping.
bool GuardedListener::Impl::give_to_server(GuardedConnection& connection) {
  int pair[2];
  if (!listener.open() ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
    return false;
  }
  for (const int end : pair)
    setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kernel_bytes_max, sizeof kernel_bytes_max);
  connection.set_server(Descriptor(pair[0]), pair[1]);
  hand_over(pair[1], connection.caller());
  return true;
}

std::vector<CrowdMember> GuardedListener::Impl::crowd() const {
  std::vector<CrowdMember> members;
  members.reserve(connections.size());
  for (const auto& [id, connection] : connections) {
    members.push_back({id, connection.source(), connection.guard().calls()});
  }
  return members;
}

void GuardedListener::Impl::close_crowded(std::optional<std::uint64_t> chosen) {
  if (!chosen) return;
  count(GrpcBreach::Crowded);
  close(*chosen);
}

}  // namespace perigee::host
