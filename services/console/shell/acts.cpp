#include "acts.hpp"

#include <google/protobuf/util/json_util.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "directory.grpc.pb.h"
#include "perigee/host/call_within.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "session.grpc.pb.h"

namespace perigee::console {
namespace {

using DirectoryStub = directory::v1::DirectoryControl::Stub;
using SessionStub = session::v1::SessionControl::Stub;
constexpr auto call_time_max = std::chrono::seconds(5);

struct Code {
  grpc::StatusCode code;
  int status;
  std::string_view name;
};
constexpr std::array codes{Code{grpc::StatusCode::INVALID_ARGUMENT, 400, "INVALID_ARGUMENT"},
                           Code{grpc::StatusCode::FAILED_PRECONDITION, 400, "FAILED_PRECONDITION"},
                           Code{grpc::StatusCode::UNAUTHENTICATED, 401, "UNAUTHENTICATED"},
                           Code{grpc::StatusCode::PERMISSION_DENIED, 403, "PERMISSION_DENIED"},
                           Code{grpc::StatusCode::NOT_FOUND, 404, "NOT_FOUND"},
                           Code{grpc::StatusCode::ABORTED, 409, "ABORTED"},
                           Code{grpc::StatusCode::RESOURCE_EXHAUSTED, 429, "RESOURCE_EXHAUSTED"},
                           Code{grpc::StatusCode::UNAVAILABLE, 503, "UNAVAILABLE"},
                           Code{grpc::StatusCode::DEADLINE_EXCEEDED, 504, "DEADLINE_EXCEEDED"}};

template <class Service>
auto stubs_of(const std::string& addresses, const host::ClusterTls* tls) {
  auto out = std::make_shared<std::vector<std::shared_ptr<typename Service::Stub>>>();
  for (std::size_t at = 0; at <= addresses.size();) {
    const std::size_t end = std::min(addresses.find(',', at), addresses.size());
    out->push_back(
        Service::NewStub(host::open_channel(addresses.substr(at, end - at), {.tls = tls})));
    at = end + 1;
  }
  return std::shared_ptr<const std::vector<std::shared_ptr<typename Service::Stub>>>(out);
}

template <class Service>
auto stub_on(const std::shared_ptr<grpc::Channel>& channel) {
  using Stubs = std::vector<std::shared_ptr<typename Service::Stub>>;
  return std::shared_ptr<const Stubs>(std::make_shared<Stubs>(1, Service::NewStub(channel)));
}

}  // namespace

WebAnswer json_answer(const google::protobuf::Message& reply) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  WebAnswer answer;
  return google::protobuf::util::MessageToJsonString(reply, &answer.body, options).ok()
             ? answer
             : error_answer(500, "INTERNAL", "the reply has no JSON form");
}

WebAnswer error_answer(int status, std::string_view code, std::string_view sentence) {
  const nlohmann::json body{{"error", {{"code", status}, {"status", code}, {"message", sentence}}}};
  return {.status = status,
          .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

WebAnswer error_answer(const grpc::Status& failed) {
  for (const Code& each : codes) {
    if (each.code == failed.error_code()) {
      return error_answer(each.status, each.name, failed.error_message());
    }
  }
  return error_answer(500, "INTERNAL", failed.error_message());
}

// Of several directories all but the leader answer ABORTED.
template <class Stub, class Request, class Reply>
void Acts::add(std::string name, Kind kind, Stubs<Stub> stubs,
               grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
               std::function<void(Request&)> complete) {
  auto run = [stubs = std::move(stubs), method,
              complete = std::move(complete)](const std::string& body) {
    namespace util = google::protobuf::util;
    Request request;
    const auto parsed = util::JsonStringToMessage(body.empty() ? "{}" : body, &request);
    if (!parsed.ok()) {
      return error_answer(400, "INVALID_ARGUMENT", std::string(parsed.message()));
    }
    if (complete) complete(request);
    grpc::Status called(grpc::StatusCode::UNAVAILABLE, "nothing answers");
    Reply reply;
    for (const auto& stub : *stubs) {
      called = host::call_within(call_time_max, *stub, method, request, reply);
      if (called.error_code() != grpc::StatusCode::ABORTED &&
          called.error_code() != grpc::StatusCode::UNAVAILABLE) {
        break;
      }
    }
    if (!called.ok()) return error_answer(called);
    return json_answer(reply);
  };
  acts_.emplace(std::move(name), Act{kind, std::move(run)});
}

Acts::Acts(const Targets& targets, const Recorders& recorders) {
  const auto directory = stubs_of<directory::v1::DirectoryControl>(targets.directory, targets.tls);
  add("split_region", of_map, directory, &DirectoryStub::SplitRegion);
  add("merge_region", of_map, directory, &DirectoryStub::MergeRegion);
  add("move_region", of_map, directory, &DirectoryStub::MoveRegion);
  add("drain_worker", of_map, directory, &DirectoryStub::DrainWorker);
  add("undrain_worker", of_map, directory, &DirectoryStub::UndrainWorker);
  add("kill_worker", of_map, directory, &DirectoryStub::KillWorker);
  add("set_balance", of_map, directory, &DirectoryStub::SetBalance);
  add("set_rate", of_map, directory, &DirectoryStub::SetRate);
  const auto session = stubs_of<session::v1::SessionControl>(targets.session_control, targets.tls);
  add("list_sessions", look, session, &SessionStub::ListSessions);
  add("kick_session", of_players, session, &SessionStub::KickSession);
  add("end_session", of_players, session, &SessionStub::EndSession);
  add("order_techniques", of_players, session, &SessionStub::OrderTechniques);
  add("log_in", play, stub_on<session::v1::Session>(targets.session),
      &session::v1::Session::Stub::LogIn,
      std::function([credential = targets.credential](session::v1::LogInRequest& request) {
        if (request.credential().empty()) request.set_credential(credential);
      }));
  acts_.emplace("arm_recorder", Act{of_players, [&recorders](const std::string& body) {
                                      return recorders.arm(body);
                                    }});
  acts_.emplace("list_recordings",
                Act{look, [&recorders](const std::string&) { return recorders.list(); }});
}
Acts::~Acts() = default;

std::optional<Acts::Kind> Acts::kind_of(std::string_view name) const {
  const auto found = acts_.find(name);
  return found == acts_.end() ? std::nullopt : std::optional(found->second.kind);
}

WebAnswer Acts::run(std::string_view name, const std::string& body) const {
  return acts_.find(name)->second.run(body);
}

std::map<std::string, std::string> Acts::scopes() const {
  std::map<std::string, std::string> out;
  for (const auto& [name, act] : acts_) {
    out.emplace(name, scope_names[static_cast<std::size_t>(act.kind.needs)]);
  }
  return out;
}

}  // namespace perigee::console
