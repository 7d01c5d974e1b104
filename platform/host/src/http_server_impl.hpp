/// The server's thread: its connections, and the order in which they are answered.
#pragma once

#include <uv.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http_worker.hpp"
#include "perigee/host/connection_crowd.hpp"
#include "perigee/host/http_server.hpp"

namespace perigee::host {

struct HttpServer::Impl {
  enum class Stage : std::uint8_t {
    Reading,
    Waiting,  ///< the request is complete; its answer is not
    Answering,
    Lingering
  };

  /// Owned by `connections` while open, by the loop while it closes.
  struct Connection {
    explicit Connection(Impl& server);

    uv_tcp_t tcp{};
    uv_write_t writing{};
    uv_shutdown_t ending{};
    Impl& owner;
    const std::uint64_t id;
    Address client;
    std::uint64_t source = 0;
    Stage stage = Stage::Reading;
    Micros deadline_us = 0;
    HttpReader reader;
    std::unique_ptr<TlsSession> tls;  ///< null: plain
    std::string answer;               ///< being sent
    bool with_body = true;
    bool answer_begun = false;  ///< a worker makes it
  };

  Impl(Options wanted, Handler h) : options(std::move(wanted)), handler(std::move(h)) {}

  // http_server.cpp: connections come and go.
  int listen();
  void on_listener(int status);
  void accept_one();
  void make_room();
  Connection& displaced();
  std::vector<CrowdMember> crowd() const;
  std::size_t answer_bytes() const;
  void check_deadlines();
  void drop(Connection& connection, HttpDrop reason);
  void close(Connection& connection);
  void close_all();

  // http_exchange.cpp: one connection from its first byte to its last.
  void read_on(Connection& connection);
  void on_read(Connection& connection, ssize_t count);
  void on_encrypted(Connection& connection, std::string_view bytes);
  void on_bytes(Connection& connection, std::string_view bytes);
  bool send_at_once(Connection& connection, std::string_view bytes);
  void on_head(Connection& connection);
  void refuse(Connection& connection, HttpFault fault, HttpDrop reason);
  void wait(Connection& connection);
  void begin_next();
  void on_made();
  void answer(Connection& connection, const HttpAnswer& ready);
  void encrypt_answer(Connection& connection);
  void linger(Connection& connection);

  const Options options;
  const Handler handler;
  uv_loop_t loop{};
  uv_tcp_t listener{};
  uv_async_t stop{};
  uv_async_t made{};  ///< the worker has an answer
  uv_timer_t deadlines{};
  uv_prepare_t turn{};                               ///< begin of a turn of the loop
  std::map<std::uint64_t, Connection*> connections;  ///< oldest first
  std::uint64_t connections_made = 0;
  int accepted_this_turn = 0;
  bool held_back = false;  ///< an accepted connection waits in libuv for the next turn
  std::array<char, 4'096> read_buffer{};
  std::vector<std::unique_ptr<HttpWorker>> workers;
  std::thread thread;
};

}  // namespace perigee::host
