/// A small HTTP/1.1 server on its own thread. Slow, idle and excess connections affect each other
/// but never delay the answer to a prompt request: the server never blocks on a client.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/host/admin_server.hpp"

namespace perigee::host {

class HttpServer {
 public:
  /// More than the kernel's queue of pending connections: a burst of the size of that queue cannot
  /// displace a connection that came with it.
  static constexpr std::size_t connections_max = 256;
  static constexpr int backlog = 128;
  /// From the connection to its complete request.
  static constexpr Micros request_us_max = 2'000'000;
  static constexpr Micros answer_us_max = 10'000'000;         ///< for the client to read the answer
  static constexpr Micros linger_us_max = 1'000'000;          ///< then, for the client to close
  static constexpr std::size_t answer_bytes_max = 32U << 20;  ///< of all answers not yet sent

  struct Handler {
    /// Prompt pages are answered immediately; others one per turn of the loop.
    std::function<bool(std::string_view path)> prompt;
    /// Called on the server's thread; must not block.
    std::function<HttpAnswer(std::string_view path)> answer;
    std::function<void(AdminDrop reason)> dropped;
  };
  static Result<std::unique_ptr<HttpServer>> start(const Address& listen, Handler handler);
  /// Closes all connections and ends the thread.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
