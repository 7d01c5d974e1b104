#include "recorders.hpp"

#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "acts.hpp"
#include "perigee/host/call_within.hpp"
#include "perigee/host/grpc_channel.hpp"

namespace perigee::console {
namespace {

constexpr auto worker_call_time_max = std::chrono::seconds(4);
/// The longest reply of a worker; a recording of 30 s takes about 1 MB.
constexpr int recording_bytes_max = (4 << 20) - 65'536;

WebAnswer no_workers() {
  return error_answer(503, "UNAVAILABLE", "no worker is known; is the directory running?");
}

}  // namespace

void Recorders::set_workers(const std::vector<std::string>& addresses) {
  const std::lock_guard lock(mutex_);
  std::erase_if(workers_, [&](const auto& known) {
    return std::find(addresses.begin(), addresses.end(), known.first) == addresses.end();
  });
  for (const std::string& address : addresses) {
    auto& stub = workers_[address];
    if (!stub)
      stub = sim::v1::Sim::NewStub(
          host::open_channel(address, {.tls = tls_, .message_bytes_max = recording_bytes_max}));
  }
}

std::vector<std::shared_ptr<Recorders::Stub>> Recorders::workers() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Stub>> out;
  for (const auto& [address, stub] : workers_) out.push_back(stub);
  return out;
}

WebAnswer Recorders::arm(const std::string& body) const {
  sim::v1::ArmRecorderRequest request;
  const auto parsed =
      google::protobuf::util::JsonStringToMessage(body.empty() ? "{}" : body, &request);
  if (!parsed.ok()) return error_answer(400, "INVALID_ARGUMENT", std::string(parsed.message()));
  std::optional<grpc::Status> failed;
  for (const auto& worker : workers()) {
    sim::v1::ArmRecorderReply reply;
    const grpc::Status called =
        host::call_within(worker_call_time_max, *worker, &Stub::ArmRecorder, request, reply);
    if (called.ok()) return json_answer(reply);
    // Another worker may have the player.
    const bool elsewhere = called.error_code() == grpc::StatusCode::NOT_FOUND ||
                           called.error_code() == grpc::StatusCode::UNAVAILABLE;
    if (!failed || !elsewhere) failed = called;
    if (!elsewhere) break;
  }
  if (!failed) return no_workers();
  if (failed->error_code() != grpc::StatusCode::NOT_FOUND) return error_answer(*failed);
  return error_answer(404, "NOT_FOUND",
                      "no worker has player #" + std::to_string(request.client_id()) + " now");
}

std::vector<Recorders::Listed> Recorders::list_all() const {
  std::vector<Listed> out;
  for (const auto& worker : workers()) {
    Listed listed{worker, {}};
    const grpc::Status called =
        host::call_within(worker_call_time_max, *worker, &Stub::ListRecordings,
                          sim::v1::ListRecordingsRequest{}, listed.reply);
    if (called.ok()) out.push_back(std::move(listed));
  }
  return out;
}

WebAnswer Recorders::list() const {
  WebAnswer answer{.body = "{\"workers\":["};
  for (const Listed& listed : list_all()) {
    if (answer.body.back() != '[') answer.body += ',';
    answer.body += json_answer(listed.reply).body;
  }
  answer.body += "]}";
  return answer;
}

WebAnswer Recorders::fetch(const WebQuery& query) const {
  const std::string client = query_value(query, "client");
  const std::string named = query_value(query, "worker");
  sim::v1::FetchRecordingRequest request;
  if (client.empty()) {
    request.set_file(query_value(query, "file"));
  } else {
    std::uint64_t id = 0;
    const auto [end, code] = std::from_chars(client.data(), client.data() + client.size(), id);
    if (code != std::errc{} || end != client.data() + client.size()) {
      return error_answer(400, "INVALID_ARGUMENT", "client= is the number of a player's client");
    }
    request.set_client_id(id);
  }
  // The owner's recorder; else that of a former owner.
  std::shared_ptr<Stub> best;
  bool best_left = true;
  for (const Listed& listed : list_all()) {
    if (client.empty() && listed.reply.worker() == named) best = listed.worker;
    for (const auto& armed : listed.reply.armed()) {
      if (client.empty() || armed.client_id() != request.client_id() || !best_left) continue;
      best = listed.worker;
      best_left = armed.left();
    }
  }
  if (!best) {
    return error_answer(404, "NOT_FOUND",
                        client.empty()
                            ? "there is no worker " + named
                            : "no worker records player #" + client + "; arm a recorder");
  }
  sim::v1::FetchRecordingReply reply;
  const grpc::Status called =
      host::call_within(worker_call_time_max, *best, &Stub::FetchRecording, request, reply);
  if (!called.ok()) return error_answer(called);
  return {.type = "application/octet-stream", .body = std::move(*reply.mutable_recording())};
}

}  // namespace perigee::console
