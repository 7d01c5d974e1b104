/// A directory, a worker, a gateway and a session service on loopback, with TLS in some places.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "bench/common/place.hpp"
#include "process/child.hpp"
#include "session.grpc.pb.h"

namespace perigee::bench {

enum class Tls {
  None,
  Inside,  ///< mutual TLS between the processes
  Outside  ///< also at the players' port
};

class Cluster {
 public:
  /// Waits until all processes are ready: only then are the ports in use, and not free for another
  /// cluster.
  explicit Cluster(Tls tls);
  /// False: one of them was not, after half a minute.
  bool ready() const { return ready_; }
  /// A new connection to the players' port, without one to share.
  std::unique_ptr<session::v1::Session::Stub> connect() const;
  const std::string& secret() const { return secret_; }

 private:
  void start(const std::string& binary, std::vector<std::string> more);
  bool become_ready() const;

  const Tls tls_;
  const Place place_;
  std::string secret_;
  std::list<process_test::Child> processes_;
  bool ready_ = false;
};

}  // namespace perigee::bench
