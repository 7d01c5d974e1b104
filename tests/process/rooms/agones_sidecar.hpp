/// A sidecar of Agones, as far as a process of rooms speaks to it, with faults to order.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agones_beta.grpc.pb.h"
#include "agones_sdk.grpc.pb.h"

namespace perigee::process_test {

struct SidecarFaults {
  int refusals = 0;               ///< so many first calls fail
  bool silent = false;            ///< no call is answered before its deadline
  bool quiet_watch = false;       ///< a watch is sent changes alone
  bool without_counters = false;  ///< as of an Agones without them
};

class AgonesSidecar {
 public:
  using GameServer = agones::dev::sdk::GameServer;
  AgonesSidecar(unsigned port, GameServer server, SidecarFaults faults = {})
      : sdk_(*this), counters_(*this), server_(std::move(server)), faults_(faults) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:" + std::to_string(port),
                             grpc::InsecureServerCredentials());
    builder.RegisterService(&sdk_);
    if (!faults.without_counters) builder.RegisterService(&counters_);
    grpc_ = builder.BuildAndStart();
  }
  ~AgonesSidecar() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    grpc_->Shutdown(std::chrono::system_clock::now());
  }
  AgonesSidecar(const AgonesSidecar&) = delete;
  AgonesSidecar& operator=(const AgonesSidecar&) = delete;

  static GameServer game_server(const std::string& state, const std::string& address, int port) {
    GameServer server;
    server.mutable_spec()->mutable_health()->set_period_seconds(1);
    server.mutable_status()->set_state(state);
    server.mutable_status()->set_address(address);
    auto& other = *server.mutable_status()->add_ports();
    other.set_name("other");
    other.set_port(1);
    auto& players = *server.mutable_status()->add_ports();
    players.set_name("players");
    players.set_port(port);
    return server;
  }
  /// All watchers are sent it.
  void set_state(const std::string& state) {
    {
      const std::lock_guard lock(mutex_);
      server_.mutable_status()->set_state(state);
      ++version_;
    }
    changed_.notify_all();
  }
  /// Names of the calls so far, in their order; "rooms=1/64" and "perigee-schema" for counters and
  /// labels.
  std::vector<std::string> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  bool heard(const std::string& call) const {
    const std::vector<std::string> all = calls();
    return std::find(all.begin(), all.end(), call) != all.end();
  }
  int signs_of_life() const { return signs_of_life_; }

 private:
  using Empty = agones::dev::sdk::Empty;

  grpc::Status on_call(grpc::ServerContext* context, const std::string& name,
                       const char* then_state = nullptr) {
    if (faults_.silent) return wait_for_end(context);
    {
      const std::lock_guard lock(mutex_);
      if (faults_.refusals-- > 0) return {grpc::StatusCode::INTERNAL, "refused by the test"};
      calls_.push_back(name);
    }
    if (then_state != nullptr) set_state(then_state);
    return grpc::Status::OK;
  }
  grpc::Status wait_for_end(grpc::ServerContext* context) {
    std::unique_lock lock(mutex_);
    while (!closing_ && !context->IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
    return grpc::Status::CANCELLED;
  }

  class Sdk final : public agones::dev::sdk::SDK::Service {
   public:
    explicit Sdk(AgonesSidecar& all) : all_(all) {}
    grpc::Status Ready(grpc::ServerContext* context, const Empty*, Empty*) override {
      return all_.on_call(context, "Ready", "Ready");
    }
    grpc::Status Allocate(grpc::ServerContext* context, const Empty*, Empty*) override {
      return all_.on_call(context, "Allocate", "Allocated");
    }
    grpc::Status Shutdown(grpc::ServerContext* context, const Empty*, Empty*) override {
      return all_.on_call(context, "Shutdown", "Shutdown");
    }
    grpc::Status SetLabel(grpc::ServerContext* context, const agones::dev::sdk::KeyValue* label,
                          Empty*) override {
      return all_.on_call(context, label->key());
    }
    grpc::Status Health(grpc::ServerContext* context, grpc::ServerReader<Empty>* reader,
                        Empty*) override {
      if (all_.faults_.silent) return all_.wait_for_end(context);
      for (Empty message; reader->Read(&message);) ++all_.signs_of_life_;
      return grpc::Status::OK;
    }
    grpc::Status GetGameServer(grpc::ServerContext* context, const Empty*,
                               GameServer* server) override {
      if (all_.faults_.silent) return all_.wait_for_end(context);
      const std::lock_guard lock(all_.mutex_);
      *server = all_.server_;
      return grpc::Status::OK;
    }
    grpc::Status WatchGameServer(grpc::ServerContext* context, const Empty*,
                                 grpc::ServerWriter<GameServer>* writer) override {
      std::unique_lock lock(all_.mutex_);
      for (int sent = all_.faults_.quiet_watch ? all_.version_ : -1;
           !all_.closing_ && !context->IsCancelled();) {
        if (sent != all_.version_) {
          sent = all_.version_;
          const GameServer server = all_.server_;
          lock.unlock();
          if (!writer->Write(server)) return grpc::Status::OK;
          lock.lock();
        }
        all_.changed_.wait_for(lock, std::chrono::milliseconds(50));
      }
      return grpc::Status::OK;
    }

   private:
    AgonesSidecar& all_;
  };
  class Counters final : public agones::dev::sdk::beta::SDK::Service {
   public:
    explicit Counters(AgonesSidecar& all) : all_(all) {}
    grpc::Status UpdateCounter(grpc::ServerContext* context,
                               const agones::dev::sdk::beta::UpdateCounterRequest* request,
                               agones::dev::sdk::beta::Counter*) override {
      const auto& update = request->counterupdaterequest();
      return all_.on_call(context, update.name() + "=" + std::to_string(update.count().value()) +
                                       "/" + std::to_string(update.capacity().value()));
    }

   private:
    AgonesSidecar& all_;
  };

  mutable std::mutex mutex_;  // guards everything that is not atomic
  std::condition_variable changed_;
  Sdk sdk_;
  Counters counters_;
  GameServer server_;
  int version_ = 0;
  SidecarFaults faults_;
  std::vector<std::string> calls_;
  std::atomic<int> signs_of_life_{0};
  bool closing_ = false;
  std::unique_ptr<grpc::Server> grpc_;
};

}  // namespace perigee::process_test
