#include "http_server.hpp"

#include <uv.h>

#include <algorithm>
#include <list>
#include <thread>
#include <utility>

#include "listen_error.hpp"
#include "perigee/host/http_request.hpp"
#include "perigee/host/loop.hpp"
#include "socket_address.hpp"
#include "uv_handle.hpp"
#include "worker_thread.hpp"

namespace perigee::host {
namespace {

constexpr std::size_t read_bytes = 4'096;
constexpr unsigned deadline_check_ms = 100;

const char* phrase_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Error";
  }
}

std::string text_of(const HttpAnswer& answer, bool with_body) {
  return "HTTP/1.1 " + std::to_string(answer.status) + " " + phrase_of(answer.status) +
         "\r\nContent-Type: " + answer.content_type +
         "\r\nContent-Length: " + std::to_string(answer.body.size()) +
         "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n" +
         (with_body ? answer.body : std::string());
}

}  // namespace

struct HttpServer::Impl {
  enum class Stage : std::uint8_t { Reading, Waiting, Answering, Lingering };

  /// Owned by `connections` while open, by the loop while it closes.
  struct Connection {
    uv_tcp_t tcp{};
    uv_write_t writing{};
    uv_shutdown_t ending{};
    Impl* owner = nullptr;
    Stage stage = Stage::Reading;
    Micros deadline_us = 0;
    std::array<char, read_bytes> buffer{};
    std::string received;
    std::string answer;
    std::string path;  // of a page that waits for its turn
    bool with_body = true;
  };

  explicit Impl(Handler h) : handler(std::move(h)) {}

  void accept_one();
  void on_bytes(Connection& connection, std::size_t count);
  void on_end(Connection& connection);
  void on_request(Connection& connection, std::string_view method, std::string_view path);
  void answer(Connection& connection, const HttpAnswer& page);
  void answer_one_page();
  void linger(Connection& connection);
  void drop(Connection& connection, AdminDrop reason);
  void close(Connection& connection);
  void make_room();
  void check_deadlines();
  std::size_t answer_bytes() const;

  Handler handler;
  uv_loop_t loop{};
  uv_tcp_t listener{};
  uv_async_t stop{};
  uv_timer_t deadlines{};
  uv_idle_t pages{};                   // runs while a page waits
  std::list<Connection*> connections;  // oldest first
  std::thread thread;
};

void HttpServer::Impl::accept_one() {
  make_room();
  auto* connection = new Connection;
  connection->owner = this;
  connection->deadline_us = Loop::clock_us() + request_us_max;
  connection->tcp.data = connection;
  uv_tcp_init(&loop, &connection->tcp);
  connections.push_back(connection);
  if (uv_accept(as_stream(&listener), as_stream(&connection->tcp)) != 0) return close(*connection);
  if (uv_is_active(as_handle(&deadlines)) == 0) {
    uv_timer_start(
        &deadlines, [](uv_timer_t* timer) { static_cast<Impl*>(timer->data)->check_deadlines(); },
        deadline_check_ms, deadline_check_ms);
  }
  uv_read_start(
      as_stream(&connection->tcp),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        auto& memory = static_cast<Connection*>(handle->data)->buffer;
        *buffer = uv_buf_init(memory.data(), read_bytes);
      },
      [](uv_stream_t* stream, ssize_t count, const uv_buf_t*) {
        auto& from = *static_cast<Connection*>(stream->data);
        if (count >= 0) return from.owner->on_bytes(from, static_cast<std::size_t>(count));
        from.owner->on_end(from);
      });
}

void HttpServer::Impl::on_bytes(Connection& connection, std::size_t count) {
  if (connection.stage != Stage::Reading) return;
  connection.received.append(connection.buffer.data(), count);
  const HttpRequest request = read_http_request(connection.received);
  switch (request.read) {
    case HttpRead::Incomplete:
      return;
    case HttpRead::TooLong:
      handler.dropped(AdminDrop::Malformed);
      return answer(connection, {431, HttpAnswer{}.content_type, "the request is too long\n"});
    case HttpRead::Malformed:
      handler.dropped(AdminDrop::Malformed);
      return answer(connection, {400, HttpAnswer{}.content_type, "not an HTTP request\n"});
    case HttpRead::Complete:
      return on_request(connection, request.method, request.path);
  }
}

// A client may half-close its connection and still wait for its answer.
void HttpServer::Impl::on_end(Connection& connection) {
  const bool owed = connection.stage == Stage::Waiting || connection.stage == Stage::Answering;
  owed ? static_cast<void>(uv_read_stop(as_stream(&connection.tcp))) : close(connection);
}

void HttpServer::Impl::on_request(Connection& connection, std::string_view method,
                                  std::string_view path) {
  connection.with_body = method != "HEAD";
  if (method != "GET" && method != "HEAD") {
    return answer(connection, {405, HttpAnswer{}.content_type, "GET only\n"});
  }
  if (handler.prompt(path)) return answer(connection, handler.answer(path));
  connection.path = path;
  connection.stage = Stage::Waiting;
  connection.deadline_us = Loop::clock_us() + answer_us_max;
  uv_idle_start(&pages, [](uv_idle_t* idle) { static_cast<Impl*>(idle->data)->answer_one_page(); });
}

// The loop handles prompt requests between two pages.
void HttpServer::Impl::answer_one_page() {
  const auto next =
      std::find_if(connections.begin(), connections.end(),
                   [](const Connection* each) { return each->stage == Stage::Waiting; });
  if (next == connections.end()) {
    uv_idle_stop(&pages);
    return;
  }
  answer(**next, handler.answer((*next)->path));
}

void HttpServer::Impl::answer(Connection& connection, const HttpAnswer& page) {
  connection.answer = text_of(page, connection.with_body);
  connection.stage = Stage::Answering;
  connection.deadline_us = Loop::clock_us() + answer_us_max;
  connection.writing.data = &connection;
  const uv_buf_t bytes =
      uv_buf_init(connection.answer.data(), static_cast<unsigned>(connection.answer.size()));
  const int failed = uv_write(&connection.writing, as_stream(&connection.tcp), &bytes, 1,
                              [](uv_write_t* written, int status) {
                                auto& to = *static_cast<Connection*>(written->data);
                                if (status == UV_ECANCELED) return;  // it is being closed
                                status == 0 ? to.owner->linger(to) : to.owner->close(to);
                              });
  if (failed != 0) close(connection);
}

// Closing at once would reset the connection if the client is still sending, and the answer in
// transit would be lost.
void HttpServer::Impl::linger(Connection& connection) {
  connection.stage = Stage::Lingering;
  connection.deadline_us = Loop::clock_us() + linger_us_max;
  connection.answer.clear();
  connection.answer.shrink_to_fit();
  if (uv_is_active(as_handle(&connection.tcp)) == 0) return close(connection);
  if (uv_shutdown(&connection.ending, as_stream(&connection.tcp), [](uv_shutdown_t*, int) {}) !=
      0) {
    close(connection);
  }
}

void HttpServer::Impl::drop(Connection& connection, AdminDrop reason) {
  if (connection.stage != Stage::Lingering) handler.dropped(reason);
  close(connection);
}

void HttpServer::Impl::close(Connection& connection) {
  if (uv_is_closing(as_handle(&connection.tcp)) != 0) return;
  connections.remove(&connection);
  uv_close(as_handle(&connection.tcp),
           [](uv_handle_t* handle) { delete static_cast<Connection*>(handle->data); });
  if (connections.empty()) uv_timer_stop(&deadlines);
}

std::size_t HttpServer::Impl::answer_bytes() const {
  std::size_t sum = 0;
  for (const Connection* each : connections) sum += each->answer.size();
  return sum;
}

// The oldest idle connection is closed first; if all have sent a request, the oldest of those.
void HttpServer::Impl::make_room() {
  while (connections.size() >= connections_max) {
    const auto idle = std::find_if(connections.begin(), connections.end(), [](const auto* each) {
      return each->stage == Stage::Reading || each->stage == Stage::Lingering;
    });
    drop(idle == connections.end() ? *connections.front() : **idle, AdminDrop::Crowded);
  }
  while (answer_bytes() > answer_bytes_max) {
    const auto slow = std::find_if(connections.begin(), connections.end(),
                                   [](const auto* each) { return !each->answer.empty(); });
    drop(**slow, AdminDrop::Crowded);
  }
}

void HttpServer::Impl::check_deadlines() {
  const Micros now_us = Loop::clock_us();
  for (auto it = connections.begin(); it != connections.end();) {
    Connection& each = **it++;
    if (now_us >= each.deadline_us) drop(each, AdminDrop::Slow);
  }
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const Address& listen, Handler handler) {
  auto impl = std::make_unique<Impl>(std::move(handler));
  Impl& self = *impl;
  if (const int code = uv_loop_init(&self.loop); code != 0)
    return listen_error("admin port", PortOf::Tcp, listen, code);
  uv_tcp_init(&self.loop, &self.listener);
  uv_timer_init(&self.loop, &self.deadlines);
  uv_idle_init(&self.loop, &self.pages);
  uv_async_init(&self.loop, &self.stop, [](uv_async_t* async) {
    Impl& server = *static_cast<Impl*>(async->data);
    while (!server.connections.empty()) server.close(*server.connections.front());
    uv_close(as_handle(&server.listener), nullptr);
    uv_close(as_handle(&server.deadlines), nullptr);
    uv_close(as_handle(&server.pages), nullptr);
    uv_close(as_handle(&server.stop), nullptr);
  });
  self.listener.data = self.deadlines.data = self.pages.data = self.stop.data = &self;
  const SocketAddress local = to_socket_address(listen);
  int code = uv_tcp_bind(&self.listener, local.get(), 0);
  if (code == 0) {
    code = uv_listen(as_stream(&self.listener), backlog, [](uv_stream_t* stream, int status) {
      if (status == 0) static_cast<Impl*>(stream->data)->accept_one();
    });
  }
  self.thread = start_worker_thread([&self] { uv_run(&self.loop, UV_RUN_DEFAULT); });
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(impl)));
  if (code != 0) return listen_error("admin port", PortOf::Tcp, listen, code);
  return server;
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() {
  uv_async_send(&impl_->stop);
  impl_->thread.join();
  uv_loop_close(&impl_->loop);
}

}  // namespace perigee::host
