#include "web_connection.hpp"

#include <algorithm>

namespace perigee::console {

bool WebConnection::push(Micros now_us, WebServer::Message message) {
  if (outgoing.empty()) progress_us = now_us;
  stuck = now_us - progress_us > WebServer::stuck_us_max;
  if (message.kind != 0) {
    const auto waiting = std::ranges::find(outgoing, message.kind, &WebServer::Message::kind);
    if (waiting != outgoing.end()) {
      outgoing_bytes -= waiting->bytes->size();
      outgoing.erase(waiting);
    }
  }
  if (outgoing_bytes + message.bytes->size() > WebServer::waiting_bytes_max) return false;
  outgoing_bytes += message.bytes->size();
  outgoing.push_back(std::move(message));
  return true;
}

std::optional<WebServer::Message> WebConnection::pop(Micros now_us) {
  if (outgoing.empty()) return std::nullopt;
  progress_us = now_us;
  WebServer::Message message = std::move(outgoing.front());
  outgoing.pop_front();
  outgoing_bytes -= message.bytes->size();
  return message;
}

}  // namespace perigee::console
