#include "perigee/host/stream_sockets.hpp"

#include <uv.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "listen_error.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "socket_address.hpp"
#include "uv_handle.hpp"

namespace perigee::host {
namespace {

/// Bytes that the kernel did not accept at once.
struct Rest {
  uv_write_t request{};
  std::vector<std::byte> bytes;
};

uv_buf_t buffer_of(std::span<const std::byte> bytes) {
  // libuv's buffers are not const, although it does not modify what it writes.
  return uv_buf_init(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())),
                     static_cast<unsigned>(bytes.size()));
}

}  // namespace

struct StreamSockets::Impl : std::enable_shared_from_this<Impl> {
  /// Freed by the loop once it is closed.
  struct Connection {
    uv_tcp_t tcp{};
    uv_connect_t connecting{};
    Impl* owner = nullptr;  ///< null: it is being closed
    Id id = 0;
  };

  Impl(Loop& owner, Events handlers) : loop(owner), events(std::move(handlers)) {}
  Result<Ok> listen(const Address& local);
  void shut();
  Connection& make();
  void accept();
  void read_on(Connection& connection);
  void end(Connection& connection);
  void report_closed(Connection& connection);
  Connection* find(Id id) const;

  Loop& loop;
  const Events events;
  uv_tcp_t* listener = nullptr;  ///< freed by the loop once it is closed
  std::map<Id, Connection*> connections;
  Id made = 0;
  std::array<char, read_bytes_max> buffer{};
};

Result<Ok> StreamSockets::Impl::listen(const Address& local) {
  listener = new uv_tcp_t{};
  uv_tcp_init(loop.native(), listener);
  listener->data = this;
  const SocketAddress name = to_socket_address(local);
  int code = uv_tcp_bind(listener, name.get(), 0);
  if (code == 0) {
    code = uv_listen(as_stream(listener), backlog_max, [](uv_stream_t* stream, int status) {
      if (status == 0) static_cast<Impl*>(stream->data)->accept();
    });
  }
  if (code != 0) return listen_error("tcp", PortOf::Tcp, local, code);
  return Ok{};
}

void StreamSockets::Impl::shut() {
  if (listener == nullptr) return;
  uv_close(as_handle(std::exchange(listener, nullptr)),
           [](uv_handle_t* handle) { delete reinterpret_cast<uv_tcp_t*>(handle); });
  while (!connections.empty()) end(*connections.begin()->second);
}

auto StreamSockets::Impl::make() -> Connection& {
  auto* connection = new Connection;
  uv_tcp_init(loop.native(), &connection->tcp);
  connection->tcp.data = connection->connecting.data = connection;
  connection->owner = this;
  connection->id = ++made;
  connections.emplace(connection->id, connection);
  return *connection;
}

void StreamSockets::Impl::accept() {
  Connection& connection = make();
  if (uv_accept(as_stream(listener), as_stream(&connection.tcp)) != 0 ||
      connections.size() > connections_max) {
    return end(connection);
  }
  const Id id = connection.id;
  events.accepted(id);
  if (Connection* still = find(id)) read_on(*still);
}

void StreamSockets::Impl::read_on(Connection& connection) {
  uv_tcp_nodelay(&connection.tcp, 1);
  uv_read_start(
      as_stream(&connection.tcp),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* out) {
        // The buffer is shared: it is read and passed on before the next read.
        auto& room = static_cast<Connection*>(handle->data)->owner->buffer;
        *out = uv_buf_init(room.data(), static_cast<unsigned>(room.size()));
      },
      [](uv_stream_t* stream, ssize_t size, const uv_buf_t* in) {
        auto& self = *static_cast<Connection*>(stream->data);
        if (size < 0) return self.owner->report_closed(self);
        if (size == 0) return;
        self.owner->loop.note_activity();
        self.owner->events.received(self.id, as_bytes_of(in->base, static_cast<std::size_t>(size)));
      });
}

auto StreamSockets::Impl::find(Id id) const -> Connection* {
  const auto found = connections.find(id);
  return found == connections.end() ? nullptr : found->second;
}

void StreamSockets::Impl::end(Connection& connection) {
  connections.erase(connection.id);
  connection.owner = nullptr;
  uv_close(as_handle(&connection.tcp),
           [](uv_handle_t* handle) { delete static_cast<Connection*>(handle->data); });
}

void StreamSockets::Impl::report_closed(Connection& connection) {
  const Id id = connection.id;
  end(connection);
  events.closed(id);
}

Result<StreamSockets> StreamSockets::open(Loop& loop, const Address& local, Events events) {
  PERIGEE_ASSERT(local.valid(), "a socket needs a valid address");
  StreamSockets out(std::make_shared<Impl>(loop, std::move(events)));
  if (const auto listening = out.impl_->listen(local); !listening) return listening.error();
  return out;
}

StreamSockets::StreamSockets(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
StreamSockets::StreamSockets(StreamSockets&&) noexcept = default;
StreamSockets& StreamSockets::operator=(StreamSockets&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
StreamSockets::~StreamSockets() {
  if (impl_) impl_->shut();
}

StreamSockets::Id StreamSockets::dial(const Address& to) {
  Impl::Connection& connection = impl_->make();
  const SocketAddress name = to_socket_address(to);
  const auto done = [](uv_connect_t* request, int status) {
    auto& self = *static_cast<Impl::Connection*>(request->data);
    if (self.owner == nullptr) return;  // closed meanwhile
    if (status != 0) return self.owner->report_closed(self);
    self.owner->read_on(self);
    self.owner->events.connected(self.id);
  };
  if (uv_tcp_connect(&connection.connecting, &connection.tcp, name.get(), done) != 0) {
    // No route, or no descriptor left: reported like a refused connection, and not from within this
    // call.
    impl_->loop.post([weak = impl_->weak_from_this(), id = connection.id] {
      const auto self = weak.lock();
      Impl::Connection* failed = self ? self->find(id) : nullptr;
      if (failed != nullptr) self->report_closed(*failed);
    });
  }
  return connection.id;
}

void StreamSockets::write(Id to, std::span<const std::byte> bytes) {
  Impl::Connection* connection = impl_->find(to);
  PERIGEE_ASSERT(connection != nullptr, "write() to a closed connection");
  const uv_buf_t all = buffer_of(bytes);
  const int taken = uv_try_write(as_stream(&connection->tcp), &all, 1);
  const std::size_t sent = taken > 0 ? static_cast<std::size_t>(taken) : 0;
  if (sent == bytes.size()) return;
  const auto left = bytes.subspan(sent);
  auto* rest = new Rest{.bytes = {left.begin(), left.end()}};
  rest->request.data = rest;
  const uv_buf_t later = buffer_of(rest->bytes);
  // A broken connection is reported by its read callback.
  const int code =
      uv_write(&rest->request, as_stream(&connection->tcp), &later, 1,
               [](uv_write_t* request, int) { delete static_cast<Rest*>(request->data); });
  if (code != 0) delete rest;
}

std::size_t StreamSockets::unsent_bytes(Id of) const {
  Impl::Connection* connection = impl_->find(of);
  return connection == nullptr ? 0 : uv_stream_get_write_queue_size(as_stream(&connection->tcp));
}

void StreamSockets::close(Id which) {
  if (Impl::Connection* connection = impl_->find(which)) impl_->end(*connection);
}

Address StreamSockets::local() const {
  SocketAddress name;
  int size = sizeof name.storage;
  uv_tcp_getsockname(impl_->listener, name.get(), &size);
  return from_socket_address(name.get());
}

}  // namespace perigee::host
