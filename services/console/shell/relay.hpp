/// Datagrams between browsers and gateways: a browser has no UDP, so each of its WebSocket messages
/// is one datagram. A WebSocket hides loss, so the relay can simulate a bad path. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/impaired_path.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/udp_socket.hpp"
#include "web_server.hpp"

namespace perigee::console {

class Relay {
 public:
  struct Counts {
    std::uint64_t up = 0, down = 0;  ///< datagrams
    std::uint64_t refused = 0;       ///< sockets
    std::uint64_t malformed = 0;     ///< messages
    std::uint64_t foreign = 0;       ///< datagrams from other senders than the gateway
  };

  Relay(host::Loop& loop, WebServer& web);
  ~Relay();

  struct Gateway {
    Address named;  ///< as tokens name it
    Address reach;  ///< as this process reaches it: another one where ports are forwarded
  };
  /// The only destinations.
  void set_gateways(std::vector<Gateway> gateways) { gateways_ = std::move(gateways); }
  /// `query`: gateway=IP:PORT. An unknown gateway closes the socket with the reason.
  void open(WebId socket, const WebQuery& query);
  /// A datagram; or, as text, "link " and a link as perigee_client_link() takes it, or "link none".
  void on_message(WebId socket, std::span<const std::byte> bytes, bool text);
  void close(WebId socket) { sessions_.erase(socket); }

  std::size_t sessions() const { return sessions_.size(); }
  const Counts& counts() const { return counts_; }

 private:
  struct Session {
    Address gateway;
    std::optional<host::UdpSocket> udp;
    ImpairedPath up, down;
    std::uint64_t seed = 0;
  };
  void on_datagrams(WebId socket, std::span<const host::Datagram> datagrams);
  void set_link(WebId socket, Session& session, std::string_view link);
  void pass_on(WebId socket, Session& session, Micros now_us);
  void pass_on_due();
  void send_down(WebId socket, std::span<const std::byte> datagram);
  void refuse(WebId socket, const std::string& reason);

  host::Loop& loop_;
  WebServer& web_;
  std::vector<Gateway> gateways_;
  std::map<WebId, Session> sessions_;
  host::Timer timer_;
  std::optional<Micros> due_us_;  ///< when the timer fires
  Counts counts_;
};

}  // namespace perigee::console
