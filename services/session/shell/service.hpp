/// The gRPC face of the session core. Calls come on gRPC's threads; one mutex orders them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "perigee/session/core.hpp"
#include "session.grpc.pb.h"

namespace perigee::session {

class Service final : public v1::Session::Service {
 public:
  static constexpr int listed_max = 1000;  ///< sessions per ListSessions
  static constexpr std::size_t refusals = static_cast<std::size_t>(Refusal::last) + 1;

  explicit Service(Core core);

  grpc::Status LogIn(grpc::ServerContext*, const v1::LogInRequest* request,
                     v1::LogInReply* reply) override;
  grpc::Status ListSessions(grpc::ServerContext*, const v1::ListSessionsRequest*,
                            v1::ListSessionsReply* reply) override;

  void set_map(const ClusterMap& map);
  void set_backend_key(const transport::Key& key);

  struct Picture {
    std::uint64_t admitted = 0;
    std::array<std::uint64_t, refusals> refused{};  ///< by Refusal
    std::size_t sessions = 0;
    std::optional<Refusal> missing;  ///< why nobody could log in now
  };
  Picture picture();

 private:
  std::mutex mutex_;
  Core core_;
  ClusterMap map_;
  Picture counts_;
};

}  // namespace perigee::session
