/// The two streams to the sidecar of Agones: signs of life, and news about this process.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <mutex>

#include "agones_sdk.grpc.pb.h"
#include "perigee/base/tick.hpp"

namespace perigee::rooms {

/// One stream of signs of life. It ends with the first one that the sidecar does not take.
class HealthStream final : public grpc::ClientWriteReactor<agones::dev::sdk::Empty> {
 public:
  using Ended = std::function<void(const grpc::Status&)>;
  /// A thread of gRPC calls `ended` exactly once.
  static std::shared_ptr<HealthStream> open(agones::dev::sdk::SDK::Stub& stub, Ended ended);

  /// Sends a sign of life, unless the last one is still under way. False: it is.
  bool beat();
  void close();

 private:
  explicit HealthStream(Ended ended) : ended_(std::move(ended)) {}
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  grpc::ClientContext context_;
  agones::dev::sdk::Empty message_, reply_;
  Ended ended_;
  std::mutex mutex_;
  bool writing_ = false;
  bool closing_ = false;
  bool held_ = true;
  std::shared_ptr<HealthStream> self_;  ///< until OnDone
};

/// The game server, and again after each change.
class WatchStream final : public grpc::ClientReadReactor<agones::dev::sdk::GameServer> {
 public:
  using Read = std::function<void(const agones::dev::sdk::GameServer&)>;
  using Ended = std::function<void(const grpc::Status&)>;
  /// Both are called on threads of gRPC.
  static std::shared_ptr<WatchStream> open(agones::dev::sdk::SDK::Stub& stub, Read read,
                                           Ended ended);
  void close() { context_.TryCancel(); }

 private:
  WatchStream(Read read, Ended ended) : read_(std::move(read)), ended_(std::move(ended)) {}
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  grpc::ClientContext context_;
  agones::dev::sdk::Empty request_;
  agones::dev::sdk::GameServer game_server_;
  Read read_;
  Ended ended_;
  std::shared_ptr<WatchStream> self_;  ///< until OnDone
};

}  // namespace perigee::rooms
