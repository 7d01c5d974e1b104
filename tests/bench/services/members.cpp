#include "members.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "perigee/base/worker_report.hpp"
#include "perigee/host/report_proto.hpp"

namespace perigee::bench {
namespace {

using namespace directory;
constexpr unsigned beaters = 4;  // threads that send heartbeats in turn
constexpr auto period = std::chrono::seconds(1);

/// Channels to one target share a connection unless their arguments differ.
std::shared_ptr<grpc::Channel> own_channel(const std::string& target) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

std::string name_of(bool worker, unsigned index) {
  return (worker ? "sim-" : "gateway-") + std::to_string(index);
}
std::string address_of(bool worker, unsigned index) {
  return std::string(worker ? "10.1." : "10.2.") + std::to_string(index / 250) + "." +
         std::to_string(1 + index % 250);
}

/// Next to no load, so that nothing is moved by the balancer.
WorkerReport report_of(unsigned index, std::uint64_t version) {
  WorkerReport report{
      .incarnation = Incarnation{1}, .map_version = version, .entities = 2'000, .players = 500};
  report.load_ms = 0.1;
  report.handle_blocks = {HandleBlock{index + 1}};
  for (int i = 0; i < Members::cells_reported; ++i) {
    report.cells.push_back({{i % 8, i / 8, 0}, report.load_ms / Members::cells_reported});
  }
  report.regions = {{RegionId{1}, 2'000}};
  return report;
}

}  // namespace

Members::Members(std::string directory, unsigned workers, unsigned gateways)
    : directory_(std::move(directory)) {
  for (unsigned i = 0; i < workers + gateways; ++i) {
    auto& member = members_.emplace_back(std::make_unique<Member>());
    member->worker = i < workers;
    member->index = member->worker ? i : i - workers;
    member->stub = v1::Directory::NewStub(own_channel(directory_));
  }
}

Members::~Members() {
  stopping_ = true;
  for (const auto& member : members_) member->watching.TryCancel();
  for (std::thread& thread : threads_) thread.join();
}

bool Members::enrol() {
  return std::all_of(members_.begin(), members_.end(), [&](auto& each) { return enrol(*each); });
}

bool Members::enrol(Member& member) {
  if (!member.worker) return enrol_gateway(member, 40'000);
  v1::RegisterWorkerRequest request;
  request.set_name(name_of(true, member.index));
  request.set_fabric_address(address_of(true, member.index) + ":40040");
  request.set_grpc_address(address_of(true, member.index) + ":40020");
  request.set_schema_hash(schema_hash);
  request.set_instance(member.index + 1);
  v1::RegisterWorkerReply reply;
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  if (!member.stub->RegisterWorker(&context, request, &reply).ok()) return false;
  member.slot = reply.slot();
  cluster_id_ = reply.cluster_id();
  return true;
}

bool Members::enrol_gateway(Member& member, unsigned public_port) {
  v1::RegisterGatewayRequest request;
  request.set_name(name_of(false, member.index));
  request.set_fabric_address(address_of(false, member.index) + ":40030");
  request.set_public_udp_address("203.0.113.7:" + std::to_string(public_port));
  request.set_instance(member.index + 1);
  v1::RegisterGatewayReply reply;
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  if (!member.stub->RegisterGateway(&context, request, &reply).ok()) return false;
  member.slot = reply.slot();
  return true;
}

/// As sent by host::DirectoryClient: a heartbeat, and a sample of the clock.
void Members::beat(const Member& member) const {
  v1::HeartbeatRequest request;
  request.set_cluster_id(cluster_id_);
  request.set_name(name_of(member.worker, member.index));
  request.set_instance(member.index + 1);
  if (member.worker) {
    request.set_worker_slot(member.slot);
    host::write_report(report_of(member.index, member.version), *request.mutable_report());
  } else {
    request.set_gateway_slot(member.slot);
  }
  v1::HeartbeatReply beaten;
  grpc::ClientContext first, second;
  member.stub->Heartbeat(&first, request, &beaten);
  v1::GetTimeReply time;
  member.stub->GetTime(&second, {}, &time);
}

void Members::watch(Member& member) {
  v1::WatchMapRequest request;
  request.set_differences(true);
  const auto stream = member.stub->WatchMap(&member.watching, request);
  for (v1::ClusterMap map; stream->Read(&map);) {
    (map.has_base_version() ? change_bytes_ : map_bytes_) = map.ByteSizeLong();
    member.version = map.version();
  }
  stream->Finish();
}

void Members::begin() {
  for (unsigned b = 0; b < beaters; ++b) {
    threads_.emplace_back([this, b] {
      for (auto turn = std::chrono::steady_clock::now(); !stopping_; turn += period) {
        std::this_thread::sleep_until(turn);
        for (std::size_t i = b; i < members_.size() && !stopping_; i += beaters) {
          beat(*members_[i]);
        }
      }
    });
  }
  for (const auto& member : members_) {
    threads_.emplace_back([this, &member] { watch(*member); });
  }
}

bool Members::all_have(std::uint64_t version) const {
  return std::all_of(members_.begin(), members_.end(),
                     [&](const auto& member) { return member->version >= version; });
}

std::uint64_t Members::newest_version() const {
  std::uint64_t newest = 0;
  for (const auto& member : members_) newest = std::max(newest, member->version.load());
  return newest;
}

bool Members::change_map() { return enrol_gateway(*members_.back(), 40'001 + ++changes_ % 2); }

}  // namespace perigee::bench
