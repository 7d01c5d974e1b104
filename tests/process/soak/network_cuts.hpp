/// Cuts the network between processes that all live on loopback: nft drops what one of them sends
/// to another. For a network of the test's own (own_network::Stay), and for root.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::process_test {

class NetworkCuts {
 public:
  /// The ports at which each process is a server, for UDP and TCP. At most 64 processes.
  using Ports = std::map<std::string, std::vector<unsigned>>;
  explicit NetworkCuts(Ports ports);

  /// An error: this machine does not allow it.
  Result<Ok> begin();
  /// The command, run as that process: its packets are known by its group.
  std::vector<std::string> as(const std::string& process, std::vector<std::string> command) const;

  /// From now on what `from` sends to `to` is dropped.
  void cut(const std::string& from, const std::string& to);
  /// Ends all cuts.
  void heal();
  /// Packets dropped so far.
  std::uint64_t dropped() const;

 private:
  unsigned group(const std::string& process) const;
  Ports ports_;
};

}  // namespace perigee::process_test
