/// A worker and a gateway that a test simulates: registered with a directory, with two heartbeats
/// per second.
#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/host/grpc_channel.hpp"
#include "process/patient_call.hpp"

namespace perigee::process_test {

class PlayedMembers {
 public:
  explicit PlayedMembers(const std::string& directory)
      : stub_(directory::v1::Directory::NewStub(host::open_channel(directory))) {
    enrol();
    beats_ = std::jthread([this](const std::stop_token& over) {
      std::mutex mutex;
      std::condition_variable_any pause;
      while (!over.stop_requested()) {
        if (beat() == grpc::StatusCode::FAILED_PRECONDITION) enrol();
        std::unique_lock lock(mutex);
        pause.wait_for(lock, over, std::chrono::milliseconds(500), [] { return false; });
      }
    });
  }

 private:
  using Stub = directory::v1::Directory::Stub;

  void enrol() {
    directory::v1::RegisterWorkerRequest worker;
    worker.set_name("sim-0");
    worker.set_fabric_address("127.0.0.1:40040");
    worker.set_grpc_address("127.0.0.1:40020");
    worker.set_schema_hash(77);
    const auto as_worker = answer(&Stub::RegisterWorker, worker);
    worker_.set_name(worker.name());
    worker_.set_worker_slot(as_worker.slot());
    worker_.set_cluster_id(as_worker.cluster_id());

    directory::v1::RegisterGatewayRequest gateway;
    gateway.set_name("gateway-0");
    gateway.set_fabric_address("127.0.0.1:40030");
    gateway.set_public_udp_address("127.0.0.1:40000");
    const auto as_gateway = answer(&Stub::RegisterGateway, gateway);
    gateway_.set_name(gateway.name());
    gateway_.set_gateway_slot(as_gateway.slot());
    gateway_.set_cluster_id(as_gateway.cluster_id());
  }
  template <class Request, class Reply>
  Reply answer(grpc::Status (Stub::*call)(grpc::ClientContext*, const Request&, Reply*),
               const Request& request) {
    PatientCall context;
    Reply reply;
    const grpc::Status status = (stub_.get()->*call)(&context, request, &reply);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return reply;
  }
  /// Sends the heartbeats; returns the first error, if any.
  grpc::StatusCode beat() {
    for (const auto* member : {&worker_, &gateway_}) {
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
      directory::v1::HeartbeatReply reply;
      const grpc::Status received = stub_->Heartbeat(&context, *member, &reply);
      if (!received.ok()) return received.error_code();
    }
    return grpc::StatusCode::OK;
  }

  const std::unique_ptr<Stub> stub_;
  directory::v1::HeartbeatRequest worker_, gateway_;
  std::jthread beats_;
};

}  // namespace perigee::process_test
