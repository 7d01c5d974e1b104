/// The gRPC service for matchmakers and operators. The loop answers each call.
#pragma once

#include <functional>
#include <string>

#include "perigee/host/audit_log.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/open_calls.hpp"
#include "perigee/rooms/one_a_turn.hpp"
#include "rooms.grpc.pb.h"
#include "runner.hpp"

namespace perigee::rooms {

class Service final : public v1::Rooms::CallbackService {
 public:
  static constexpr std::size_t calls_max = 64;
  static constexpr std::uint32_t page_rows_max = 100;
  /// The largest request is an invitation with a name and claims.
  static constexpr host::GrpcLimits limits{
      .connections_max = 64, .calls_max = calls_max, .request_bytes_max = 4'096, .threads_max = 4};

  struct Needs {
    host::Loop& loop;
    Runner& runner;
    /// Of rooms for which a request names none.
    RoomPlan defaults;
    host::AuditLog& audit;
  };
  explicit Service(Needs needs)
      : needs_(std::move(needs)),
        orders_([this](OneATurn::Call call) { needs_.loop.post(std::move(call)); }) {}

  grpc::ServerUnaryReactor* CreateRoom(grpc::CallbackServerContext* context,
                                       const v1::CreateRoomRequest* request,
                                       v1::Room* reply) override;
  grpc::ServerUnaryReactor* EndRoom(grpc::CallbackServerContext* context,
                                    const v1::EndRoomRequest* request, v1::Room* reply) override;
  grpc::ServerUnaryReactor* ListRooms(grpc::CallbackServerContext* context,
                                      const v1::ListRoomsRequest* request,
                                      v1::ListRoomsReply* reply) override;
  grpc::ServerUnaryReactor* Invite(grpc::CallbackServerContext* context,
                                   const v1::InviteRequest* request,
                                   v1::InviteReply* reply) override;
  grpc::ServerUnaryReactor* RemovePlayer(grpc::CallbackServerContext* context,
                                         const v1::RemovePlayerRequest* request,
                                         v1::RemovePlayerReply* reply) override;
  /// Ends all calls; further ones are refused.
  void stop() { calls_.stop(); }

 private:
  grpc::ServerUnaryReactor* on_loop(grpc::CallbackServerContext* context,
                                    std::function<grpc::Status()> answer);
  /// For orders that take about a millisecond each, while ticks wait.
  grpc::ServerUnaryReactor* in_a_turn(grpc::CallbackServerContext* context,
                                      std::function<grpc::Status()> answer);
  /// An operator's act, checked now, and written down when it was answered or now refused.
  std::function<grpc::Status()> audited(const grpc::CallbackServerContext& context,
                                        const host::CallRights& rights, std::string_view act,
                                        const google::protobuf::Message& request,
                                        std::function<grpc::Status()> answer);
  /// The same for calls that are not written down.
  std::function<grpc::Status()> checked(const grpc::CallbackServerContext& context,
                                        const host::CallRights& rights,
                                        std::function<grpc::Status()> answer);
  grpc::Status list(const v1::ListRoomsRequest& request, v1::ListRoomsReply& reply) const;
  grpc::Status invite(const v1::InviteRequest& request, v1::InviteReply& reply);

  Needs needs_;
  host::OpenCalls calls_{calls_max};
  OneATurn orders_;  // on the loop's thread
};

}  // namespace perigee::rooms
