#include "perigee/host/guarded_listener.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <string>

#include "descriptor_limit.hpp"
#include "guarded_listener_impl.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/host/loop.hpp"
#include "socket_address.hpp"

namespace perigee::host {
namespace {

constexpr int backlog_max = 512;
constexpr int accepts_at_once_max = 16;  // existing connections get their turn in between
constexpr int events_at_once_max = 64;
constexpr Micros look_period_us = 250'000;  // checks of time limits
constexpr int clearing_period_ms = 5;       // while gRPC cleans up closed connections

void set_option(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

Result<Descriptor> listening_on(const Address& local) {
  const SocketAddress name = to_socket_address(local);
  Descriptor listener(socket(name.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  set_option(listener.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  set_option(listener.get(), SOL_SOCKET, SO_RCVBUF, kernel_bytes_max);  // connections inherit it
  if (bind(listener.get(), name.get(), name.size) != 0 ||
      listen(listener.get(), backlog_max) != 0) {
    return Error{std::string(std::strerror(errno))};
  }
  return listener;
}

}  // namespace

GuardedListener::Impl::Impl(Descriptor on, const GrpcLimits& wanted, const TlsServer* encrypted)
    : limits(wanted),
      tls(encrypted),
      listener(std::move(on)),
      epoll(epoll_create1(EPOLL_CLOEXEC)),
      waker(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  PERIGEE_ASSERT(epoll.open() && waker.open(), "out of file descriptors at start");
}

void GuardedListener::Impl::count(GrpcBreach why) {
  const std::lock_guard lock(mutex);
  breaches.add(why);
}

void GuardedListener::Impl::set_epoll(int what, int descriptor, std::uint32_t events,
                                      std::uint64_t key) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = key;
  epoll_ctl(epoll.get(), what, descriptor, &event);
}

void GuardedListener::Impl::run() {
  set_epoll(EPOLL_CTL_ADD, listener.get(), EPOLLIN, key_of(of_listener));
  set_epoll(EPOLL_CTL_ADD, waker.get(), EPOLLIN, key_of(of_waker));
  std::array<epoll_event, events_at_once_max> events{};
  for (;;) {
    const int timeout_ms =
        clearing.empty() ? static_cast<int>(look_period_us / 1'000) : clearing_period_ms;
    const int count = epoll_wait(epoll.get(), events.data(), events_at_once_max, timeout_ms);
    for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)]);
    close_late(Loop::clock_us());
    pass_waiting();
    take_orders();
    const std::lock_guard lock(mutex);
    connections_counted = connections.size() + clearing.size();
    if (stopping) return;
  }
}

void GuardedListener::Impl::take_orders() {
  {
    const std::lock_guard lock(mutex);
    if (accepting || !listener.open()) return;
  }
  listener = Descriptor();
  accepts_no_more.count_down();
}

void GuardedListener::Impl::on_event(const epoll_event& event) {
  const auto side = static_cast<Side>(event.data.u64 % sides);
  if (side == of_listener) return accept_some();
  if (side == of_waker) {
    std::uint64_t woken = 0;
    (void)!read(waker.get(), &woken, sizeof woken);
    return;
  }
  const auto found = connections.find(event.data.u64 / sides);
  if (found == connections.end()) return;  // closed within this turn
  GuardedConnection& connection = found->second;
  const Micros now_us = Loop::clock_us();
  const std::uint32_t calls_before = connection.guard().calls();
  GuardedConnection::Moved moved;
  if ((event.events & EPOLLOUT) != 0) {
    moved = side == of_client ? connection.to_client() : connection.to_server();
  }
  // Errors and hang-ups show on the next read.
  if (!moved.over && (event.events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) {
    moved = side == of_client ? connection.from_client(now_us, room)
                              : connection.from_server(now_us, room);
  }
  const bool more_calls = connection.guard().calls() > calls_before;
  settle(connection, moved);
  if (!more_calls) return;
  const auto members = crowd();
  const auto add = [](std::uint32_t sum, const CrowdMember& member) { return sum + member.calls; };
  if (std::accumulate(members.begin(), members.end(), 0U, add) > limits.calls_max) {
    close_crowded(most_calling(members));
  }
}

void GuardedListener::Impl::settle(GuardedConnection& connection,
                                   const GuardedConnection::Moved& moved) {
  if (moved.breach) count(*moved.breach);
  if (moved.breach || moved.over) return close(connection.id());
  if (connection.wants_server()) return pass(connection);
  follow(connection);
}

void GuardedListener::Impl::follow(GuardedConnection& connection) {
  follow_end(connection.client(), connection.client_watched, connection.client_events(),
             key_of(of_client, connection.id()));
  if (connection.server() < 0) return;
  follow_end(connection.server(), connection.server_watched, connection.server_events(),
             key_of(of_server, connection.id()));
}

/// Calls epoll only on changes. An end without wanted events is removed: epoll would report its
/// hang-up again and again.
void GuardedListener::Impl::follow_end(int descriptor, std::uint32_t& sent, std::uint32_t events,
                                       std::uint64_t key) {
  if (sent == events) return;
  const int what = sent == 0 ? EPOLL_CTL_ADD : events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
  sent = events;
  set_epoll(what, descriptor, events, key);
}

void GuardedListener::Impl::accept_some() {
  for (int i = 0; i < accepts_at_once_max; ++i) {
    SocketAddress from;
    from.size = sizeof from.storage;
    Descriptor client(
        accept4(listener.get(), from.get(), &from.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client.open()) {
      // No descriptor is left: close a connection so that the next one can be accepted later.
      if (errno == EMFILE || errno == ENFILE) close_crowded(most_connected(crowd()));
      return;
    }
    set_option(client.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    admit(std::move(client), from_socket_address(from.get()));
  }
}

void GuardedListener::Impl::admit(Descriptor client, const Address& from) {
  const std::uint64_t id = ++made;
  const auto added =
      connections.try_emplace(id, id, std::move(client), from, limits, Loop::clock_us(),
                              tls == nullptr ? nullptr : tls->begin());
  follow(added.first->second);
  if (connections.size() > limits.connections_max) close_crowded(most_connected(crowd()));
}

/// A certificate that is revoked while its owner is connected.
void GuardedListener::Impl::close_revoked() {
  if (tls == nullptr) return;
  const std::uint64_t generation = tls->generation();
  if (std::exchange(tls_generation, generation) == generation) return;
  for (auto it = connections.begin(); it != connections.end();) {
    auto& [id, connection] = *it++;
    if (!connection.revoked(*tls)) continue;
    count(GrpcBreach::Revoked);
    close(id);
  }
}

void GuardedListener::Impl::close_late(Micros now_us) {
  if (now_us < next_look_us) return;
  next_look_us = now_us + look_period_us;
  close_revoked();
  for (auto it = connections.begin(); it != connections.end();) {
    auto& [id, connection] = *it++;
    if (const auto late = connection.late(now_us)) {
      count(*late);
      close(id);
    }
  }
}

Result<std::unique_ptr<GuardedListener>> GuardedListener::open(const Address& local,
                                                               const GrpcLimits& limits,
                                                               const TlsServer* tls) {
  reserve_descriptors(3 * limits.connections_max);  // the client's and both ends of a pair
  auto listener = listening_on(local);
  if (!listener) return listener.error();
  return std::unique_ptr<GuardedListener>(
      new GuardedListener(std::make_unique<Impl>(std::move(*listener), limits, tls)));
}

GuardedListener::GuardedListener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

void GuardedListener::start(HandOver hand_over) {
  impl_->hand_over = std::move(hand_over);
  impl_->thread = std::thread([this] { impl_->run(); });
}

void GuardedListener::stop_accepting() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->accepting = false;
  }
  eventfd_write(impl_->waker.get(), 1);
  impl_->accepts_no_more.wait();
}

GuardedListener::~GuardedListener() {
  if (!impl_->thread.joinable()) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  eventfd_write(impl_->waker.get(), 1);
  impl_->thread.join();
}

Counts<GrpcBreach> GuardedListener::breaches() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->breaches;
}

std::size_t GuardedListener::connections() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->connections_counted;
}

}  // namespace perigee::host
