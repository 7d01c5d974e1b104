/// A request or a socket of the web server. Guarded by the server's mutex.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "web_server.hpp"

struct lws;

namespace perigee::console {

struct WebConnection {
  lws* wsi = nullptr;
  bool socket = false;
  WebRequest request;
  std::optional<WebAnswer> answer;
  bool headers_sent = false;

  std::string incoming;  ///< fragments of a message
  std::deque<WebServer::Message> outgoing;
  std::size_t outgoing_bytes = 0;
  Micros progress_us = 0;  ///< last write, or when the queue became non-empty
  struct Close {
    std::uint16_t code;
    std::string reason;
  };
  std::optional<Close> close;
  bool stuck = false;

  /// False: there is no room.
  bool push(Micros now_us, WebServer::Message message);
  std::optional<WebServer::Message> pop(Micros now_us);
};

}  // namespace perigee::console
