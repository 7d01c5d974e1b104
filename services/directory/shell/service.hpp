/// The gRPC face of the directory's core. Calls come on gRPC's threads; one mutex orders them.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "directory.grpc.pb.h"
#include "perigee/directory/core.hpp"
#include "state_file.hpp"

namespace perigee::directory {

class Service final : public v1::Directory::Service {
 public:
  /// A watcher holds a thread: members of a full map, and people beside them.
  static constexpr std::uint32_t watchers_max = workers_max + gateways_max + 56;

  Service(Core core, WorldClock clock, StateFile file);

  grpc::Status RegisterWorker(grpc::ServerContext*, const v1::RegisterWorkerRequest* request,
                              v1::RegisterWorkerReply* reply) override;
  grpc::Status RegisterGateway(grpc::ServerContext*, const v1::RegisterGatewayRequest* request,
                               v1::RegisterGatewayReply* reply) override;
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                         v1::HeartbeatReply* reply) override;
  grpc::Status SignOff(grpc::ServerContext*, const v1::SignOffRequest* request,
                       v1::SignOffReply* reply) override;
  grpc::Status WatchMap(grpc::ServerContext* context, const v1::WatchMapRequest* request,
                        grpc::ServerWriter<v1::ClusterMap>* writer) override;
  grpc::Status GetTime(grpc::ServerContext*, const v1::GetTimeRequest*,
                       v1::GetTimeReply* reply) override;
  grpc::Status ListMap(grpc::ServerContext*, const v1::ListMapRequest*,
                       v1::ClusterMap* reply) override;

  /// A worker that does not answer for so long, and is suspected by its buddy, is dead. Less: busy
  /// machines kill; more: their players wait.
  static constexpr Micros probe_us_max = 100'000;
  static constexpr Micros save_us_max = 60'000'000;  ///< so that time never goes back by more

  /// What an operator asks for, on any thread. Answers why it was refused, if it was.
  std::optional<Error> order(const std::string& what,
                             const std::function<std::optional<Error>(Core&, Micros)>& done);

  /// The core's duty, four times a second.
  void advance();
  /// Ends all watches, so that the server can stop.
  void stop();

  struct Picture {
    ClusterMap map;
    std::uint64_t deaths = 0;
    std::uint32_t handle_blocks_left = 0;
    std::uint64_t reports_refused = 0;
    std::array<std::uint64_t, change_kinds> changes{};
    double imbalance = 1;
    std::uint64_t rate_changes = 0;
    std::uint32_t overloaded = 0;  ///< workers that ask for relief
    double largest_island_ms = 0;
    std::uint32_t away = 0;  ///< entities that are not with their region's owner
    std::uint64_t refusals = 0;
    std::uint32_t watchers = 0;
    std::uint64_t saved = 0;
    std::uint64_t save_failures = 0;
    std::uint64_t signed_off = 0;
    std::uint64_t bequeathed = 0;
    std::uint64_t suspicions_refuted = 0;
  };
  Picture picture();

 private:
  struct Doubt {
    WorkerLife suspect;
    Address grpc;
  };
  Micros now_us() const { return clock_.now_us(); }
  void settle(const Doubt& doubt);
  grpc::Status refuse(Refusal refusal);
  /// After every change of the core, under the mutex: what others have seen is never forgotten.
  void announce();
  void save();
  v1::ClusterMap message() const;

  const WorldClock clock_;
  const StateFile file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Core core_;
  WorldTime saved_time_;
  std::uint64_t announced_version_ = 0;
  std::uint64_t saved_version_ = 0;
  Micros saved_us_ = 0;
  bool unsaved_ = false;  ///< what no version of the map tells
  std::uint64_t saved_ = 0;
  std::uint64_t save_failures_ = 0;
  bool save_failing_ = false;
  std::uint64_t refusals_ = 0;
  std::uint64_t signed_off_ = 0;
  std::uint64_t suspicions_refuted_ = 0;
  std::uint32_t watchers_ = 0;
  bool stopping_ = false;
};

}  // namespace perigee::directory
