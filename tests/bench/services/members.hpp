/// Simulated workers and gateways: registered with a directory process, with a heartbeat per
/// second, watching its map, each over its own connection.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "directory.grpc.pb.h"
#include "perigee/base/cluster_map.hpp"

namespace perigee::bench {

class Members {
 public:
  /// Of the game in the log-ins.
  static constexpr std::uint64_t schema_hash = 77;
  /// Cells in each worker's report: about as many as the players and crates of a crowded region are
  /// in.
  static constexpr int cells_reported = 64;

  Members(std::string directory, unsigned workers, unsigned gateways);
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// False: a member was refused. Called once, before the other functions.
  bool enrol();
  /// From here on all of them send heartbeats and watch the map.
  void begin();
  /// Whether all have received at least this version of the map.
  bool all_have(std::uint64_t version) const;
  std::uint64_t newest_version() const;
  /// Size of the newest whole map and of the newest difference, as received.
  std::uint64_t map_bytes() const { return map_bytes_; }
  std::uint64_t change_bytes() const { return change_bytes_; }
  /// Makes a change of the map that affects no member: a gateway's public address.
  bool change_map();
  unsigned size() const { return static_cast<unsigned>(members_.size()); }

 private:
  struct Member {
    bool worker = true;
    unsigned index = 0;  ///< among those of its kind
    std::uint32_t slot = 0;
    std::unique_ptr<directory::v1::Directory::Stub> stub;
    std::atomic<std::uint64_t> version = 0;
    grpc::ClientContext watching;  ///< of its one call for maps
  };
  bool enrol(Member& member);
  bool enrol_gateway(Member& member, unsigned public_port);
  void beat(const Member& member) const;
  void watch(Member& member);

  std::string directory_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::thread> threads_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint32_t> cluster_id_ = 0;
  std::atomic<std::uint64_t> map_bytes_ = 0;
  std::atomic<std::uint64_t> change_bytes_ = 0;
  unsigned changes_ = 0;
};

}  // namespace perigee::bench
