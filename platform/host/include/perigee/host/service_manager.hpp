/// Tells the service manager that started this process what it does, and that its loop turns: the
/// protocol of sd_notify(3), as systemd speaks it with Type=notify and WatchdogSec.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "perigee/base/result.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {

/// The environment that the service manager gave to the process.
struct ServiceManagerOptions {
  std::string socket;      ///< NOTIFY_SOCKET: a path, or @ and an abstract name; empty: none
  Micros watchdog_us = 0;  ///< WATCHDOG_USEC, if WATCHDOG_PID is this process; 0: no watchdog
};
/// Values of the three variables; null: not set.
Result<ServiceManagerOptions> parse_service_manager(const char* socket, const char* watchdog_usec,
                                                    const char* watchdog_pid, std::int64_t own_pid);

/// Without a socket all calls do nothing. Messages that the service manager does not take are
/// repeated, and never waited for. Loop thread only.
class ServiceManager {
 public:
  ServiceManager(Loop& loop, ServiceManagerOptions options);
  /// The process's own environment. A value that cannot be used is logged.
  explicit ServiceManager(Loop& loop);
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  /// All ports are open. From now on the loop says three times per watchdog period that it turns.
  void serving();
  /// Runs `read_files`, which is announced before and after.
  void reload(const std::function<void()>& read_files);
  /// The process has been told to stop, and may still take a while.
  void stopping();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;  ///< none: there is no service manager
};

}  // namespace perigee::host
