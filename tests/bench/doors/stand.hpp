/// The processes of a run: a directory, gateways, nginx; and the worker that is registered with the
/// directory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/common/batch_socket.hpp"
#include "perigee/fabric_seal/seal.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/transport/keys.hpp"
#include "process/child.hpp"

namespace perigee::bench {

struct GatewayProcess {
  pid_t pid = 0;
  Address address;
};

struct NginxProcess {
  pid_t pid = 0;  ///< of its worker process
  std::uint16_t port = 0;
  BatchSocket* upstream = nullptr;  ///< the destination to which it forwards
};
/// Whether Debian's nginx with its stream module is installed.
bool nginx_present();

class Stand {
 public:
  /// in a network namespace without other processes
  static constexpr std::uint16_t first_port_base = 20'000;

  /// Several stands need different ports.
  explicit Stand(std::uint16_t port_base = first_port_base);
  ~Stand();
  Stand(const Stand&) = delete;
  Stand& operator=(const Stand&) = delete;

  /// Starts the directory and registers the worker. `sealing`: the value of directory.fabric_seal.
  Result<Ok> open(const std::string& sealing = "tag");
  /// Runs on the same processor as nginx. Options as on its command line.
  Result<GatewayProcess> start_gateway(unsigned index, std::vector<std::string> options);
  void stop_gateway(unsigned index);
  Result<NginxProcess> start_nginx();
  /// Handles heartbeats; to be called at least every two seconds.
  void tend();

  const ClusterMap& map() const { return map_; }
  const transport::Key& key() const { return key_; }
  /// The worker's fabric end.
  BatchSocket& worker() { return *worker_; }
  fabric_seal::Seal& seal() { return seal_; }

 private:
  template <class Done>
  bool run_until(Done done);
  std::vector<std::string> command(const char* binary, std::vector<std::string> more) const;

  Address local(unsigned offset) const;

  std::uint16_t port_base_;
  std::string folder_;
  transport::Key key_{};
  host::Loop loop_;
  std::optional<BatchSocket> worker_, nginx_upstream_;
  std::optional<process_test::Child> directory_, nginx_;
  fabric_seal::Seal seal_{FabricSender::Worker, host::random_u64() | 1U};
  std::vector<std::unique_ptr<process_test::Child>> gateways_;
  std::optional<host::DirectoryClient> member_;
  ClusterMap map_;
};

}  // namespace perigee::bench
