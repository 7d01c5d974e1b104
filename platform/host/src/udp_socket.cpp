#include "perigee/host/udp_socket.hpp"

#include <unistd.h>
#include <uv.h>

#include <optional>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/arrival_gauge.hpp"
#include "udp_bind.hpp"
#include "udp_receive.hpp"
#include "udp_send.hpp"

namespace perigee::host {

struct UdpSocket::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& owner, Descriptor descriptor, const UdpOptions& options, Receive handler, bool notes);
  ~Impl() { shut(); }

  void shut();
  void watch();
  void on_ready(int ready);
  Micros wait_us() const { return gauge ? gauge->wait_us() : gathering.longest_us; }
  void gather();
  void read_and_gather_on();
  std::size_t read_batches();
  void flush();

  Loop& loop;
  uv_poll_t* poll = nullptr;
  int fd = -1;
  Address local;
  Receive receive;
  std::size_t turn_datagrams_max;
  bool notes_only;                // the second of a pair
  std::optional<UdpShape> shape;  // of the first of a pair
  bool noted = false;
  Gathering gathering;
  std::optional<ArrivalGauge> gauge;  // decides by the rate
  bool waiting = false;               // datagrams wait until `gathered` fires
  bool behind = false;                // the last turn ended before the kernel's buffer was empty
  std::optional<Timer> gathered;      // none: never gathers
  UdpCounts counts;
  ReceiveBatch batch;
  SendQueue queue;
  TurnOutput output;
  bool blocked = false;  // the kernel's send buffer is full: wait until the socket is writable
};

UdpSocket::Impl::Impl(Loop& owner, Descriptor descriptor, const UdpOptions& options,
                      Receive handler, bool notes)
    : loop(owner),
      fd(descriptor.release()),
      local(bound_address(fd)),
      receive(std::move(handler)),
      turn_datagrams_max(options.turn_datagrams_max),
      notes_only(notes),
      gathering(options.gathering),
      batch(options.read_datagrams),
      queue(options.send_queue_datagrams, local.family == Address::Family::IPv6),
      output(owner, [this] { flush(); }) {
  if (gathering.longest_us > 0) {
    gathered.emplace(owner, [this] { shared_from_this()->read_and_gather_on(); });
    if (gathering.datagrams_min > 0) gauge.emplace(gathering);
  }
  poll = new uv_poll_t{};
  uv_poll_init(loop.native(), poll, fd);
  poll->data = this;
  watch();
}

void UdpSocket::Impl::shut() {
  if (poll == nullptr) return;
  if (gathered) gathered->stop();
  uv_poll_stop(poll);
  close(fd);
  uv_close(reinterpret_cast<uv_handle_t*>(poll),
           [](uv_handle_t* handle) { delete reinterpret_cast<uv_poll_t*>(handle); });
  poll = nullptr;
}

void UdpSocket::Impl::watch() {
  const int events = (waiting ? 0 : UV_READABLE) | (blocked ? UV_WRITABLE : 0);
  if (events == 0) {
    uv_poll_stop(poll);
    return;
  }
  uv_poll_start(poll, events, [](uv_poll_t* p, int, int ready) {
    // The handler may destroy this socket.
    static_cast<Impl*>(p->data)->shared_from_this()->on_ready(ready);
  });
}

void UdpSocket::Impl::on_ready(int ready) {
  if ((ready & UV_WRITABLE) != 0) {
    blocked = false;
    watch();
    flush();
  }
  if ((ready & UV_READABLE) == 0 || poll == nullptr) return;
  if (notes_only) {
    noted = true;
  } else if (behind || wait_us() == 0) {
    read_and_gather_on();
  } else {
    gather();
  }
}

void UdpSocket::Impl::gather() {
  if (!std::exchange(waiting, true)) watch();
  gathered->at(Loop::clock_us() + wait_us());
}

/// While datagrams arrive fast, the next wait starts at once; this saves the wake-up for its first
/// datagram.
void UdpSocket::Impl::read_and_gather_on() {
  const std::size_t read = read_batches();
  if (poll == nullptr) return;
  if (gauge) gauge->note(Loop::clock_us(), read);
  if (gauge && gauge->busy() && read > 0 && !behind) return gather();
  if (std::exchange(waiting, false)) watch();
}

/// Returns the number of datagrams passed to the handler.
std::size_t UdpSocket::Impl::read_batches() {
  noted = false;
  behind = true;
  std::size_t handled = 0;
  for (std::size_t total = 0; total < turn_datagrams_max && poll != nullptr;
       total += batch.size()) {
    const bool more = batch.read(fd, counts);
    if (!batch.datagrams().empty()) {
      loop.note_activity();
      handled += batch.datagrams().size();
      receive(batch.datagrams());
    }
    if (more) continue;
    behind = false;
    break;
  }
  return handled;
}

void UdpSocket::Impl::flush() {
  if (blocked || poll == nullptr || queue.flush(fd, counts)) return;
  blocked = true;
  watch();
}

Result<UdpSocket> UdpSocket::open(Loop& loop, const Address& local, const UdpOptions& options,
                                  Receive receive) {
  auto bound = bind_udp(local, options);
  if (!bound) return bound.error();
  return UdpSocket(
      std::make_shared<Impl>(loop, std::move(*bound), options, std::move(receive), false));
}

Result<std::pair<UdpSocket, UdpSocket>> UdpSocket::open_pair(
    Loop& loop, const Address& local, const UdpShape& shape, const UdpOptions& first_options,
    Receive first_receive, const UdpOptions& second_options, Receive second_receive) {
  auto first = bind_udp(local, first_options);
  if (!first) return first.error();
  share_port(first->get());
  Address same = local;
  same.port = bound_address(first->get()).port;
  auto second = bind_udp(same, second_options, true);
  if (!second) return second.error();
  if (const auto steered = steer(second->get(), shape); !steered) return steered.error();
  auto impl = std::make_shared<Impl>(loop, std::move(*first), first_options,
                                     std::move(first_receive), false);
  impl->shape = shape;
  return std::pair(UdpSocket(std::move(impl)),
                   UdpSocket(std::make_shared<Impl>(loop, std::move(*second), second_options,
                                                    std::move(second_receive), true)));
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
  PERIGEE_ASSERT(bytes.size() <= datagram_bytes_max,
                 "a datagram is larger than datagram_bytes_max");
  if (impl_->queue.full()) {
    ++impl_->counts.send_queue_full;
    return;
  }
  if (to.family == Address::Family::IPv6 && impl_->local.family == Address::Family::IPv4) {
    ++impl_->counts.send_failed;
    return;
  }
  impl_->queue.push(to, bytes);
  impl_->output.queue();
  if (impl_->queue.full() || impl_->queue.size() >= batch_datagrams) impl_->flush();
}

void UdpSocket::flush() { impl_->flush(); }
void UdpSocket::receive_now() {
  const auto impl = impl_;  // the handler may destroy this socket
  std::size_t read = 0;
  for (std::size_t turn = 0; turn < receive_now_turns_max; ++turn) {
    read += impl->read_batches();
    if (!impl->behind || impl->poll == nullptr) break;
  }
  if (impl->gauge) impl->gauge->note(Loop::clock_us(), read);
}
void UdpSocket::know_peers(std::span<const Address> peers) {
  PERIGEE_ASSERT(impl_->shape, "know_peers() only on the first socket of a pair");
  if (steer(impl_->fd, *impl_->shape, peers)) return;
  const auto all = steer(impl_->fd, *impl_->shape);
  PERIGEE_ASSERT(all.ok(), "the kernel accepted the same program when the pair was opened");
}
void UdpSocket::receive_noted() {
  if (impl_->noted) impl_->read_batches();
}
Address UdpSocket::local() const { return impl_->local; }
UdpCounts UdpSocket::counts() const {
  UdpCounts counts = impl_->counts;
  if (impl_->poll != nullptr) counts.kernel_dropped = kernel_dropped(impl_->fd);
  return counts;
}
std::size_t UdpSocket::kernel_buffer_bytes() const { return receive_buffer_bytes(impl_->fd); }

}  // namespace perigee::host
