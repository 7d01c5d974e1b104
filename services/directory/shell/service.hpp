/// The gRPC face of the directory's seat. Calls come on gRPC's threads; one mutex orders them.
/// A directory that does not lead answers ABORTED, and why: members then ask the next one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "directory.grpc.pb.h"
#include "map_watchers.hpp"
#include "perigee/directory_seat/seat.hpp"
#include "perigee/host/grpc_limits.hpp"

namespace perigee::directory {

/// Calls that only look hold no thread, however slowly they are sent or read.
using LookingCalls =
    v1::Directory::WithCallbackMethod_WatchMap<v1::Directory::WithCallbackMethod_ListMap<
        v1::Directory::WithCallbackMethod_GetTime<v1::Directory::Service>>>;

class Service final : public LookingCalls {
 public:
  /// Members of a full map, and people beside them.
  static constexpr std::uint32_t watchers_max = workers_max + gateways_max + 56;
  /// The largest request is a worker's heartbeat, with all that WorkerReport allows: 512 cells of
  /// 29 bytes, 4096 numbers of 5 bytes, 256 regions and 200 suspects of 12 bytes.
  static constexpr host::GrpcLimits limits{.connections_max = watchers_max + 64,
                                           .calls_max = watchers_max + 160,
                                           .calls_per_connection_max = 16,
                                           .request_bytes_max = 65'536,
                                           .threads_max = 192};

  /// `store` outlives it, and is polled by it alone.
  Service(coordination::Store& store, SeatOptions options);

  grpc::Status RegisterWorker(grpc::ServerContext*, const v1::RegisterWorkerRequest* request,
                              v1::RegisterWorkerReply* reply) override;
  grpc::Status RegisterGateway(grpc::ServerContext*, const v1::RegisterGatewayRequest* request,
                               v1::RegisterGatewayReply* reply) override;
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                         v1::HeartbeatReply* reply) override;
  grpc::Status SignOff(grpc::ServerContext*, const v1::SignOffRequest* request,
                       v1::SignOffReply* reply) override;
  grpc::ServerWriteReactor<v1::ClusterMap>* WatchMap(grpc::CallbackServerContext*,
                                                     const v1::WatchMapRequest*) override;
  grpc::ServerUnaryReactor* GetTime(grpc::CallbackServerContext* context, const v1::GetTimeRequest*,
                                    v1::GetTimeReply* reply) override;
  grpc::ServerUnaryReactor* ListMap(grpc::CallbackServerContext* context, const v1::ListMapRequest*,
                                    v1::ClusterMap* reply) override;

  /// A worker that does not answer for so long, and is suspected by its buddy, is dead. Less: busy
  /// machines kill; more: their players wait.
  static constexpr Micros probe_us_max = 100'000;
  /// What was decided is not answered before it is stored: a call waits for so long, and less than
  /// its caller does.
  static constexpr Micros store_us_max = 1'500'000;
  /// Who was refused asks again within 4 s, and is shown to people for so long.
  static constexpr Micros refused_shown_us = 10'000'000;
  static constexpr std::size_t refused_max = 16;

  /// What an operator asks for, on any thread. OK: done, and stored.
  grpc::Status order(const std::string& what,
                     const std::function<std::optional<Error>(Core&, Micros)>& done);

  /// Brings what the store has to the seat. Soon after the store has something, and every 100 ms.
  void poll();
  /// The core's duty, four times a second.
  void advance();
  /// Ends all watches, so that the server can stop.
  void stop();

  struct Picture {
    bool leads = false;
    bool store_answers = false;
    std::uint64_t terms = 0;
    ClusterMap map;
    Tally tally;
    std::uint32_t handle_blocks_left = 0;
    double imbalance = 1;
    std::uint32_t overloaded = 0;  ///< workers that ask for relief
    double largest_island_ms = 0;
    std::uint32_t away = 0;  ///< entities that are not with their region's owner
    std::uint64_t refusals = 0;
    std::uint32_t watchers = 0;
    std::uint64_t saved = 0;
    std::uint64_t save_failures = 0;
    std::uint64_t signed_off = 0;
    std::uint64_t suspicions_refuted = 0;
  };
  Picture picture();
  /// Why this directory is of no use now; empty: it is.
  std::string not_ready_because();
  /// Why this process shall end; see Seat::hopeless().
  std::optional<Error> hopeless();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Doubt {
    WorkerLife suspect;
    Address grpc;
  };
  Lock enter();
  void settle_with_store();
  void tell_watchers();
  void log_leadership();
  grpc::Status not_leading() const;
  /// OK, or why nothing can be decided now.
  grpc::Status may_decide() const;
  /// Whether what was decided so far is stored. Gives the mutex away while it waits.
  grpc::Status stored(Lock& lock, bool even_so = false);
  /// Who asks to be a member.
  struct Applicant {
    std::string name, build;
    Speaks speaks;
  };
  grpc::Status refuse(Refusal refusal, const Applicant& who);
  grpc::Status admitted(Lock& lock, const Admission& admission, const Applicant& who, Grant& grant);
  void show_refused(v1::ClusterMap& map) const;
  void settle(const Doubt& doubt);
  void log_quarantine(const Core& core);
  v1::ClusterMap message();

  std::mutex mutex_;
  std::condition_variable changed_;
  Seat seat_;
  std::uint64_t news_ = 0;  ///< that waiting calls were woken for
  bool led_ = false;
  bool decided_ = true;
  std::uint64_t refusals_ = 0;
  struct Refused {
    std::string why;
    Micros when_us = 0;
  };
  std::map<std::string, Refused> refused_;  ///< by name, the newest refused_max
  std::uint64_t signed_off_ = 0;
  std::uint64_t suspicions_refuted_ = 0;
  std::uint64_t quarantined_ = 0;  ///< that were logged, of this term
  bool stopping_ = false;
  std::uint64_t told_version_ = 0;  ///< of the map that watchers_ were given
  MapWatchers watchers_{watchers_max};
};

}  // namespace perigee::directory
