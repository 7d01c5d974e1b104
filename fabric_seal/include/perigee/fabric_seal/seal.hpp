/// Seals and opens fabric datagrams, between a core and its socket. AES-256-GCM; every pair of
/// processes has a key of its own for each direction and key epoch, derived from the directory's
/// key. The bytes are specified in proto/WIRE.md, section "Sealed datagram". (decision 0117)
///
/// Sans I/O. Bounded by the members of the map. A number is never used twice with one key: the run,
/// which each process draws at random when it starts, is part of its keys, and this object, which
/// counts the numbers, lives as long as its process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/fabric_keys.hpp"
#include "perigee/base/result.hpp"
#include "perigee/fabric_seal/counters.hpp"

namespace perigee::fabric_seal {

/// Call once before anything else here; fails only without a source of random numbers.
Result<Ok> init_crypto();

/// Keys of a former or the next epoch that a process holds besides those of a deal.
inline constexpr std::size_t held_keys_max = 4;

/// Whether a process uses plain epochs. If not, it neither sends nor receives during them.
enum class PlainEpochs : std::uint8_t { Used, Refused };

class Seal {
 public:
  /// `run`: random, drawn once per process, not 0; the directory puts it into the map.
  Seal(FabricSender kind, std::uint64_t run, PlainEpochs plain = PlainEpochs::Used);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  /// The slot that the directory granted to this process.
  void identify(std::uint16_t slot);
  void on_map(const ClusterMap& map);
  void on_keys(const FabricKeys& keys);
  /// Number of the last deal, for the directory; 0: none.
  std::uint32_t deal() const { return deal_; }
  /// The epoch that datagrams are sealed with; null: nothing can be sent yet.
  const FabricKey* sends_with() const;
  /// The reason why nothing can be sent; empty: it can.
  std::string_view not_ready_because() const;

  /// The datagram as it is to be sent to the member at this address, valid until the next call.
  /// Empty: it is dropped and counted. The datagram has at most fabric_plain_bytes_max bytes.
  std::span<const std::byte> seal(const Address& to, std::span<const std::byte> datagram);
  /// Opens a received datagram in place, and returns it as its sender made it. None: refused, and
  /// counted.
  std::optional<std::span<const std::byte>> open(const Address& from,
                                                 std::span<std::byte> datagram);
  std::uint64_t run() const { return run_; }
  const Counts<Count>& counts() const { return counts_; }

 private:
  struct Peer;
  using Peers = std::vector<std::unique_ptr<Peer>>;  ///< by slot

  void note(FabricSender kind, std::uint16_t slot, const Address& fabric, bool alive,
            std::uint64_t run);
  void forget_ciphers();
  Peer* peer(FabricSender kind, std::uint16_t slot) const;
  const FabricKey* held(std::uint32_t epoch) const;
  const FabricKey* accepted(std::uint16_t low_epoch) const;
  bool accepts_plain() const;
  std::optional<Count> refusal(const Address& from, std::span<std::byte> datagram,
                               std::span<const std::byte>& out);

  FabricSender kind_;
  std::uint64_t run_;
  PlainEpochs plain_;
  std::optional<std::uint16_t> slot_;
  std::uint32_t cluster_id_ = 0;    ///< of the map
  std::uint32_t keys_cluster_ = 0;  ///< of the keys
  std::uint32_t deal_ = 0;
  std::uint32_t send_ = 0;
  bool refused_plain_ = false;   ///< in the last deal
  std::vector<FabricKey> keys_;  ///< in order of their epochs, at most held_keys_max
  std::array<Peers, enum_count<FabricSender>> peers_;
  std::unordered_map<Address, Peer*> by_address_;
  std::array<std::byte, fabric_datagram_bytes_max> out_{};
  Counts<Count> counts_;
};

}  // namespace perigee::fabric_seal
