// One connection of an HTTP server: request, answer, and the wait for the client to close.
#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "http_server_impl.hpp"
#include "perigee/host/loop.hpp"
#include "uv_handle.hpp"

namespace perigee::host {

void HttpServer::Impl::read_on(Connection& connection) {
  const int failed = uv_read_start(
      as_stream(&connection.tcp),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        auto& memory = static_cast<Connection*>(handle->data)->owner.read_buffer;
        *buffer = uv_buf_init(memory.data(), static_cast<unsigned>(memory.size()));
      },
      [](uv_stream_t* stream, ssize_t count, const uv_buf_t*) {
        auto& from = *static_cast<Connection*>(stream->data);
        from.owner.on_read(from, count);
      });
  if (failed != 0 && failed != UV_EALREADY) close(connection);
}

void HttpServer::Impl::on_read(Connection& connection, ssize_t count) {
  if (count >= 0) {
    const std::string_view bytes(read_buffer.data(), static_cast<std::size_t>(count));
    return connection.tls ? on_encrypted(connection, bytes) : on_bytes(connection, bytes);
  }
  // A client may close its half and still wait for its answer.
  const bool half = count == UV_EOF;
  if (half && connection.stage == Stage::Answering) return;
  if (half && connection.stage == Stage::Reading && connection.reader.begun()) {
    return refuse(connection, HttpFault::Ended, HttpDrop::Malformed);
  }
  close(connection);
}

/// Handshakes are answered here; the request is what comes after them.
void HttpServer::Impl::on_encrypted(Connection& connection, std::string_view bytes) {
  if (connection.stage != Stage::Reading) return;
  std::vector<std::byte> plain;
  const bool good = connection.tls->received(std::as_bytes(std::span(bytes)), plain);
  if (!send_at_once(connection, {})) return close(connection);
  if (!plain.empty()) {
    on_bytes(connection, {reinterpret_cast<const char*>(plain.data()), plain.size()});
  }
  if (!good && connection.stage == Stage::Reading) drop(connection, HttpDrop::Malformed);
}

/// For a few bytes before the answer, for which the kernel has room. False: it has not.
bool HttpServer::Impl::send_at_once(Connection& connection, std::string_view bytes) {
  std::vector<std::byte> encrypted;
  if (connection.tls) {
    if (!connection.tls->send(std::as_bytes(std::span(bytes)))) return false;
    connection.tls->take_output(encrypted);
    bytes = {reinterpret_cast<const char*>(encrypted.data()), encrypted.size()};
  }
  if (bytes.empty()) return true;
  const uv_buf_t all =
      uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
  return uv_try_write(as_stream(&connection.tcp), &all, 1) == static_cast<int>(bytes.size());
}

void HttpServer::Impl::on_bytes(Connection& connection, std::string_view bytes) {
  if (connection.stage != Stage::Reading) return;
  HttpReader& reader = connection.reader;
  const bool had_head = reader.has_head();
  const HttpRead read = reader.take(bytes);
  if (!had_head && reader.has_head()) on_head(connection);
  if (connection.stage != Stage::Reading) return;
  if (read == HttpRead::Refused) return refuse(connection, reader.fault(), HttpDrop::Malformed);
  if (read == HttpRead::Complete) wait(connection);
}

void HttpServer::Impl::on_head(Connection& connection) {
  const HttpReader& reader = connection.reader;
  connection.with_body = reader.request().method != "HEAD";
  if (const auto prompt = handler.prompt(reader.request())) return answer(connection, *prompt);
  if (reader.read() != HttpRead::Body || !reader.request().expects_continue) return;
  // A client without it sends the body later.
  if (!send_at_once(connection, "HTTP/1.1 100 Continue\r\n\r\n")) close(connection);
}

void HttpServer::Impl::refuse(Connection& connection, HttpFault fault, HttpDrop reason) {
  handler.dropped(reason);
  const HttpReader& reader = connection.reader;
  answer(connection, handler.refusal(reader.has_head() ? reader.request() : HttpRequest{}, fault));
}

/// The kernel keeps further bytes of the client.
void HttpServer::Impl::wait(Connection& connection) {
  uv_read_stop(as_stream(&connection.tcp));
  connection.stage = Stage::Waiting;
  connection.deadline_us = Loop::clock_us() + options.limits.answer_us_max;
  begin_next();
}

/// The next request is the oldest of the source with the fewest waiting requests.
void HttpServer::Impl::begin_next() {
  const auto idle =
      std::find_if(workers.begin(), workers.end(), [](const auto& each) { return each->idle(); });
  if (idle == workers.end()) return;
  std::set<std::uint64_t> waiting;
  for (const auto& [id, each] : connections) {
    if (each->stage == Stage::Waiting && !each->answer_begun) waiting.insert(id);
  }
  const auto order = lightest_first(crowd(), waiting);
  if (order.empty()) return;
  Connection& next = *connections.at(order.front());
  next.answer_begun = true;
  (*idle)->begin({next.id, next.reader.request(), next.client});
}

void HttpServer::Impl::on_made() {
  for (const auto& worker : workers) {
    const auto done = worker->take();
    if (!done) continue;
    const auto to = connections.find(done->id);
    if (to != connections.end() && to->second->stage == Stage::Waiting) {
      answer(*to->second, done->answer);
    }
    begin_next();
  }
}

void HttpServer::Impl::answer(Connection& connection, const HttpAnswer& ready) {
  handler.answered(ready.status);
  connection.answer = bytes_of(ready, connection.with_body);
  if (connection.tls) encrypt_answer(connection);
  connection.stage = Stage::Answering;
  connection.deadline_us = Loop::clock_us() + options.limits.answer_us_max;
  const uv_buf_t bytes =
      uv_buf_init(connection.answer.data(), static_cast<unsigned>(connection.answer.size()));
  const int failed = uv_write(&connection.writing, as_stream(&connection.tcp), &bytes, 1,
                              [](uv_write_t* written, int status) {
                                auto& to = *static_cast<Connection*>(written->data);
                                if (status == UV_ECANCELED) return;  // it is being closed
                                status == 0 ? to.owner.linger(to) : to.owner.close(to);
                              });
  if (failed != 0) close(connection);
}

void HttpServer::Impl::encrypt_answer(Connection& connection) {
  std::vector<std::byte> encrypted;
  connection.tls->send(std::as_bytes(std::span(connection.answer)));
  connection.tls->finish();
  connection.tls->take_output(encrypted);
  connection.answer.assign(reinterpret_cast<const char*>(encrypted.data()), encrypted.size());
}

// Closing at once would reset the connection if the client is still sending, and the answer in
// transit would be lost.
void HttpServer::Impl::linger(Connection& connection) {
  connection.stage = Stage::Lingering;
  connection.deadline_us = Loop::clock_us() + options.limits.linger_us_max;
  connection.answer = {};
  const int failed =
      uv_shutdown(&connection.ending, as_stream(&connection.tcp), [](uv_shutdown_t*, int) {});
  if (failed != 0) return close(connection);
  read_on(connection);
}

}  // namespace perigee::host
