/// Links between workers, without their sockets: one connection for each pair of workers that
/// live, dialled by the one with the lower slot. Both prove that they have the workers' key and
/// who they are; from then on every message is sealed, and comes in order, whole, once, or the link
/// is lost and made anew. Whoever is told of nothing but messages sees a lost link as a gap.
/// Driven by (now, event); no clock, no socket.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/peers/counters.hpp"

namespace perigee::peers {

/// Once per process, before anything else of this room.
Result<Ok> init_crypto();

using Key = std::array<std::byte, 32>;
/// Hellos are made with the first; answered are those of both, so that it can be changed while
/// workers run.
struct Keys {
  Key current{};
  std::optional<Key> previous;
};
/// Fills the span; must be unpredictable.
using RandomBytes = std::function<void(std::span<std::byte>)>;

/// Given by the sockets, never twice.
using ConnectionId = std::uint64_t;

/// What the core asks of the sockets. None of these calls back.
class Sockets {
 public:
  virtual ~Sockets() = default;
  /// Ends with on_connected() or on_closed().
  virtual ConnectionId dial(const Address& to) = 0;
  virtual void write(ConnectionId to, std::span<const std::byte> bytes) = 0;
  /// Written, and not taken by the network yet.
  virtual std::size_t unsent_bytes(ConnectionId of) const = 0;
  /// Nothing more is heard of it, nor sent.
  virtual void close(ConnectionId which) = 0;
};

class Core {
 public:
  /// A group with all of its past is the largest. More: memory for each neighbour; less: crews that
  /// cannot cross.
  static constexpr std::size_t word_bytes_max = 16 << 20;
  /// Said and not taken by the network: then its reader is given up.
  static constexpr std::size_t unsent_bytes_max = 32 << 20;
  static constexpr std::size_t frame_bytes_max = 1 << 20;  ///< more goes in several
  static constexpr std::size_t strangers_max = 16;  ///< connections that were accepted, not linked
  static constexpr Micros handshake_us_max = 2'000'000;
  static constexpr Micros beat_us = 250'000;  ///< something is said at least so often
  /// Less: links that a busy machine loses. More: a dead neighbour's things stand longer.
  static constexpr Micros silence_us_max = 2'000'000;
  static constexpr Micros redial_us_min = 100'000;  ///< doubled with each failure ...
  static constexpr Micros redial_us_max = 2'000'000;
  static constexpr Micros advance_us_max = 250'000;  ///< longer between two calls: we stood still

  struct Events {
    std::function<void(WorkerSlot from, std::span<const std::byte> word)> word;
    std::function<void(WorkerSlot)> linked;
    std::function<void(WorkerSlot, Count why)> lost;
  };
  /// `sockets` outlives the core.
  Core(const Keys& keys, RandomBytes random, Sockets& sockets, Events events);

  /// Links with all living workers. A worker's connections
  /// arrive at the TCP port of its fabric's number.
  void on_map(Micros now_us, const ClusterMap& map, WorkerSlot self);
  void on_accepted(Micros now_us, ConnectionId id);
  void on_connected(Micros now_us, ConnectionId id);
  void on_bytes(Micros now_us, ConnectionId id, std::span<const std::byte> bytes);
  void on_closed(Micros now_us, ConnectionId id);
  /// At least every advance_us_max: dials, beats, and gives up whom nobody heard.
  void advance(Micros now_us);

  /// One message, of 1 to word_bytes_max bytes. Without a link it is lost, and counted.
  void send(Micros now_us, WorkerSlot to, std::span<const std::byte> word);
  /// From here to release() messages wait. What has been said to a worker in between it hears
  /// together, or nothing of it: whoever dies in a tick has not told half of that. (decision 0046)
  void hold();
  void release(Micros now_us);
  bool linked(WorkerSlot with) const;
  std::size_t links() const;                                ///< that stand
  std::size_t neighbours() const { return peers_.size(); }  ///< that ought to be linked
  const Counts<Count>& counts() const { return counts_; }

 private:
  enum class Stage : std::uint8_t {
    Dialling,
    Greeted,   ///< we dialled and said hello
    Accepted,  ///< somebody dialled us
    Welcomed,  ///< and said a good hello, which may be an old one said again
    Linked
  };
  struct Wire {
    Stage stage{};
    WorkerSlot peer = 0;  ///< not while Accepted
    Micros began_us = 0, heard_us = 0, said_us = 0;
    Key key{};                     ///< of the handshake
    std::vector<std::byte> hello;  ///< ours, until it is answered
    Key outwards{}, inwards{};
    std::uint64_t said = 0, heard = 0;  ///< frames: the nonces
    std::vector<std::byte> held;        ///< messages, each behind its size: to be said
    std::vector<std::byte> gathered;    ///< likewise, heard: the rest of them is still to come
    std::vector<std::byte> unread;
  };
  struct Peer {
    std::uint32_t life = 0;
    Address at;
    std::optional<ConnectionId> link, dialled;
    Micros dial_at_us = 0;
    Micros redial_us = redial_us_min;
  };
  using Taken = std::optional<std::size_t>;  ///< bytes; none: more of them are needed

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
  Taken read(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> bytes);
  Taken on_frame(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> bytes);
  void deliver(Micros now_us, ConnectionId id, Wire& wire);
  void say_held(Micros now_us, ConnectionId id, Wire& wire);
  void say(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> part, bool more);
  void write(ConnectionId id, std::span<const std::byte> bytes);

  const Keys keys_;
  const RandomBytes random_;
  Sockets& sockets_;
  const Events events_;
  std::uint32_t incarnation_ = 0;
  WorkerSlot self_ = 0;
  std::uint32_t life_ = 0;
  std::map<WorkerSlot, Peer> peers_;
  std::map<ConnectionId, Wire> wires_;
  Micros advanced_us_ = 0;
  bool holds_ = false;
  std::vector<std::byte> sealed_;  ///< one frame
  std::vector<std::byte> opened_;  ///< empty: memory for the next ones that are delivered
  Counts<Count> counts_;
};

}  // namespace perigee::peers
