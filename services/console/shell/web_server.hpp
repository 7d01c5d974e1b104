/// HTTP and WebSockets for the console's pages (libwebsockets), on a thread of its own. Nothing
/// waits for a browser: a socket that reads slowly loses messages, and is closed in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/console/access.hpp"
#include "perigee/console/outgoing.hpp"

namespace perigee::console {

/// Parts of a query, decoded: "a=1".
using WebQuery = std::vector<std::string>;
/// The value of `key`; empty: there is none.
std::string query_value(const WebQuery& query, std::string_view key);

/// A request or a socket; never reused.
using WebId = std::uint64_t;

struct WebRequest {
  std::string method;  ///< GET or POST
  std::string path;    ///< "/live"
  WebQuery query;
  std::string body;
  std::string type;  ///< Content-Type
  Caller caller;
};

struct WebAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

class WebServer {
 public:
  static constexpr std::size_t connections_max = 256;
  static constexpr std::size_t sockets_max = 64;
  static constexpr std::size_t body_bytes_max = 16'384;
  static constexpr std::size_t message_bytes_max = 4'096;  ///< from a browser

  /// Called on the server's thread; they must not block. Answers may be given later, from any
  /// thread.
  struct Handler {
    std::function<void(WebId, WebRequest)> request;
    /// A socket. To refuse it, close it: a browser's page can read the reason, unlike that of a
    /// refused handshake.
    std::function<void(WebId, WebRequest)> opened;
    std::function<void(WebId, std::string bytes, bool text)> message;
    std::function<void(WebId)> closed;
  };
  /// Binds the port.
  static Result<std::unique_ptr<WebServer>> open(const Address& listen);
  /// Starts to serve. Call it once.
  void start(Handler handler);
  /// Closes all connections and ends the thread.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  /// Any thread. Ignored if the browser is gone.
  void answer(WebId request, WebAnswer answer);
  /// Any thread. False: it does not fit, so it is dropped; or the socket is gone.
  bool send(WebId socket, OutgoingMessage message);
  /// Closes a socket with a code of RFC 6455 and a reason of at most 120 bytes.
  void close(WebId socket, std::uint16_t code, std::string reason);

  struct Counts {
    std::uint32_t sockets = 0;
    std::uint64_t requests = 0;
    std::uint64_t dropped = 0;    ///< messages to browsers that read too slowly
    std::uint64_t stuck = 0;      ///< sockets closed because nothing could be written
    std::uint64_t malformed = 0;  ///< requests and messages that are too long or no HTTP
  };
  Counts counts() const;

 private:
  struct Impl;
  explicit WebServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::console
