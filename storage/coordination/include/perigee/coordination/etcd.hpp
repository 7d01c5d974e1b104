/// The coordination store in etcd, for several directories at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perigee/coordination/store.hpp"
#include "perigee/host/grpc_channel.hpp"

namespace perigee::coordination {

struct EtcdOptions {
  std::vector<std::string> endpoints;  ///< host:port; the next one is used when one does not answer
  host::HostTls tls;
  /// Name of this process among those that share the store: a second process with the same name
  /// displaces the first.
  std::string name;
  std::string root = "/perigee/";  ///< prefix of all keys: one etcd can serve several clusters
  std::uint64_t instance = 0;      ///< random, drawn once per process
  /// Lease of the leader, 2 to 60 s. Lower: stalls depose leaders. Higher: longer without a leader
  /// after a crash.
  Micros lease_us = 5'000'000;
  /// 100 ms to 10 s. Lower: a busy etcd counts as unreachable. Higher: a hanging endpoint is left
  /// later.
  Micros call_deadline_us = 2'000'000;
};

/// Connects in the background, and reconnects whenever necessary. An error: the options, or a file
/// of `tls`, are wrong.
Result<std::unique_ptr<Store>> open_etcd(const EtcdOptions& options);

}  // namespace perigee::coordination
