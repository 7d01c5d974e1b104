// perigee-ctl record, recordings and recording: flight recorders of single players.
#include <cinttypes>
#include <fstream>
#include <string>
#include <vector>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/host/process.hpp"
#include "sim.grpc.pb.h"

namespace perigee::session {
namespace {

using Sim = sim::v1::Sim;
constexpr int recording_bytes_max = 17 << 20;

struct Worker {
  std::string name;
  std::unique_ptr<Sim::Stub> stub;
};

/// The living workers. None: the error was printed.
std::optional<std::vector<Worker>> living_workers(const std::string& directory) {
  using Directory = directory::v1::Directory;
  directory::v1::ClusterMap map;
  if (!call_directory<Directory>(directory, &Directory::Stub::ListMap,
                                 directory::v1::ListMapRequest(), map)) {
    return std::nullopt;
  }
  std::vector<Worker> out;
  for (const auto& worker : map.workers()) {
    if (!worker.alive()) continue;
    out.push_back({worker.name(), Sim::NewStub(dial(worker.grpc_address(), recording_bytes_max))});
  }
  return out;
}

/// The clients that `whom` names. Empty: the error was printed.
std::vector<std::uint64_t> clients_of(Control& stub, const std::string& whom,
                                      const std::string& target) {
  v1::EndSessionRequest named;  // has both ways to name a player
  if (!name_player(whom, named)) return {};
  if (named.player_name().empty()) return {named.client_id()};
  v1::ListSessionsRequest request;
  request.set_page_size(1'000);
  request.set_player_name(named.player_name());
  v1::ListSessionsReply reply;
  if (!call(stub, &Control::ListSessions, request, reply, target)) return {};
  std::vector<std::uint64_t> out;
  for (const auto& session : reply.sessions()) out.push_back(session.client_id());
  if (out.empty()) {
    std::fprintf(stderr, "perigee-ctl: nobody named %s plays\n", shown(whom).c_str());
  }
  return out;
}

/// Asks each worker until one has the player; others answer NOT_FOUND.
template <class Request, class Reply>
grpc::Status ask_owner(const std::vector<Worker>& workers,
                       grpc::Status (Sim::Stub::*method)(grpc::ClientContext*, const Request&,
                                                         Reply*),
                       const Request& request, Reply& reply) {
  grpc::Status status(grpc::StatusCode::NOT_FOUND, "no worker is alive");
  for (const Worker& worker : workers) {
    status = attempt(*worker.stub, method, request, reply);
    if (status.error_code() != grpc::StatusCode::NOT_FOUND) break;
  }
  return status;
}

int failed(const grpc::Status& status) {
  complain(status, {"perigee-sim", "of the cluster"});
  return host::exit_failed;
}

}  // namespace

int record_player(Control& stub, const std::string& whom, std::uint32_t for_s,
                  const std::string& target, const std::string& directory) {
  const auto clients = clients_of(stub, whom, target);
  if (clients.empty()) return host::exit_failed;
  const auto workers = living_workers(directory);
  if (!workers) return host::exit_failed;
  for (const std::uint64_t client : clients) {
    sim::v1::ArmRecorderRequest request;
    request.set_client_id(client);
    request.set_for_s(for_s);
    sim::v1::ArmRecorderReply reply;
    const grpc::Status status = ask_owner(*workers, &Sim::Stub::ArmRecorder, request, reply);
    if (!status.ok()) return failed(status);
    if (print_json(reply)) continue;
    std::printf("#%" PRIu64 ": %s on %s, %u of %u recorders in use\n", client,
                for_s == 0 ? "no longer recorded" : "recorded", reply.worker().c_str(),
                reply.in_use(), reply.recorders());
  }
  return host::exit_ok;
}

int list_recordings(const std::string& directory) {
  const auto workers = living_workers(directory);
  if (!workers) return host::exit_failed;
  print_head("%-12s  %-20s  %9s  %s\n", "worker", "client", "recorded", "state");
  for (const Worker& worker : *workers) {
    sim::v1::ListRecordingsReply reply;
    const grpc::Status status = attempt(*worker.stub, &Sim::Stub::ListRecordings, {}, reply);
    if (!status.ok()) return failed(status);
    if (as_json()) {
      std::printf("{\"worker\":\"%s\",\"recordings\":%s}\n", worker.name.c_str(),
                  json_of(reply).c_str());
      continue;
    }
    for (const auto& armed : reply.armed()) {
      std::printf("%-12s  %-20" PRIu64 "  %7.1f s  %s\n", worker.name.c_str(), armed.client_id(),
                  armed.ticks() / 60.0, armed.left() ? "left" : "here");
    }
    for (const auto& file : reply.files()) {
      std::printf("%-12s  %s, %" PRIu64 " kB\n", worker.name.c_str(), shown(file.name()).c_str(),
                  (file.bytes() + 999) / 1000);
    }
  }
  return host::exit_ok;
}

int fetch_recording(Control& stub, const std::string& whom, const std::string& path,
                    const std::string& target, const std::string& directory) {
  const auto clients = clients_of(stub, whom, target);
  if (clients.empty()) return host::exit_failed;
  const auto workers = living_workers(directory);
  if (!workers) return host::exit_failed;
  sim::v1::FetchRecordingRequest request;
  request.set_client_id(clients.front());
  sim::v1::FetchRecordingReply reply;
  const grpc::Status status = ask_owner(*workers, &Sim::Stub::FetchRecording, request, reply);
  if (!status.ok()) return failed(status);
  std::ofstream file(path, std::ios::binary);
  file << reply.recording();
  if (!file.flush()) {
    std::fprintf(stderr, "perigee-ctl: cannot write %s; name another file\n", path.c_str());
    return host::exit_failed;
  }
  if (as_json()) {
    std::printf("{\"bytes\":%zu}\n", reply.recording().size());
    return host::exit_ok;
  }
  std::printf("%s: %zu bytes; ./perigee replay reads it\n", path.c_str(), reply.recording().size());
  return host::exit_ok;
}

}  // namespace perigee::session
