/// The keys of the fabric. The directory draws them and deals them out to gateways and workers;
/// no other process has them, and no file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

/// How datagrams of one key epoch are sealed.
enum class FabricSealing : std::uint8_t {
  Plain,    ///< neither encrypted nor authenticated; the epoch has no key
  Tag,      ///< authenticated, readable
  Encrypt,  ///< authenticated and encrypted
  last = Encrypt
};

using FabricKeyBytes = std::array<std::byte, 32>;

struct FabricKey {
  std::uint32_t epoch = 0;  ///< never 0, never used for another key of the same cluster id
  FabricSealing sealing = FabricSealing::Plain;
  FabricKeyBytes bytes{};
  friend bool operator==(const FabricKey&, const FabricKey&) = default;
};

/// The previous key, the current one and the next one.
inline constexpr std::size_t fabric_keys_max = 3;

/// One deal of the directory. A member keeps the keys that it has from former deals, except those
/// of epochs before `oldest`: a directory that has just begun to lead does not know them.
struct FabricKeys {
  std::uint32_t cluster_id = 0;  ///< keys of another cluster id are void
  std::uint32_t deal = 0;        ///< number of this deal, +1 per change; members confirm it
  std::uint32_t oldest = 0;      ///< datagrams of former epochs are refused
  std::uint32_t send = 0;        ///< the key of this epoch seals from now on
  std::vector<FabricKey> keys;   ///< at most fabric_keys_max
  friend bool operator==(const FabricKeys&, const FabricKeys&) = default;
};

}  // namespace perigee
