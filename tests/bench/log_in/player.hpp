/// A player that only connects to a gateway: netcode 1.02 over a socket of its own.
#pragma once

#include <span>

#include "perigee/transport/client.hpp"

namespace perigee::bench {

class Player {
 public:
  Player();
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// Waits until the gateway has granted the session. False: it has not, within ten seconds.
  bool connect(std::span<const std::byte> token);
  void disconnect();

 private:
  void send_all();
  void receive_all();

  const int socket_;
  transport::Client client_;
};

}  // namespace perigee::bench
