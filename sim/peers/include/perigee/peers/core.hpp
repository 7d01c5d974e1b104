/// Links between workers, without sockets: one connection for each pair of living workers, dialled
/// by the one with the lower slot. Each says which worker it is. From then on a message arrives in
/// order, complete and once, or the link is lost and made anew. For a receiver that sees only
/// messages, a lost link is a gap. Driven by (now, event); no clock, no socket.
///
/// The sockets are responsible for secrecy, and for the proof that a peer is a member of the
/// cluster: a byte that they deliver was sent by the peer, and is the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/peers/counters.hpp"

namespace perigee::peers {

/// Assigned by the sockets, never reused.
using ConnectionId = std::uint64_t;

/// The socket operations that the core needs. None of them calls the core.
class Sockets {
 public:
  virtual ~Sockets() = default;
  /// Leads to on_connected(), once both ends have proved their role, or to on_closed().
  virtual ConnectionId dial(const Address& to) = 0;
  virtual void write(ConnectionId to, std::span<const std::byte> bytes) = 0;
  /// Bytes written and not yet accepted by the network.
  virtual std::size_t unsent_bytes(ConnectionId of) const = 0;
  /// No further events and writes for this connection.
  virtual void close(ConnectionId which) = 0;
};

class Core {
 public:
  /// The largest message is a group with its past. More: memory for each neighbour; less: groups
  /// that cannot be migrated.
  static constexpr std::size_t message_bytes_max = 16 << 20;
  /// A link with more unsent bytes is dropped: its reader is too slow.
  static constexpr std::size_t unsent_bytes_max = 32 << 20;
  /// Accepted connections that have not sent a valid hello.
  static constexpr std::size_t strangers_max = 16;
  static constexpr Micros handshake_us_max = 2'000'000;
  static constexpr Micros beat_us =
      250'000;  ///< a group, empty or not, is sent at least this often
  /// Less: busy machines lose links. More: a dead neighbour's ghosts stay longer.
  static constexpr Micros silence_us_max = 2'000'000;
  static constexpr Micros redial_us_min = 100'000;  ///< doubled with each failure ...
  static constexpr Micros redial_us_max = 2'000'000;
  /// A longer time between two calls of advance() counts as a stall of this process.
  static constexpr Micros advance_us_max = 250'000;

  struct Events {
    std::function<void(WorkerSlot from, std::span<const std::byte> message)> message;
    std::function<void(WorkerSlot)> linked;
    std::function<void(WorkerSlot, Count why)> lost;
  };
  /// The counters of a connection's end.
  struct End {
    Count refused;  ///< before it was a link
    Count lost;     ///< after that
  };
  /// `sockets` outlives the core.
  Core(Sockets& sockets, Events events);

  /// Maintains links with all living workers. A worker accepts them at the TCP port with the number
  /// of its fabric port.
  void on_map(Micros now_us, const ClusterMap& map, WorkerSlot self);
  /// At once, so that the time for proofs counts as part of the handshake.
  void on_accepted(Micros now_us, ConnectionId id);
  void on_connected(Micros now_us, ConnectionId id);
  void on_bytes(Micros now_us, ConnectionId id, std::span<const std::byte> bytes);
  /// `end`: none: the peer or the network ended it.
  void on_closed(Micros now_us, ConnectionId id, const std::optional<End>& end = std::nullopt);
  /// Called at least every advance_us_max: dials, sends heartbeats, and drops silent links.
  void advance(Micros now_us);

  /// Sends one message of 1 to message_bytes_max bytes. Without a link it is dropped and counted.
  void send(Micros now_us, WorkerSlot to, std::span<const std::byte> message);
  /// Messages between hold() and release() are sent together: each worker receives all of its
  /// messages, or none. So a process that dies within a tick has not sent half of that tick.
  /// (decision 0046)
  void hold();
  void release(Micros now_us);
  bool linked(WorkerSlot with) const;
  std::size_t links() const;                                ///< established ones
  std::size_t neighbours() const { return peers_.size(); }  ///< wanted ones
  const Counts<Count>& counts() const { return counts_; }

 private:
  enum class Stage : std::uint8_t {
    Dialling,
    Greeted,   ///< we dialled and sent a hello
    Accepted,  ///< the other side dialled
    Linked
  };
  struct Wire {
    Stage stage{};
    WorkerSlot peer;  ///< unset while Accepted
    Micros began_us = 0, received_us = 0, sent_us = 0;
    std::vector<std::byte> held;    ///< the next group to be sent: its size, then messages
    std::vector<std::byte> unread;  ///< the beginning of a hello, a welcome or a group
  };
  struct Peer {
    Incarnation incarnation;
    Address at;
    std::optional<ConnectionId> link, dialled;
    Micros dial_at_us = 0;
    Micros redial_us = redial_us_min;
  };
  using Taken = std::optional<std::size_t>;  ///< bytes consumed; none: more are needed

  // core.cpp
  void forget(Micros now_us, WorkerSlot slot);
  void drop(Micros now_us, ConnectionId id, Count why);
  void gone(Micros now_us, ConnectionId id, Count why);
  void forgive_own_stall(Micros now_us);
  bool expired(Micros now_us, const Wire& wire) const;
  void dial_due(Micros now_us);

  // handshake.cpp
  Taken on_hello(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> bytes);
  Taken on_welcome(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> bytes);
  void link_up(Micros now_us, ConnectionId id, Wire& wire);
  void make_room_for_strangers(Micros now_us);

  // frames.cpp
  std::size_t read_all(Micros now_us, ConnectionId id, std::span<const std::byte> bytes);
  Taken read(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> bytes);
  Taken on_group(Micros now_us, ConnectionId id, const Wire& wire,
                 std::span<const std::byte> bytes);
  void hold_message(Wire& wire, std::span<const std::byte> message);
  void send_held(Micros now_us, ConnectionId id, Wire& wire);
  void send_beat(Micros now_us, ConnectionId id, Wire& wire);
  void write(ConnectionId id, std::span<const std::byte> bytes);

  Sockets& sockets_;
  const Events events_;
  std::uint32_t cluster_id_ = 0;
  WorkerSlot self_;
  Incarnation incarnation_;
  std::map<WorkerSlot, Peer> peers_;
  std::map<ConnectionId, Wire> wires_;
  Micros advanced_us_ = 0;
  bool holds_ = false;
  Counts<Count> counts_;
};

}  // namespace perigee::peers
