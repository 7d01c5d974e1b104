#include "agones_news.hpp"

#include <algorithm>

#include "agones.hpp"

namespace perigee::rooms {

GameServerNews read_game_server(const agones::dev::sdk::GameServer& server) {
  GameServerNews seen{.health_us = Agones::health_us_max};
  const agones::dev::sdk::GameServer::Status& status = server.status();
  seen.state = status.state();
  seen.being_deleted = server.object_meta().deletion_timestamp() != 0;
  for (const auto& port : status.ports()) {
    const bool players = port.name() == Agones::port_name || status.ports_size() == 1;
    if (!players || port.port() < 1 || port.port() > 65'535 || status.address().empty()) continue;
    const bool v6 = status.address().find(':') != std::string::npos;
    seen.dialled =
        (v6 ? "[" + status.address() + "]" : status.address()) + ":" + std::to_string(port.port());
  }
  if (const Micros period_s = server.spec().health().period_seconds(); period_s > 0) {
    seen.health_us = std::clamp<Micros>(period_s * 1'000'000 / 3, 200'000, Agones::health_us_max);
  }
  return seen;
}

}  // namespace perigee::rooms
