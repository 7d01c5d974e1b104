/// A request or a socket of the web server. Guarded by the server's mutex.
#pragma once

#include <optional>
#include <string>

#include "perigee/console/outgoing.hpp"
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
  OutgoingQueue outgoing;
  struct Close {
    std::uint16_t code;
    std::string reason;
  };
  std::optional<Close> close;
};

}  // namespace perigee::console
