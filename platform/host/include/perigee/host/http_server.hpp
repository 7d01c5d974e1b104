/// A small HTTP/1.1 server: one request per connection. One thread reads and writes and never waits
/// for a client or for an answer; other threads make the answers that may take time. Slow, idle
/// and excess connections of a source address displace only connections of that address.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/http_answer.hpp"
#include "perigee/host/http_limits.hpp"
#include "perigee/host/http_request.hpp"
#include "perigee/host/tls.hpp"

namespace perigee::host {

class HttpServer {
 public:
  struct Handler {
    /// The answer to a request whose body is not needed. Called as soon as the head has arrived, on
    /// the server's thread; must not block. None: `answer` will be asked.
    std::function<std::optional<HttpAnswer>(const HttpRequest& head)> prompt;
    /// Called for complete requests, on the threads that make answers; may block.
    std::function<HttpAnswer(const HttpRequest& request, const Address& client)> answer;
    /// The form of a refusal. `head`: as far as it was read. Called on the server's thread.
    std::function<HttpAnswer(const HttpRequest& head, HttpFault fault)> refusal;
    /// Both are called on the server's thread.
    std::function<void(HttpDrop reason)> dropped;
    std::function<void(int status)> answered;
  };
  struct Options {
    std::string name;  ///< for errors: "admin port"
    Address listen;
    HttpLimits limits;
    const TlsServer* tls = nullptr;   ///< must outlive the server; null: plain
    std::size_t answers_at_once = 1;  ///< threads that make answers
  };
  static Result<std::unique_ptr<HttpServer>> start(Options options, Handler handler);
  /// Closes all connections, and waits for an answer that is being made.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
