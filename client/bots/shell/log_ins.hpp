/// Logs players in, one after the other, on a thread of its own: at the session service, or as the
/// matchmaker of a process of rooms.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::bots {

struct LogInOptions {
  std::string session;                     ///< "host:port" of the session service, or of rooms
  std::shared_ptr<grpc::Channel> channel;  ///< to it
  std::string secret;
  std::uint32_t bots = 1;    ///< named bot-0, bot-1 and so on
  std::uint32_t thin = 0;    ///< then those named thin-0, thin-1 and so on
  std::uint32_t per_s = 20;  ///< at most
  std::uint64_t schema_hash = 0;
  std::optional<std::uint32_t> region;  ///< where all begin; none: the service chooses
  /// Players of each room that is begun for them; 0: there are no rooms, but a session service.
  std::uint32_t rooms_of = 0;
  std::uint64_t seed = 1;  ///< of the players' ids in rooms
};

/// The id of a player's account in rooms: another one for each player, never 0.
std::uint64_t player_id_of(std::uint64_t seed, std::uint32_t player);

class LogIns {
 public:
  static constexpr Micros call_deadline_us = 5'000'000;
  /// While the cluster answers "try again", since the start or the last log-in that succeeded.
  static constexpr Micros patience_us = 10'000'000;

  /// Called on the loop's thread, once per player, in order.
  struct Events {
    std::function<void(std::uint32_t player, std::string token, std::string gateway)> admitted;
    std::function<void(std::uint32_t player, std::string reason)> refused;
  };
  LogIns(host::Loop& loop, LogInOptions options, Events events);
  /// Cancels pending log-ins.
  ~LogIns();
  LogIns(const LogIns&) = delete;
  LogIns& operator=(const LogIns&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::bots
