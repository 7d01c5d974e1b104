/// Fabric: the datagrams between gateways and workers, and between workers. Records are batched up
/// to the path MTU. The bytes are specified in proto/WIRE.md, section "Fabric".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/cluster_map.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/player_account.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

/// (gateway slot + 1) << 32 | generation (20 bits) << 12 | client slot (12 bits); never 0.
using SessionId = std::uint64_t;
inline constexpr int session_generation_bits = 20;
constexpr SessionId make_session(GatewaySlot gateway, std::uint32_t generation,
                                 std::uint32_t client_slot) {
  constexpr std::uint32_t generation_mask = (1U << session_generation_bits) - 1;
  return (SessionId{gateway.number} + 1) << 32 | (generation & generation_mask) << 12 |
         (client_slot & 0xfffU);
}
constexpr GatewaySlot session_gateway(SessionId session) {
  return GatewaySlot::at((session >> 32) - 1);
}
constexpr std::uint32_t session_client_slot(SessionId session) { return session & 0xfffU; }

inline constexpr std::size_t fabric_datagram_bytes_max = 1400;
/// A seal adds 4 bytes to the header, and a tag of 16 bytes.
inline constexpr std::size_t fabric_seal_bytes = 20;
/// Size of a datagram before it is sealed. Plain datagrams have the same limit, so that every
/// record fits with and without a seal.
inline constexpr std::size_t fabric_plain_bytes_max = fabric_datagram_bytes_max - fabric_seal_bytes;
inline constexpr std::size_t fabric_header_bytes = 14;
inline constexpr std::uint16_t fabric_magic = 0x4650;         ///< "PF"
inline constexpr std::uint16_t fabric_sealed_magic = 0x5350;  ///< "PS"
inline constexpr std::uint8_t fabric_version = 6;

enum class FabricSender : std::uint8_t { Gateway, Worker, last = Worker };

struct FabricHeader {
  std::uint32_t cluster_id = 0;  ///< the sender's map incarnation; others are dropped
  FabricSender kind = FabricSender::Gateway;
  std::uint16_t slot = 0;      ///< sender's gateway or worker slot
  std::uint32_t sequence = 0;  ///< +1 per datagram from this sender to this receiver
};

enum class FabricRecord : std::uint8_t {
  Join,      ///< gateway -> worker, until Joined or Refused; also locates an avatar
  Leave,     ///< gateway -> worker, repeated until Left
  Input,     ///< gateway -> worker: one frame of a client's payload
  Joined,    ///< worker -> gateway
  Refused,   ///< worker -> gateway
  Left,      ///< worker -> gateway
  Block,     ///< worker -> gateway: one frame for a client
  Observer,  ///< worker -> worker: an avatar that subscribes to the receiver's entities
  Tally,     ///< worker -> worker: how much was sent to the receiver's player
  last = Tally
};

struct JoinRecord {
  SessionId session = 0;
  std::uint64_t client_id = 0;
  RegionId region;          ///< where the avatar spawns
  std::uint64_t issue = 0;  ///< of the token: of a client's two sessions the larger one counts
  PlayerAccount account;
  bool alone = false;  ///< the log-in has ended the account's other sessions
};
struct LeaveRecord {
  SessionId session = 0;
  bool lost = false;  ///< the client may reconnect: the avatar lingers; false: the player has quit
};
struct InputRecord {
  SessionId session = 0;
  FineTick received;               ///< the gateway's stamp
  StreamId stream = stream_owner;  ///< or the worker's own
  std::span<const std::byte> frame;
};
struct JoinedRecord {
  SessionId session = 0;
  std::uint32_t avatar = 0;  ///< entity handle
};
/// NoPlace: no player may begin in that region.
enum class RefuseReason : std::uint8_t { Full, NotOwner, NotReady, NoPlace, last = NoPlace };
struct RefusedRecord {
  SessionId session = 0;
  RefuseReason reason = RefuseReason::Full;
};
struct LeftRecord {
  SessionId session = 0;
};
struct BlockRecord {
  SessionId session = 0;
  std::uint8_t priority = 0;  ///< 0 = carries the own avatar; lower is sent first
  std::span<const std::byte> block;
};
/// 5 Hz per avatar and interested worker; takes effect at `effective`, expires 1 s after that.
struct ObserverRecord {
  SessionId session = 0;
  Tick effective;
  Vec3 position;                                   ///< world, metres
  Vec3f velocity;                                  ///< m/s
  float radius_m = 0;                              ///< interest radius
  float stretch = 1;                               ///< >= 1, divides ring radii
  float near_m = static_cast<float>(near_lane_m);  ///< radius of the near lane
};
/// Once a second to the avatar's owner, which sets stretch and near lane from the sum of all
/// tallies.
struct TallyRecord {
  static constexpr std::size_t steps = 10;
  SessionId session = 0;
  Tick counted;
  std::uint32_t bytes = 0;                    ///< of records, in the second up to `counted`
  std::array<std::uint16_t, steps> within{};  ///< moving, within 1/10, 2/10, ... of the near lane
};

/// Collects records into one datagram. If a record does not fit, the datagram is unchanged: flush
/// and retry.
class FabricWriter {
 public:
  FabricWriter(std::span<std::byte> buffer, const FabricHeader& header);
  bool add(const JoinRecord& record);
  bool add(const LeaveRecord& record);
  bool add(const InputRecord& record);
  bool add(const JoinedRecord& record);
  bool add(const RefusedRecord& record);
  bool add(const LeftRecord& record);
  bool add(const BlockRecord& record);
  bool add(const ObserverRecord& record);
  bool add(const TallyRecord& record);
  bool empty() const { return records_ == 0; }
  std::span<const std::byte> datagram() const { return writer_.written(); }

 private:
  template <class Record>
  bool add_record(FabricRecord type, const Record& record);
  ByteWriter writer_;
  std::uint32_t records_ = 0;
};

/// Reads one datagram record by record. A malformed byte ends the reading: ok() becomes false and
/// the rest is dropped.
class FabricReader {
 public:
  explicit FabricReader(std::span<const std::byte> datagram);
  bool ok() const { return ok_; }
  const FabricHeader& header() const { return header_; }
  /// Type of the next record, none at the end or after an error.
  std::optional<FabricRecord> next();
  /// Reads the body of the record that next() announced, at most once; false if malformed.
  bool read(JoinRecord& record);
  bool read(LeaveRecord& record);
  bool read(InputRecord& record);
  bool read(JoinedRecord& record);
  bool read(RefusedRecord& record);
  bool read(LeftRecord& record);
  bool read(BlockRecord& record);
  bool read(ObserverRecord& record);
  bool read(TallyRecord& record);

 private:
  template <class Record>
  bool read_record(Record& record);
  ByteReader reader_;
  ByteReader body_{std::span<const std::byte>{}};
  FabricHeader header_;
  bool ok_ = false;
};

}  // namespace perigee
