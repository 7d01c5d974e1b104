/// Flight recorders of all workers, for pages: which worker has a player is found by asking.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "perigee/host/cluster_tls.hpp"
#include "sim.grpc.pb.h"
#include "web_server.hpp"

namespace perigee::console {

class Recorders {
 public:
  /// `tls`: for calls; null: without TLS. Outlives the recorders.
  explicit Recorders(const host::ClusterTls* tls) : tls_(tls) {}

  /// gRPC addresses of the live workers. Any thread.
  void set_workers(const std::vector<std::string>& addresses);

  // Calls of workers, which may take seconds. Any thread.
  /// `body`: {"clientId": "..", "forS": n}. Arms at the worker that owns the player.
  WebAnswer arm(const std::string& body) const;
  /// {"workers": [ListRecordingsReply, ...]}
  WebAnswer list() const;
  /// Bytes of a recording: ?client=ID of an armed player, or ?worker=NAME&file=NAME.
  WebAnswer fetch(const WebQuery& query) const;

 private:
  using Stub = sim::v1::Sim::Stub;
  struct Listed {
    std::shared_ptr<Stub> worker;
    sim::v1::ListRecordingsReply reply;
  };
  std::vector<std::shared_ptr<Stub>> workers() const;
  std::vector<Listed> list_all() const;

  const host::ClusterTls* const tls_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Stub>> workers_;  // guarded by mutex_
};

}  // namespace perigee::console
