/// The state of the cluster for pages: the directory and the workers are asked twice a second, and
/// observations of workers and reports of gateways are read while a page watches them. It has
/// threads of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "directory.grpc.pb.h"
#include "gateway.grpc.pb.h"
#include "perigee/base/tick.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "sim.grpc.pb.h"

namespace perigee::console {

class ClusterWatch {
 public:
  static constexpr Micros period_us = 500'000;
  static constexpr Micros call_us_max = 400'000;
  static constexpr std::size_t followed_max = 64;  ///< streams, each of which has a thread

  /// Called on the watch's threads; must not block.
  struct Events {
    std::function<void(const directory::v1::ClusterMap&)> map;
    /// No directory answers.
    std::function<void(const std::string& why)> unreachable;
    std::function<void(std::uint32_t slot, const sim::v1::StatusReply&)> status;
    std::function<void(std::uint32_t slot, const sim::v1::Observation&)> observation;
    std::function<void(std::uint32_t gateway_slot, const gateway::v1::PlayersReport&)> players;
  };
  /// `tls`: for calls; null: without TLS. Outlives the watch.
  ClusterWatch(std::string directory, const host::ClusterTls* tls, Events events);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  /// What pages watch.
  struct Wanted {
    bool entities = false;
    bool players = false;
  };
  /// Any thread.
  void follow(Wanted wanted) { wanted_ = wanted; }

 private:
  using ReadStream = std::function<void(grpc::ClientContext&)>;
  /// A stream of a worker or a gateway, read by a thread.
  class Followed;
  void run();
  bool ask_directory();
  void ask_workers();
  void follow_streams();
  ReadStream observations_of(const directory::v1::Worker& worker) const;
  ReadStream players_of(const directory::v1::Gateway& gateway) const;

  const std::string directory_;
  const host::ClusterTls* const tls_;
  const Events events_;
  std::atomic<Wanted> wanted_{};
  std::unique_ptr<directory::v1::Directory::Stub> stub_;
  directory::v1::ClusterMap map_;
  std::map<std::string, std::unique_ptr<sim::v1::Sim::Stub>> workers_;  ///< by gRPC address
  std::map<std::string, std::unique_ptr<Followed>> followed_;           ///< by what it streams
  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace perigee::console
