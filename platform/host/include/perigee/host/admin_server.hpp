/// The admin port (HTTP, on its own thread): /metrics, /live, /ready, /config and pages that a
/// process adds.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/http_answer.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/metrics.hpp"

namespace perigee::host {

class AdminServer {
 public:
  /// /live fails when the loop has not turned for this long.
  static constexpr Micros stall_us = 5'000'000;

  struct Options {
    Address listen;      ///< loopback by default
    std::string config;  ///< body of /config
  };
  /// `metrics` and `loop` must outlive the server.
  static Result<std::unique_ptr<AdminServer>> start(Loop& loop, Metrics& metrics,
                                                    const Options& options);
  ~AdminServer();
  AdminServer(const AdminServer&) = delete;
  AdminServer& operator=(const AdminServer&) = delete;

  /// /ready answers 503 with `why` until this is called with an empty string. Any thread.
  void set_not_ready(std::string why);
  void set_ready() { set_not_ready({}); }
  /// The same for another path, such as /joined, which is there from the first call on.
  void set_unmet(const std::string& path, std::string why);
  /// Serves GET requests of exactly this path; `answer` is called on a server thread. Call it
  /// before the loop runs.
  void serve(std::string path, std::function<HttpAnswer()> answer);

 private:
  struct Impl;
  explicit AdminServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
