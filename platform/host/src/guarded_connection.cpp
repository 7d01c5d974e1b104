#include "guarded_connection.hpp"

#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "perigee/host/connection_crowd.hpp"

namespace perigee::host {
namespace {

bool again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/// Sends as much as the kernel accepts; false if the other end is closed.
bool send_some(int to, std::span<const std::byte>& bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return again();
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Identifies a socket while it is open; 0: no open descriptor has that number.
std::uint64_t inode_of(int descriptor) {
  struct stat file{};
  return fstat(descriptor, &file) == 0 ? file.st_ino : 0;
}

constexpr GrpcBreach breach_of(TlsRefusal refusal) {
  return static_cast<GrpcBreach>(static_cast<unsigned>(GrpcBreach::NotTls) +
                                 static_cast<unsigned>(refusal));
}
static_assert(breach_of(TlsRefusal::NoRole) == GrpcBreach::last, "each call judges the role");

bool send_rest(int to, std::vector<std::byte>& rest) {
  std::span<const std::byte> left(rest);
  const bool there = send_some(to, left);
  rest.erase(rest.begin(), rest.end() - static_cast<std::ptrdiff_t>(left.size()));
  if (rest.empty()) std::vector<std::byte>().swap(rest);
  return there;
}

}  // namespace

GuardedConnection::GuardedConnection(std::uint64_t id, Descriptor client, const Address& from,
                                     const GrpcLimits& limits, Micros now_us,
                                     std::unique_ptr<TlsSession> tls)
    : id_(id),
      client_(std::move(client)),
      from_(from),
      source_(source_of(from)),
      guard_(limits, now_us),
      tls_(std::move(tls)),
      unread_us_max_(limits.unread_us_max),
      taken_us_(now_us) {}

auto GuardedConnection::from_client(Micros now_us, std::span<std::byte> room) -> Moved {
  const ssize_t got = recv(client_.get(), room.data(), room.size(), 0);
  if (got < 0 && again()) return {};
  if (got <= 0) return {.over = true};
  const auto bytes = room.first(static_cast<std::size_t>(got));
  return tls_ ? decrypt(now_us, bytes) : keep(now_us, bytes);
}

auto GuardedConnection::keep(Micros now_us, std::span<const std::byte> plain) -> Moved {
  const std::uint32_t before = guard_.calls();
  if (const auto breach = guard_.client_sent(now_us, plain)) return {.breach = breach};
  calls_kept_ += std::max(guard_.calls(), before) - before;
  for_server_.insert(for_server_.end(), plain.begin(), plain.end());
  return {};
}

/// Handshakes leave from here, too: gRPC sees only what comes after them.
auto GuardedConnection::decrypt(Micros now_us, std::span<const std::byte> bytes) -> Moved {
  std::vector<std::byte> plain;
  const bool good = tls_->received(bytes, plain);
  tls_->take_output(for_client_);
  const bool there = !to_client().over;
  if (!good) {
    if (tls_->only_changes_keys()) return {.breach = GrpcBreach::Frames};
    // Once the client has begun to speak it is its goodbye.
    if (guard_.begun()) return {.over = true};
    return {.breach = breach_of(tls_->refusal())};
  }
  if (!there) return {.over = true};
  return plain.empty() ? Moved{} : keep(now_us, plain);
}

auto GuardedConnection::from_server(Micros now_us, std::span<std::byte> room) -> Moved {
  const ssize_t got = recv(server_.get(), room.data(), room.size(), 0);
  if (got < 0 && again()) return {};
  if (got <= 0) return {.over = true};
  const auto bytes = room.first(static_cast<std::size_t>(got));
  guard_.server_sent(now_us, bytes);
  if (!tls_) {
    for_client_.insert(for_client_.end(), bytes.begin(), bytes.end());
  } else {
    if (!tls_->send(bytes)) return {.over = true};
    tls_->take_output(for_client_);
  }
  return to_client();
}

auto GuardedConnection::to_server() -> Moved {
  calls_kept_ = 0;
  const bool there = send_rest(server_.get(), for_server_);
  sending_ = !for_server_.empty();
  return {.over = !there};
}

Caller GuardedConnection::caller() const {
  Caller out{.address = from_};
  auto identity = tls_ ? tls_->peer() : std::nullopt;
  if (identity) {
    out.proven = true;
    out.identity = std::move(*identity);
  }
  return out;
}

void GuardedConnection::set_server(Descriptor server, int far_end) {
  server_ = std::move(server);
  far_end_ = {far_end, inode_of(far_end), 0};
}

bool GuardedConnection::FarEnd::open() const { return inode_of(descriptor) == inode; }

auto GuardedConnection::far_end() const -> FarEnd {
  FarEnd out = far_end_;
  out.calls = calls_passed();
  return out;
}

std::uint32_t GuardedConnection::calls_passed() const {
  return std::max(guard_.calls(), calls_kept_) - calls_kept_;
}

auto GuardedConnection::to_client() -> Moved {
  const std::size_t before = for_client_.size();
  const bool there = send_rest(client_.get(), for_client_);
  sent_bytes_ += before - for_client_.size();
  return {.over = !there};
}

std::uint64_t GuardedConnection::acknowledged_bytes() const {
  int queued = 0;
  (void)ioctl(client_.get(), SIOCOUTQ, &queued);
  return sent_bytes_ - static_cast<std::uint64_t>(queued);
}

/// The kernel may report room for more only after a third of its buffer was read, so the bytes that
/// the client has acknowledged say whether it reads.
std::optional<GrpcBreach> GuardedConnection::late(Micros now_us) {
  const std::uint64_t taken = for_client_.empty() ? taken_bytes_ : acknowledged_bytes();
  if (for_client_.empty() || taken != taken_bytes_) {
    taken_bytes_ = taken;
    taken_us_ = now_us;
  } else if (now_us - taken_us_ > unread_us_max_) {
    return GrpcBreach::LateAnswer;
  }
  return guard_.late(now_us);
}

/// TLS answers some records by itself, whether gRPC is read or not.
std::uint32_t GuardedConnection::client_events() const {
  const bool read = (for_server_.empty() || !guard_.begun()) && for_client_.size() < read_bytes_max;
  return (read ? std::uint32_t{EPOLLIN} : 0U) |
         (for_client_.empty() ? 0U : std::uint32_t{EPOLLOUT});
}
std::uint32_t GuardedConnection::server_events() const {
  return (for_client_.empty() ? std::uint32_t{EPOLLIN} : 0U) |
         (sending_ ? std::uint32_t{EPOLLOUT} : 0U);
}

}  // namespace perigee::host
