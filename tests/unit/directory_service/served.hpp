/// Parts of the tests. The store holds commits on request, and the server is in this process.
#pragma once

#include <grpcpp/grpcpp.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "perigee/host/grpc_server.hpp"
#include "perigee/host/report_proto.hpp"
#include "service.hpp"
#include "tcp_client.hpp"
#include "unit/directory_leadership/ground.hpp"

namespace perigee::directory {

/// Time that nothing takes unless it hangs.
inline constexpr std::chrono::seconds hangs{120};

class HeldStore final : public coordination::Store {
 public:
  void poll(Micros now_us) override {
    if (deposed_) {
      ground_.term = 1'000;
      ground_.leased_until_us = now_us + 1'000'000'000;
    }
    side_.poll(now_us);
  }
  void wake_by(std::function<void()> wake) override { side_.wake_by(std::move(wake)); }
  Result<Ok> ready() const override { return side_.ready(); }
  std::optional<std::uint64_t> store_id() const override { return side_.store_id(); }
  void read(const std::string& prefix,
            std::function<void(Result<coordination::Snapshot>)> done) override {
    side_.read(prefix, std::move(done));
  }
  /// While commits are held, the caller stays in this call.
  void commit(coordination::Txn txn,
              std::function<void(const coordination::Outcome&)> done) override {
    {
      std::unique_lock lock(mutex_);
      inside_ = true;
      changed_.notify_all();
      changed_.wait_for(lock, hangs, [&] { return !held_; });
      inside_ = false;
    }
    side_.commit(std::move(txn), std::move(done));
  }
  coordination::WatchId watch(const std::string& prefix, coordination::Revision after,
                              coordination::WatchEvents events) override {
    return side_.watch(prefix, after, std::move(events));
  }
  void unwatch(coordination::WatchId id) override { side_.unwatch(id); }
  void campaign(coordination::LeadershipEvents events) override {
    side_.campaign(std::move(events));
  }
  void resign() override { side_.resign(); }

  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  /// From the next poll on another directory leads.
  void depose() { deposed_ = true; }
  /// Waits until a commit is held.
  bool holds_one() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, hangs, [&] { return held_ && inside_; });
  }

 private:
  coordination::Ground ground_;
  coordination::GroundSide side_{ground_};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> deposed_ = false;
  bool held_ = false;
  bool inside_ = false;
};

/// Serves during its lifetime.
class Served {
 public:
  explicit Served(grpc::Service& service) : listen_(free_port()) {
    const std::array<grpc::Service*, 1> services{&service};
    server_ =
        host::GrpcServer::start({.listen = listen_, .limits = Service::limits}, services).value();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  const Address& address() const { return listen_; }
  /// Of a client that takes 64 KiB that it does not read, however fast the network is.
  std::unique_ptr<v1::Directory::Stub> stub() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 65'536);
    return v1::Directory::NewStub(grpc::CreateCustomChannel(
        to_string(listen_), grpc::InsecureChannelCredentials(), arguments));
  }

 private:
  Address listen_;
  std::unique_ptr<host::GrpcServer> server_;
};

/// A directory. A thread polls its store, as the loop of its process does.
class ADirectory {
 public:
  ADirectory()
      : poller_([this] {
          while (!ended_) {
            service.poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }) {}
  ~ADirectory() {
    store.hold(false);
    ended_ = true;
    poller_.join();
    service.stop();
  }
  ADirectory(const ADirectory&) = delete;
  ADirectory& operator=(const ADirectory&) = delete;

  bool leads() {
    for (int i = 0; i < 10'000; ++i) {
      if (service.not_ready_because().empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  grpc::Status add_worker(unsigned i) {
    return add_worker(i, Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(40'020 + i)));
  }
  grpc::Status add_worker(unsigned i, const Address& grpc) {
    v1::RegisterWorkerRequest request;
    request.set_name("sim-" + std::to_string(i));
    request.set_fabric_address("127.0.0.1:" + std::to_string(40'040 + i));
    request.set_grpc_address(to_string(grpc));
    request.set_instance(i + 1);
    v1::RegisterWorkerReply reply;
    grpc::ClientContext context;
    return members_->RegisterWorker(&context, request, &reply);
  }
  grpc::Status add_gateway(unsigned i, unsigned public_port) {
    v1::RegisterGatewayRequest request;
    request.set_name("gateway-" + std::to_string(i));
    request.set_fabric_address("127.0.0.1:" + std::to_string(41'000 + i));
    request.set_public_udp_address("203.0.113.7:" + std::to_string(public_port));
    request.set_instance(i + 1);
    v1::RegisterGatewayReply reply;
    grpc::ClientContext context;
    return members_->RegisterGateway(&context, request, &reply);
  }

  /// The answer to this worker's report.
  grpc::Status beat(unsigned i, const WorkerReport& report) {
    v1::HeartbeatRequest request;
    request.set_name("sim-" + std::to_string(i));
    request.set_worker_slot(i);
    request.set_cluster_id(service.stats().map.cluster_id);
    request.set_instance(i + 1);
    host::write_report(report, *request.mutable_report());
    v1::HeartbeatReply reply;
    grpc::ClientContext context;
    return members_->Heartbeat(&context, request, &reply);
  }

  HeldStore store;
  Service service{store, {.store_name = "the store", .boot_id = "a boot", .drawn_cluster_id = 7}};

 private:
  const Served served_{service};
  const std::unique_ptr<v1::Directory::Stub> members_ = served_.stub();
  std::atomic<bool> ended_ = false;
  std::thread poller_;
};

struct Call : grpc::ClientContext {
  Call() { set_deadline(std::chrono::system_clock::now() + hangs); }
};

}  // namespace perigee::directory
