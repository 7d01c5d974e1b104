/// The state of the cluster for pages: the directory and the workers are asked twice a second, and
/// the workers' observations are read while a page watches entities. It has threads of its own.
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
#include "perigee/base/tick.hpp"
#include "sim.grpc.pb.h"

namespace perigee::console {

class ClusterWatch {
 public:
  static constexpr Micros period_us = 500'000;
  static constexpr Micros call_us_max = 400'000;
  static constexpr std::size_t observed_workers_max = 32;

  /// Called on the watch's threads; must not block.
  struct Events {
    std::function<void(const directory::v1::ClusterMap&)> map;
    /// No directory answers.
    std::function<void(const std::string& why)> unreachable;
    std::function<void(std::uint32_t slot, const sim::v1::StatusReply&)> status;
    std::function<void(std::uint32_t slot, const sim::v1::Observation&)> observation;
  };
  ClusterWatch(std::string directory, Events events);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  /// Whether a page watches entities. Any thread.
  void observe(bool wanted) { observe_ = wanted; }

 private:
  /// A worker's stream of observations, read by a thread.
  class Observed;
  void run();
  bool ask_directory();
  void ask_workers();
  void follow_observations();

  const std::string directory_;
  const Events events_;
  std::atomic<bool> observe_{false};
  std::unique_ptr<directory::v1::Directory::Stub> stub_;
  directory::v1::ClusterMap map_;
  std::map<std::string, std::unique_ptr<sim::v1::Sim::Stub>> workers_;  ///< by gRPC address
  std::map<std::string, std::unique_ptr<Observed>> observed_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace perigee::console
