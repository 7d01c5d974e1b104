/// etcd processes of a test: on loopback, each with its own folder.
#pragma once

#include <signal.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process/child.hpp"
#include "unit/host/temporary_folder.hpp"

namespace perigee::process_test {

/// One member of a cluster.
class EtcdServer {
 public:
  /// A cluster of one; waits until it answers.
  explicit EtcdServer(unsigned port_base);
  /// The same over TLS, for clients with a certificate of ca.crt. `tls_folder` has ca.crt, tls.crt
  /// and tls.key.
  EtcdServer(unsigned port_base, std::filesystem::path tls_folder);
  /// `peers`: name=http://host:port of all members, including this one. Does not wait for them.
  EtcdServer(unsigned port_base, std::string name, std::string peers);

  std::string endpoint() const { return "127.0.0.1:" + std::to_string(client_port()); }
  unsigned client_port() const { return port_base_; }
  static std::string peer_url(unsigned port_base) {
    return "http://127.0.0.1:" + std::to_string(port_base + 10);
  }
  void start();
  /// Waits until it answers.
  void await() const;
  void kill();
  void stop() { server_->signal(SIGSTOP); }
  void go_on() { server_->signal(SIGCONT); }

  /// Makes a backup as an operator would. The server runs.
  void save(const std::filesystem::path& backup) const;
  /// Replaces the server's data by those of the backup. The server does not run.
  void put_back(const std::filesystem::path& backup) const;
  void forget_history_before(std::uint64_t revision) const;

 private:
  unsigned health_port() const { return tls_folder_.empty() ? port_base_ : port_base_ + 20; }
  std::filesystem::path data() const { return folder_.path() / "data"; }
  const unsigned port_base_;
  const std::string name_;
  const std::string peers_;
  const std::filesystem::path tls_folder_;  ///< empty: without TLS
  host::TemporaryFolder folder_;
  std::optional<Child> server_;
};

}  // namespace perigee::process_test
