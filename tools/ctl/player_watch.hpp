/// Newest reports of the gateways about their players, read by a thread for each gateway.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "directory.pb.h"
#include "gateway.grpc.pb.h"

namespace perigee::session {

class PlayerWatch {
 public:
  ~PlayerWatch();

  /// Watches the gateways that are alive, and no others.
  void follow(const directory::v1::ClusterMap& map);
  /// None: that gateway has not reported yet, or not for a while.
  std::optional<gateway::v1::PlayersReport> newest(const std::string& gateway) const;

 private:
  class Stream;
  std::map<std::string, std::unique_ptr<Stream>> streams_;  ///< by the gateway's name
};

/// Figures of all players in a gateway's report.
struct PlayerFigures {
  unsigned players = 0;  ///< with an avatar
  double rtt_p50_ms = 0, rtt_p99_ms = 0, jitter_p99_ms = 0, loss_percent = 0;
  double kb_per_s = 0;             ///< received by each
  double corrections_per_min = 0;  ///< of each, since it joined
};
PlayerFigures figures_of(const gateway::v1::PlayersReport& report);

}  // namespace perigee::session
