/// Gateway.WatchPlayers: a report of all players once a second, while there are viewers.
#pragma once

#include "gateway.grpc.pb.h"
#include "perigee/gateway/core.hpp"
#include "perigee/host/caller.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "perigee/host/newest_stream.hpp"

namespace perigee::gateway {

class PlayersFeed final
    : public v1::Gateway::WithCallbackMethod_WatchPlayers<v1::Gateway::Service> {
 public:
  static constexpr std::uint32_t viewers_max = 16;
  static constexpr int players_max = 5'000;
  static constexpr Micros period_us = 1'000'000;
  /// For operators and viewers. Requests are empty.
  static constexpr host::GrpcLimits limits{.connections_max = 64,
                                           .calls_max = 32 + viewers_max,
                                           .calls_per_connection_max = 16,
                                           .request_bytes_max = 1'024,
                                           .threads_max = 8,
                                           .memory_bytes_max = 16U << 20U};

  grpc::ServerWriteReactor<v1::PlayersReport>* WatchPlayers(
      grpc::CallbackServerContext* context, const v1::WatchPlayersRequest*) override {
    const auto may = host::may_call(context->peer(), host::rights::operators_read);
    return may.ok() ? viewers_.add(*context) : decltype(viewers_)::refuse(may);
  }
  /// Makes a report, if one is due and there are viewers. On the loop's thread.
  void show(Micros now_us, const Core& core);
  void stop() { viewers_.stop(); }

 private:
  host::NewestStream<v1::PlayersReport> viewers_{
      {.watchers_max = viewers_max, .unread_us_max = 5'000'000}};
  Micros next_us_ = 0;
};

}  // namespace perigee::gateway
