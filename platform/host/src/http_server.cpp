#include "perigee/host/http_server.hpp"

#include <algorithm>
#include <utility>

#include "descriptor_limit.hpp"
#include "http_server_impl.hpp"
#include "listen_error.hpp"
#include "perigee/host/loop.hpp"
#include "socket_address.hpp"
#include "uv_handle.hpp"
#include "worker_thread.hpp"

namespace perigee::host {
namespace {

constexpr int http_backlog = 512;  // room for a burst: a client beyond it repeats its SYN after 1 s
constexpr int http_accepts_per_turn_max = 16;     // existing connections get their turn in between
constexpr int http_kernel_bytes_max = 64 * 1024;  // of each connection, while it is not read
constexpr unsigned deadline_check_ms = 100;

}  // namespace

HttpServer::Impl::Connection::Connection(Impl& server)
    : owner(server),
      id(++server.connections_made),
      deadline_us(Loop::clock_us() + server.options.limits.request_us_max),
      reader(server.options.limits.body_bytes_max),
      tls(server.options.tls == nullptr ? nullptr : server.options.tls->begin()) {
  tcp.data = writing.data = ending.data = this;
}

void HttpServer::Impl::on_listener(int status) {
  // No descriptor is left: a connection is closed so that the next one can be accepted.
  if (status != 0 && !connections.empty()) return drop(displaced(), HttpDrop::Crowded);
  if (status != 0) return;
  held_back = accepted_this_turn == http_accepts_per_turn_max;
  if (!held_back) accept_one();
}

void HttpServer::Impl::accept_one() {
  ++accepted_this_turn;
  auto* connection = new Connection(*this);
  uv_tcp_init(&loop, &connection->tcp);
  connections.emplace(connection->id, connection);
  if (uv_is_active(as_handle(&deadlines)) == 0) {
    uv_timer_start(
        &deadlines, [](uv_timer_t* timer) { static_cast<Impl*>(timer->data)->check_deadlines(); },
        deadline_check_ms, deadline_check_ms);
  }
  if (uv_accept(as_stream(&listener), as_stream(&connection->tcp)) != 0) return close(*connection);
  SocketAddress from;
  int size = sizeof from.storage;
  if (uv_tcp_getpeername(&connection->tcp, from.get(), &size) != 0) return close(*connection);
  connection->client = from_socket_address(from.get());
  connection->source = source_of(connection->client);
  read_on(*connection);
  make_room();
}

void HttpServer::Impl::make_room() {
  while (connections.size() > options.limits.connections_max) {
    drop(displaced(), HttpDrop::Crowded);
  }
  while (answer_bytes() > options.limits.answer_bytes_max) {
    const auto slow = std::find_if(connections.begin(), connections.end(),
                                   [](const auto& each) { return !each.second->answer.empty(); });
    drop(*slow->second, HttpDrop::Crowded);
  }
}

/// Of the source with the most connections: the oldest that has its answer, else the oldest without
/// a complete request, else the oldest.
HttpServer::Impl::Connection& HttpServer::Impl::displaced() {
  Connection& oldest = *connections.at(most_connected(crowd()).value());
  for (const Stage stage : {Stage::Lingering, Stage::Reading}) {
    for (const auto& [id, each] : connections) {
      if (each->source == oldest.source && each->stage == stage) return *each;
    }
  }
  return oldest;
}

/// A call is a request that waits for its answer.
std::vector<CrowdMember> HttpServer::Impl::crowd() const {
  std::vector<CrowdMember> members;
  members.reserve(connections.size());
  for (const auto& [id, each] : connections) {
    members.push_back({id, each->source, each->stage == Stage::Waiting ? 1U : 0U});
  }
  return members;
}

std::size_t HttpServer::Impl::answer_bytes() const {
  std::size_t sum = 0;
  for (const auto& [id, each] : connections) sum += each->answer.size();
  return sum;
}

void HttpServer::Impl::check_deadlines() {
  const Micros now_us = Loop::clock_us();
  for (auto it = connections.begin(); it != connections.end();) {
    Connection& each = *it++->second;
    if (now_us < each.deadline_us) continue;
    if (each.stage == Stage::Reading && each.reader.begun()) {
      refuse(each, HttpFault::Late, HttpDrop::Slow);
    } else if (each.stage == Stage::Waiting) {
      answer(each, handler.refusal(each.reader.request(), HttpFault::Busy));
    } else if (each.stage == Stage::Lingering) {
      close(each);
    } else {
      drop(each, HttpDrop::Slow);
    }
  }
}

void HttpServer::Impl::drop(Connection& connection, HttpDrop reason) {
  if (connection.stage != Stage::Lingering) handler.dropped(reason);
  close(connection);
}

void HttpServer::Impl::close(Connection& connection) {
  if (uv_is_closing(as_handle(&connection.tcp)) != 0) return;
  connections.erase(connection.id);
  uv_close(as_handle(&connection.tcp),
           [](uv_handle_t* handle) { delete static_cast<Connection*>(handle->data); });
  if (connections.empty()) uv_timer_stop(&deadlines);
}

void HttpServer::Impl::close_all() {
  while (!connections.empty()) close(*connections.begin()->second);
  for (uv_handle_t* each : {as_handle(&listener), as_handle(&deadlines), as_handle(&turn),
                            as_handle(&made), as_handle(&stop)}) {
    uv_close(each, nullptr);
  }
}

/// 0, or libuv's error.
int HttpServer::Impl::listen() {
  const SocketAddress local = to_socket_address(options.listen);
  if (const int code = uv_tcp_bind(&listener, local.get(), 0); code != 0) return code;
  int bytes = http_kernel_bytes_max;  // connections inherit it
  uv_recv_buffer_size(as_handle(&listener), &bytes);
  return uv_listen(as_stream(&listener), http_backlog, [](uv_stream_t* stream, int status) {
    static_cast<Impl*>(stream->data)->on_listener(status);
  });
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(Options options, Handler handler) {
  auto impl = std::make_unique<Impl>(std::move(options), std::move(handler));
  Impl& self = *impl;
  const auto failure = [&](int code) {
    return listen_error(self.options.name, PortOf::Tcp, self.options.listen, code);
  };
  if (const int code = uv_loop_init(&self.loop); code != 0) return failure(code);
  reserve_descriptors(self.options.limits.connections_max);
  uv_tcp_init(&self.loop, &self.listener);
  uv_timer_init(&self.loop, &self.deadlines);
  uv_prepare_init(&self.loop, &self.turn);
  uv_async_init(&self.loop, &self.made,
                [](uv_async_t* async) { static_cast<Impl*>(async->data)->on_made(); });
  uv_async_init(&self.loop, &self.stop,
                [](uv_async_t* async) { static_cast<Impl*>(async->data)->close_all(); });
  self.listener.data = self.deadlines.data = self.turn.data = &self;
  self.made.data = self.stop.data = &self;
  uv_prepare_start(&self.turn, [](uv_prepare_t* prepare) {
    Impl& server = *static_cast<Impl*>(prepare->data);
    server.accepted_this_turn = 0;
    if (std::exchange(server.held_back, false)) server.accept_one();
  });
  const int code = self.listen();
  for (std::size_t i = 0; i < self.options.answers_at_once; ++i) {
    self.workers.push_back(
        std::make_unique<HttpWorker>(self.handler.answer, [&self] { uv_async_send(&self.made); }));
  }
  self.thread = start_worker_thread([&self] { uv_run(&self.loop, UV_RUN_DEFAULT); });
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(impl)));
  if (code != 0) return failure(code);
  return server;
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() {
  for (const auto& worker : impl_->workers) worker->stop();
  uv_async_send(&impl_->stop);
  impl_->thread.join();
  uv_loop_close(&impl_->loop);
}

}  // namespace perigee::host
