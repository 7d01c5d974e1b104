/// Sealed fabric in a virtual cluster: the seal of each process. Keys come from the directory, with
/// registrations and heartbeats. Random numbers are drawn from a stream of their own, so that a
/// sealed cluster plays the same as a plain one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "perigee/base/cluster_map.hpp"
#include "perigee/fabric_seal/seal.hpp"
#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {

class FabricSeals {
 public:
  struct Needs {
    const EventQueue& queue;
    DirectoryHost& directory;
    std::uint64_t seed = 1;
  };
  explicit FabricSeals(Needs needs);

  /// A process starts. Returns its run, with which it registers.
  std::uint64_t begin(Party who);
  /// The directory has registered it.
  void on_registered(Party who, std::uint16_t slot);
  void on_map(Party who, const ClusterMap& map);
  /// The directory learns which keys the process has, and answers with newer ones.
  void on_heartbeat(Party who);
  /// Draws the next key if it is due. Called once a second.
  void add_due_key();

  /// The datagram on its way. Empty: the sender cannot seal it.
  Bytes seal(Party from, const Address& to, std::span<const std::byte> datagram);
  /// Opens it in place. None: the receiver refuses it.
  std::optional<std::span<const std::byte>> open(Party at, const Address& from, Bytes& datagram);
  /// Datagrams of all living processes that were refused, or not sealed.
  std::uint64_t lost() const;

 private:
  Needs needs_;
  RandomStream random_;
  std::map<Party, std::unique_ptr<fabric_seal::Seal>> seals_;
};

}  // namespace perigee::lab
