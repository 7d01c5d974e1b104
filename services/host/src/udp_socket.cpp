#include "perigee/host/udp_socket.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "perigee/netcode/assert.hpp"
#include "socket_address.hpp"

namespace perigee::host {
namespace {

constexpr std::size_t batch = UdpSocket::batch_datagrams;
constexpr std::size_t control_bytes =
    CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(std::uint32_t));

/// What the kernel says beside a datagram.
struct Ancillary {
  Micros wall_us = 0;  // 0: no stamp
  std::uint32_t dropped = 0;
};
Ancillary read_ancillary(msghdr& header) {
  Ancillary out;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SCM_TIMESTAMPNS) {
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
      out.wall_us = Micros{stamp.tv_sec} * 1'000'000 + stamp.tv_nsec / 1'000;
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      std::memcpy(&out.dropped, CMSG_DATA(c), sizeof out.dropped);
    }
  }
  return out;
}

/// A kernel stamp on the monotonic clock. A wall clock that was set meanwhile gives nonsense: then
/// the present has to do.
Micros monotonic_stamp_us(Micros wall_us, const ClockPair& now) {
  constexpr Micros queued_us_max = 1'000'000;
  const Micros age_us = now.wall_us - wall_us;
  if (wall_us == 0 || age_us < 0 || age_us > queued_us_max) return now.monotonic_us;
  return now.monotonic_us - age_us;
}

Error bind_error(const Address& local, int code) {
  const std::string what = "udp " + to_string(local) + ": ";
  if (code == EADDRINUSE) {
    return Error{what + "the port is in use; choose another --port-base, or see who holds it: " +
                 "ss -lunp 'sport = :" + std::to_string(local.port) + "'"};
  }
  if (code == EADDRNOTAVAIL) {
    return Error{what + "no address of this machine; --listen takes one of `ip -brief address`"};
  }
  return Error{what + std::strerror(code)};
}

int grant_buffer(int fd, int option, int force_option, std::size_t bytes) {
  const int asked = static_cast<int>(bytes);
  if (setsockopt(fd, SOL_SOCKET, force_option, &asked, sizeof asked) != 0) {
    setsockopt(fd, SOL_SOCKET, option, &asked, sizeof asked);
  }
  int granted = 0;
  socklen_t size = sizeof granted;
  getsockopt(fd, SOL_SOCKET, option, &granted, &size);
  return granted / 2;  // the kernel doubles it for its own book-keeping
}

}  // namespace

struct UdpSocket::Impl : std::enable_shared_from_this<Impl> {
  struct Outgoing {
    SocketAddress to;
    std::size_t size = 0;
    std::array<std::byte, datagram_bytes_max> bytes;
  };
  struct ReceiveSlot {
    std::array<std::byte, datagram_bytes_max> bytes;
    sockaddr_in6 from;
    alignas(cmsghdr) std::array<std::byte, control_bytes> control;
  };

  Loop* loop = nullptr;
  uv_poll_t* poll = nullptr;
  int fd = -1;
  Address local;
  Receive receive;
  UdpCounts counts;
  std::size_t granted_bytes = 0;
  std::uint32_t kernel_dropped_seen = 0;

  std::vector<ReceiveSlot> slots{batch};
  std::array<iovec, batch> receive_parts{};
  std::array<mmsghdr, batch> receive_headers{};
  std::array<Datagram, batch> datagrams{};

  std::vector<Outgoing> queue;  // a ring
  std::size_t queue_first = 0;
  std::size_t queue_size = 0;
  bool blocked = false;  // the kernel's send buffer is full: wait until it is writable

  ~Impl() { shut(); }
  void shut();
  void listen_for(int events);
  void read_batches();
  std::size_t read_batch(const ClockPair& now, std::size_t& delivered);
  void flush();
};

void UdpSocket::Impl::shut() {
  if (poll == nullptr) return;
  loop->remove_flusher(this);
  uv_poll_stop(poll);
  close(fd);
  uv_close(reinterpret_cast<uv_handle_t*>(poll),
           [](uv_handle_t* handle) { delete reinterpret_cast<uv_poll_t*>(handle); });
  poll = nullptr;
}

void UdpSocket::Impl::listen_for(int events) {
  uv_poll_start(poll, events, [](uv_poll_t* p, int, int ready) {
    const auto self = static_cast<Impl*>(p->data)->shared_from_this();  // may be let go inside
    if ((ready & UV_WRITABLE) != 0) {
      self->blocked = false;
      self->listen_for(UV_READABLE);
      self->flush();
    }
    if ((ready & UV_READABLE) != 0) self->read_batches();
  });
}

void UdpSocket::Impl::read_batches() {
  const ClockPair now = Loop::clocks();
  for (std::size_t total = 0; total < turn_datagrams_max && poll != nullptr;) {
    std::size_t delivered = 0;
    const std::size_t read = read_batch(now, delivered);
    if (delivered > 0) receive(std::span(datagrams).first(delivered));
    if (read < batch) return;
    total += read;
  }
}

std::size_t UdpSocket::Impl::read_batch(const ClockPair& now, std::size_t& delivered) {
  for (std::size_t i = 0; i < batch; ++i) {
    ReceiveSlot& slot = slots[i];
    receive_parts[i] = {slot.bytes.data(), slot.bytes.size()};
    msghdr& header = receive_headers[i].msg_hdr;
    header = {};
    header.msg_name = &slot.from;
    header.msg_namelen = sizeof slot.from;
    header.msg_iov = &receive_parts[i];
    header.msg_iovlen = 1;
    header.msg_control = slot.control.data();
    header.msg_controllen = slot.control.size();
  }
  const int read = recvmmsg(fd, receive_headers.data(), batch, MSG_DONTWAIT, nullptr);
  if (read <= 0) return 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(read); ++i) {
    msghdr& header = receive_headers[i].msg_hdr;
    const Ancillary ancillary = read_ancillary(header);
    counts.kernel_dropped += ancillary.dropped - std::min(ancillary.dropped, kernel_dropped_seen);
    kernel_dropped_seen = std::max(kernel_dropped_seen, ancillary.dropped);
    if ((header.msg_flags & MSG_TRUNC) != 0) {
      ++counts.received_oversized;
      continue;
    }
    const std::size_t size = receive_headers[i].msg_len;
    ++counts.received_datagrams;
    counts.received_bytes += size;
    datagrams[delivered++] = {from_socket_address(static_cast<const sockaddr*>(header.msg_name)),
                              monotonic_stamp_us(ancillary.wall_us, now),
                              std::span(slots[i].bytes).first(size)};
  }
  return static_cast<std::size_t>(read);
}

void UdpSocket::Impl::flush() {
  std::array<iovec, batch> parts;
  std::array<mmsghdr, batch> headers;
  while (queue_size > 0 && !blocked && poll != nullptr) {
    const std::size_t count = std::min(queue_size, batch);
    for (std::size_t i = 0; i < count; ++i) {
      Outgoing& out = queue[(queue_first + i) % queue.size()];
      parts[i] = {out.bytes.data(), out.size};
      headers[i] = {};
      headers[i].msg_hdr.msg_name = out.to.get();
      headers[i].msg_hdr.msg_namelen = out.to.size;
      headers[i].msg_hdr.msg_iov = &parts[i];
      headers[i].msg_hdr.msg_iovlen = 1;
    }
    const int sent =
        sendmmsg(fd, headers.data(), static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      blocked = true;
      listen_for(UV_READABLE | UV_WRITABLE);
      return;
    }
    // An error belongs to the first datagram only: leave that one out and go on.
    const std::size_t done = sent < 0 ? 1 : static_cast<std::size_t>(sent);
    for (std::size_t i = 0; i < done; ++i) {
      if (sent < 0) {
        ++counts.send_failed;
      } else {
        ++counts.sent_datagrams;
        counts.sent_bytes += parts[i].iov_len;
      }
    }
    queue_first = (queue_first + done) % queue.size();
    queue_size -= done;
  }
}

Result<UdpSocket> UdpSocket::open(Loop& loop, const Address& local, const UdpOptions& options,
                                  Receive receive) {
  PERIGEE_ASSERT(local.valid(), "a socket binds an address");
  const int family = local.family == Address::Family::IPv4 ? AF_INET : AF_INET6;
  const int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return Error{"udp " + to_string(local) + ": " + std::strerror(errno)};
  SocketAddress name = to_socket_address(local);
  if (bind(fd, name.get(), name.size) != 0) {
    const Error error = bind_error(local, errno);
    close(fd);
    return error;
  }
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);

  auto impl = std::make_shared<Impl>();
  impl->loop = &loop;
  impl->fd = fd;
  impl->receive = std::move(receive);
  impl->granted_bytes = static_cast<std::size_t>(
      grant_buffer(fd, SO_RCVBUF, SO_RCVBUFFORCE, options.kernel_buffer_bytes));
  grant_buffer(fd, SO_SNDBUF, SO_SNDBUFFORCE, options.kernel_buffer_bytes);
  impl->queue.resize(options.send_queue_datagrams);
  getsockname(fd, name.get(), &name.size);
  impl->local = from_socket_address(name.get());
  impl->poll = new uv_poll_t{};
  uv_poll_init(loop.native(), impl->poll, fd);
  impl->poll->data = impl.get();
  impl->listen_for(UV_READABLE);
  loop.add_flusher(impl.get(), [raw = impl.get()] { raw->flush(); });
  return UdpSocket(std::move(impl));
}

UdpSocket::UdpSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
UdpSocket::UdpSocket(UdpSocket&&) noexcept = default;
UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
UdpSocket::~UdpSocket() {
  if (impl_) impl_->shut();
}

void UdpSocket::send(const Address& to, std::span<const std::byte> bytes) {
  PERIGEE_ASSERT(bytes.size() <= datagram_bytes_max, "datagrams stay below the path's MTU");
  if (impl_->queue_size == impl_->queue.size()) {
    ++impl_->counts.send_queue_full;
    return;
  }
  if (to.family != impl_->local.family) {
    ++impl_->counts.send_failed;
    return;
  }
  Impl::Outgoing& out =
      impl_->queue[(impl_->queue_first + impl_->queue_size) % impl_->queue.size()];
  out.to = to_socket_address(to);
  out.size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
  ++impl_->queue_size;
  if (impl_->queue_size >= batch) impl_->flush();
}

void UdpSocket::flush() { impl_->flush(); }
void UdpSocket::receive_now() { impl_->read_batches(); }
Address UdpSocket::local() const { return impl_->local; }
const UdpCounts& UdpSocket::counts() const { return impl_->counts; }
std::size_t UdpSocket::kernel_buffer_bytes() const { return impl_->granted_bytes; }

}  // namespace perigee::host
