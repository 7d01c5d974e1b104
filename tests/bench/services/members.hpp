/// Workers and gateways that are names only: registered with a directory process, heard of once a
/// second, watching its map, each over a connection of its own.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "directory.grpc.pb.h"
#include "perigee/netcode/cluster_map.hpp"

namespace perigee::bench {

class Members {
 public:
  /// Of the game that log-ins name.
  static constexpr std::uint64_t schema_hash = 77;
  /// What each worker's report names: about what people and crates of a crowded region stand in.
  static constexpr int cells_reported = 64;

  Members(std::string directory, unsigned workers, unsigned gateways);
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// False: somebody was refused. Once, before the others.
  bool enrol();
  /// From here on all of them are heard of and watch.
  void begin();
  /// Whether all have heard a version of the map that is at least this.
  bool all_have(std::uint64_t version) const;
  std::uint64_t newest_version() const;
  /// Of the newest map, as it went over the wire.
  std::uint64_t map_bytes() const { return map_bytes_; }
  /// A change of the map that concerns nobody: a gateway's public address is another one.
  bool change_map();
  unsigned size() const { return static_cast<unsigned>(members_.size()); }

 private:
  struct Member {
    bool worker = true;
    unsigned index = 0;  ///< of its kind
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
  std::atomic<std::uint32_t> incarnation_ = 0;
  std::atomic<std::uint64_t> map_bytes_ = 0;
  unsigned changes_ = 0;
};

}  // namespace perigee::bench
