/// Members of the cluster: how they introduce themselves, and what the directory knows about them
/// besides their entries in the map.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "perigee/base/address.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/speaks.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::directory {

inline constexpr std::size_t name_chars_max = 64;

struct WorkerIntroduction {
  std::string name;
  Address fabric;
  Address grpc;
  std::uint64_t schema_hash = 0;  ///< of the worker's game module
  std::uint64_t instance = 0;     ///< random, drawn once per process
  Speaks speaks;
  std::string build;      ///< for operators
  std::uint64_t run = 0;  ///< random number of its process, in the keys of the fabric; 0: none
};
struct GatewayIntroduction {
  std::string name;
  Address fabric;
  Address public_udp;
  std::uint64_t instance = 0;  ///< random, drawn once per process
  Speaks speaks;
  std::string build;      ///< for operators
  Address grpc;           ///< invalid: it has none
  std::uint64_t run = 0;  ///< as a worker's
};

enum class Refusal : std::uint8_t {
  BadName,       ///< not 1 to 64 letters, digits, dots, dashes, underscores
  BadAddress,    ///< an address or port is missing
  PublicFabric,  ///< private addresses only
  OtherGame,     ///< the living workers run another game or another version of it
  OtherFabric,   ///< living members use another version of the fabric protocol
  OtherWorkers,  ///< living workers use another version of the protocol between workers
  NameTaken,     ///< a living member with another address has this name
  AddressTaken,  ///< a living member with another name has this fabric address
  Full,          ///< no free slot
  NoHandles,     ///< every block of entity handles may be in use
  last = NoHandles
};
/// One sentence that names the remedy.
std::string_view describe(Refusal refusal);

struct Grant {
  std::uint16_t slot = 0;
  HandleBase handle_base;          ///< workers only
  std::uint32_t handle_count = 0;  ///< workers only
};
using Admission = std::variant<Grant, Refusal>;

enum class MemberKind : std::uint8_t { Worker, Gateway, last = Gateway };

/// The directory's data about a member besides its entry in the map; indexed by slot.
struct Member {
  std::string name;
  Address grpc;  ///< invalid: a gateway without a gRPC server
  std::uint64_t instance = 0;
  Micros received_us = 0;
  /// Workers: this process's incarnation has ended, whether or not the process knows. Registering
  /// again starts a new incarnation.
  bool incarnation_over = false;
  Speaks speaks;
  std::string build;  ///< for operators
  friend bool operator==(const Member&, const Member&) = default;
};

/// A worker is known to be alive if it was heard this much later than the last heartbeat of a
/// worker that died. Heartbeats come once a second, so the last heartbeats of two workers that died
/// at the same time differ by at most this.
inline constexpr Micros together_us = 2'000'000;

/// Whether a member can be reached at this address.
inline bool usable(const Address& address) { return address.valid() && address.port != 0; }

}  // namespace perigee::directory
