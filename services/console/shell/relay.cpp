#include "relay.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

namespace perigee::console {
namespace {

constexpr host::UdpOptions socket_options{
    .kernel_buffer_bytes = 256 << 10, .send_queue_datagrams = 64, .stamps = false};
constexpr std::size_t datagram_bytes_max = 1'225;  ///< of netcode
/// Datagrams for a browser that does not read: as many as a router would queue, not seconds of
/// them.
constexpr std::size_t waiting_bytes_max = 128 << 10;
constexpr std::uint16_t policy_code = 1008;

}  // namespace

Relay::Relay(host::Loop& loop, WebServer& web)
    : loop_(loop), web_(web), timer_(loop, [this] { pass_on_due(); }) {}
Relay::~Relay() = default;

void Relay::refuse(WebId socket, const std::string& reason) {
  ++counts_.refused;
  web_.close(socket, policy_code, reason);
}

void Relay::open(WebId socket, const WebQuery& query) {
  const auto named = parse_address(query_value(query, "gateway"));
  if (!named) return refuse(socket, "write relay?gateway=IP:PORT: " + named.error().message);
  const auto gateway = std::ranges::find(gateways_, *named, &Gateway::named);
  if (gateway == gateways_.end()) {
    return refuse(socket, to_string(*named) + " is no gateway of this cluster");
  }
  Session& session = sessions_[socket];
  session.gateway = gateway->reach;
  session.seed = socket;
  auto udp = host::UdpSocket::open(loop_, Address{session.gateway.family, 0, {}}, socket_options,
                                   [this, socket](auto got) { on_datagrams(socket, got); });
  if (!udp) {
    sessions_.erase(socket);
    return refuse(socket, udp.error().message);
  }
  session.udp.emplace(std::move(*udp));
}

void Relay::on_message(WebId socket, std::span<const std::byte> bytes, bool text) {
  constexpr std::string_view link_word = "link ";
  const auto found = sessions_.find(socket);
  if (found == sessions_.end()) return;
  Session& session = found->second;
  if (text) {
    const std::string_view words(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (words.starts_with(link_word)) {
      return set_link(socket, session, words.substr(link_word.size()));
    }
  }
  if (text || bytes.empty() || bytes.size() > datagram_bytes_max) {
    ++counts_.malformed;
    sessions_.erase(found);
    return web_.close(socket, policy_code, "a message must be a datagram of 1 to 1225 bytes");
  }
  ++counts_.up;
  const Micros now_us = host::Loop::clock_us();
  if (!session.up.engaged()) return session.udp->send(session.gateway, bytes);
  session.up.send(now_us, session.gateway, bytes);
  pass_on(socket, session, now_us);
}

void Relay::set_link(WebId socket, Session& session, std::string_view link) {
  const Micros now_us = host::Loop::clock_us();
  if (link == "none") {
    session.up.use(now_us, std::nullopt);
    session.down.use(now_us, std::nullopt);
    return;
  }
  const auto pair = read_link(link);
  if (!pair) {
    ++counts_.malformed;
    return web_.close(socket, policy_code, pair.error().message);
  }
  session.up.use(now_us, LinkSimulator(pair->up, session.seed, socket, 0));
  session.down.use(now_us, LinkSimulator(pair->down, session.seed, socket, 1));
}

void Relay::on_datagrams(WebId socket, std::span<const host::Datagram> datagrams) {
  const auto found = sessions_.find(socket);
  if (found == sessions_.end()) return;
  Session& session = found->second;
  const Micros now_us = host::Loop::clock_us();
  for (const host::Datagram& datagram : datagrams) {
    if (datagram.from != session.gateway) {
      ++counts_.foreign;
      continue;
    }
    ++counts_.down;
    if (session.down.engaged()) {
      session.down.send(now_us, datagram.from, datagram.bytes);
    } else {
      send_down(socket, datagram.bytes);
    }
  }
  pass_on(socket, session, now_us);
}

void Relay::send_down(WebId socket, std::span<const std::byte> datagram) {
  web_.send(socket, {.bytes = std::make_shared<const std::string>(
                         reinterpret_cast<const char*>(datagram.data()), datagram.size()),
                     .waiting_bytes_max = waiting_bytes_max});
}

void Relay::pass_on(WebId socket, Session& session, Micros now_us) {
  while (const auto arrival = session.up.receive(now_us)) {
    session.udp->send(arrival->peer, arrival->datagram);
  }
  while (const auto arrival = session.down.receive(now_us)) send_down(socket, arrival->datagram);
  for (const auto next_us : {session.up.next_us(), session.down.next_us()}) {
    if (next_us && (!due_us_ || *next_us < *due_us_)) timer_.at(*(due_us_ = next_us));
  }
}

void Relay::pass_on_due() {
  due_us_.reset();
  const Micros now_us = host::Loop::clock_us();
  for (auto& [socket, session] : sessions_) pass_on(socket, session, now_us);
}

}  // namespace perigee::console
