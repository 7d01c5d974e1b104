/// Logs bots in at the session service, one after the other, on a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "perigee/host/loop.hpp"

namespace perigee::bots {

struct LogInOptions {
  std::string session;  ///< "host:port"
  std::string secret;
  std::uint32_t count = 1;
  std::uint32_t per_s = 20;  ///< the rate that a service takes without queueing
  std::uint64_t schema_hash = 0;
  std::optional<std::uint32_t> region;  ///< where all begin; none: the service chooses
};

class LogIns {
 public:
  static constexpr Micros call_deadline_us = 5'000'000;
  static constexpr Micros patience_us = 10'000'000;  ///< while the cluster answers "try again"

  /// Called on the loop's thread, once per bot, in order.
  struct Events {
    std::function<void(std::uint32_t bot, std::string token, std::string gateway)> admitted;
    std::function<void(std::uint32_t bot, std::string reason)> refused;
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
