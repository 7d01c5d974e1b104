#include "player.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "perigee/base/assert.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::bench {
namespace {

constexpr Micros connect_us_max = 10'000'000;

sockaddr_in loopback_at(std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(port);
  return out;
}

}  // namespace

Player::Player() : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  PERIGEE_ASSERT(socket_ >= 0, "a socket");
}
Player::~Player() { close(socket_); }

bool Player::connect(std::span<const std::byte> token) {
  const Micros began_us = host::Loop::clock_us();
  if (!client_.begin(began_us, token)) return false;
  while (!client_.connected() && host::Loop::clock_us() - began_us < connect_us_max) {
    client_.advance(host::Loop::clock_us());
    send_all();
    pollfd one{socket_, POLLIN, 0};
    poll(&one, 1, 1);
    receive_all();
  }
  return client_.connected();
}

void Player::disconnect() {
  client_.disconnect(host::Loop::clock_us());
  send_all();
}

void Player::send_all() {
  while (const auto outgoing = client_.poll_send()) {
    const sockaddr_in to = loopback_at(outgoing->to.port);
    sendto(socket_, outgoing->datagram.data(), outgoing->datagram.size(), 0,
           reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }
}

void Player::receive_all() {
  std::array<std::byte, 2'048> bytes{};
  for (;;) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = recvfrom(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT,
                                 reinterpret_cast<sockaddr*>(&from), &size);
    if (got <= 0) return;
    client_.receive(host::Loop::clock_us(), Address::v4(127, 0, 0, 1, ntohs(from.sin_port)),
                    std::span(bytes).first(static_cast<std::size_t>(got)));
  }
}

}  // namespace perigee::bench
