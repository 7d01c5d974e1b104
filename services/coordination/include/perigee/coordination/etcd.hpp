/// The coordination store in etcd: for several directories at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perigee/coordination/store.hpp"

namespace perigee::coordination {

struct EtcdOptions {
  std::vector<std::string> endpoints;  ///< host:port; the next one when one does not answer
  /// Of this process among those that share the store: a second one of that name ends the first.
  std::string name;
  std::string root = "/perigee/";  ///< all keys are below it: one etcd can serve several clusters
  std::uint64_t instance = 0;      ///< random, drawn once per process
  /// A leader that is not heard of for so long is none any more, 2 to 60 s. Less: stalls depose
  /// leaders; more: nobody leads for longer after a crash.
  Micros lease_us = 5'000'000;
  /// 100 ms to 10 s. Less: a busy etcd counts as away; more: one that hangs is left later.
  Micros call_deadline_us = 2'000'000;
};

/// Connects in the background, and again whenever it must.
Result<std::unique_ptr<Store>> open_etcd(const EtcdOptions& options);

}  // namespace perigee::coordination
