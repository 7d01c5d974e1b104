/// The gRPC service of the directory. Calls come on gRPC's threads. One mutex orders those that
/// decide; those that only read take the newest view and wait for no decision. A directory that
/// does not lead answers ABORTED with the reason; members then ask the next directory.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "directory.grpc.pb.h"
#include "map_stream.hpp"
#include "perigee/directory_leadership/leadership.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "perigee/tracing/directory_spans.hpp"
#include "probes.hpp"
#include "tracer.hpp"
#include "view.hpp"

namespace perigee::directory {

/// Read-only calls use no thread, however slowly they are sent or read.
using LookingCalls =
    v1::Directory::WithCallbackMethod_WatchMap<v1::Directory::WithCallbackMethod_ListMap<
        v1::Directory::WithCallbackMethod_GetTime<v1::Directory::Service>>>;

class Service final : public LookingCalls {
 public:
  /// All members of a full map, plus some for operators.
  static constexpr std::uint32_t watchers_max = workers_max + gateways_max + 56;
  /// The largest request is a worker's heartbeat with everything that WorkerReport allows: 512
  /// cells of 29 bytes, 4096 numbers of 5 bytes, 1024 regions and 200 suspects of 12 bytes.
  static constexpr host::GrpcLimits limits{.connections_max = watchers_max + 64,
                                           .calls_max = watchers_max + 160,
                                           .calls_per_connection_max = 16,
                                           .request_bytes_max = 65'536,
                                           .threads_max = 192};

  /// `store` must outlive this object, which alone polls it.
  /// `tls`: for calls to workers; null: without TLS. `tracer`: null: no spans. Both outlive the
  /// service.
  Service(coordination::Store& store, LeadershipOptions options,
          const host::ClusterTls* tls = nullptr, tracing::Tracer* tracer = nullptr);

  grpc::Status RegisterWorker(grpc::ServerContext*, const v1::RegisterWorkerRequest* request,
                              v1::RegisterWorkerReply* reply) override;
  grpc::Status RegisterGateway(grpc::ServerContext*, const v1::RegisterGatewayRequest* request,
                               v1::RegisterGatewayReply* reply) override;
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                         v1::HeartbeatReply* reply) override;
  grpc::Status SignOff(grpc::ServerContext*, const v1::SignOffRequest* request,
                       v1::SignOffReply* reply) override;
  grpc::ServerWriteReactor<v1::ClusterMap>* WatchMap(grpc::CallbackServerContext* context,
                                                     const v1::WatchMapRequest* request) override;
  grpc::ServerUnaryReactor* GetTime(grpc::CallbackServerContext* context, const v1::GetTimeRequest*,
                                    v1::GetTimeReply* reply) override;
  grpc::ServerUnaryReactor* ListMap(grpc::CallbackServerContext* context, const v1::ListMapRequest*,
                                    v1::ClusterMap* reply) override;

  /// A decision is answered only after it was stored. A call waits for at most this long, which is
  /// less than its caller's timeout.
  static constexpr Micros store_us_max = 1'500'000;
  /// A reader looks itself whether this process still leads if nothing else has for so long: less
  /// than the shortest lease.
  static constexpr Micros unchecked_us_max = 1'000'000;
  static constexpr std::size_t refused_max = 16;

  /// An operator's request, on any thread. OK: done and stored.
  grpc::Status order(const std::function<std::optional<Error>(Core&, Micros)>& done);

  /// Applies the store's results to the leadership state. Call it soon after the store has news,
  /// and every 100 ms.
  void poll();
  /// Runs the core's periodic work; call it four times a second.
  void advance();
  /// Ends all watches, so that the server can stop.
  void stop();

  struct Stats {
    bool leads = false;
    bool store_answers = false;
    std::uint64_t terms = 0;
    ClusterMap map;
    Tally tally;
    std::uint32_t handle_blocks_left = 0;
    double imbalance = 1;
    std::uint32_t overloaded = 0;  ///< workers that ask for relief
    double largest_island_ms = 0;
    std::uint32_t away = 0;  ///< entities that are not at their region's owner
    std::uint64_t refusals = 0;
    std::uint32_t watchers = 0;
    std::uint64_t saved = 0;
    std::uint64_t save_failures = 0;
    std::uint64_t signed_off = 0;
    std::uint64_t suspicions_refuted = 0;
    std::uint32_t fabric_epoch = 0;  ///< of the key that seals
  };
  Stats stats();
  /// Why this directory is not ready; empty: it is ready.
  std::string not_ready_because();
  /// Why this process must end; see Leadership::hopeless().
  std::optional<Error> hopeless();

 private:
  using Lock = std::unique_lock<std::mutex>;
  Lock enter();
  void settle_with_store();
  /// Shows readers the present state if it has changed. `reports`: also new reports of workers.
  void show(bool reports);
  void add_reports(View& out);
  std::shared_ptr<const View> view();
  void log_leadership();
  grpc::Status not_leading() const;
  static grpc::Status not_leading(const View& view) {
    return {grpc::StatusCode::ABORTED, view.why_not};
  }
  /// OK, or why nothing can be decided now.
  grpc::Status may_decide() const;
  /// Keeps the decisions so far, which have this cause.
  Leadership::Ticket keep(const tracing::Cause& cause, bool even_so = false);
  void trace_published();
  /// Waits until all decisions so far are stored. Releases the mutex meanwhile.
  grpc::Status stored(Lock& lock, const tracing::Cause& cause, bool even_so = false);
  /// A process that asks to become a member.
  struct Applicant {
    std::string name, build;
    Speaks speaks;
  };
  /// Draws the next key of the fabric if it is due. The caller keeps that decision.
  void add_due_key();
  /// The keys that a member without this deal lacks; null: none, or the store has not confirmed
  /// them yet.
  std::optional<FabricKeys> keys_for(std::uint32_t deal);
  grpc::Status refuse(Refusal refusal, const Applicant& who);
  grpc::Status admitted(Lock& lock, const Admission& admission, const Applicant& who, Grant& grant);
  void settle(const Probes::Outcome& outcome);
  void log_quarantine(const Core& core);
  void change_keys_if_revoked(Core& core);

  const Micros silence_us_max_;  ///< of members
  const host::ClusterTls* const tls_;
  std::size_t revocations_ = 0;  ///< for which the keys of the fabric were changed
  std::mutex mutex_;
  std::condition_variable changed_;
  Leadership leadership_;
  std::optional<tracing::DirectorySpans> spans_;
  std::uint64_t news_ = 0;  ///< for which waiting calls were woken
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
  std::uint64_t quarantined_ = 0;  ///< logged in this term
  bool stopping_ = false;
  std::shared_ptr<const View> shown_ = std::make_shared<const View>();  ///< the same as in newest_
  bool reported_ = false;               ///< reports or refusals that shown_ does not have
  std::uint64_t sent_version_ = 0;      ///< version of the map that watchers_ were given
  NewestView newest_;                   ///< any thread
  std::atomic<Micros> checked_us_ = 0;  ///< any thread: when the lease was last checked
  MapStream watchers_{watchers_max};
  Probes probes_;  ///< destroyed first: its threads call this object
};

}  // namespace perigee::directory
