/// Messages between the game and the clients of this worker's players: each is delivered once, in
/// order, across sessions, migrations and failovers. (decision 0103)
///
/// A message leaves for the client, and one of the client is acknowledged, when the standby has
/// logged it: a successor knows every message that the other end may have. A group that is about to
/// leave hears no messages, because no worker would know whether their effects are durable.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "messages/message_codec.hpp"
#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/durability_gate.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/world/outcome.hpp"

namespace perigee::worker {

class MessageExchange {
 public:
  /// Events that the speaking actor may get from one message; the next one waits for room.
  static constexpr std::size_t events_per_message = 2;
  /// A client may begin a conversation so often; its other frames are dropped.
  static constexpr std::int32_t begin_ticks = 60;
  /// Messages that were heard and are not durable. While there are so many, the game hears no more.
  static constexpr std::size_t undurable_max = 256;

  struct Needs {
    PlayerTable& players;
    const ClusterView& cluster;
    FabricBatch& fabric;
    DurabilityGate& durability;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// The actor is in a group that is about to leave.
    std::function<bool(Handle)> leaving;
    /// Passes a message to the game.
    std::function<void(const Player&, std::span<const std::byte>)> hear;
    /// So many bytes were sent to the session's client.
    std::function<void(SessionId, std::size_t)> sent;
  };
  explicit MessageExchange(Needs needs) : needs_(std::move(needs)) {}

  /// A frame of the player's client.
  void on_frame(Player& player, std::span<const std::byte> bytes);
  /// See world::Journal.
  world::TellRefusal tell(Handle actor, std::span<const std::byte> message);
  /// Of a broadcast. A player without room misses it, which is counted.
  void tell(Player& player, const Broadcast& broadcast);
  /// Passes messages that have arrived to the game. Their effects are replicated with this tick.
  void hear_arrived();
  /// Sends the frames that are due.
  void send();
  /// The player continues, or begins, on this worker.
  void enter(Player& player);
  /// The player has left this worker.
  void forget(const Player& player);
  /// Visits the present state as notes, for a standby that starts to replicate.
  void for_each_note(const std::function<void(const MessageNote&)>& visit) const;

 private:
  struct Numbers {
    std::uint32_t conversation = 0, heard = 0, first = 0;
  };
  bool begins(Player& player, const MessageFrame& frame);
  void begin(Player& player, const Numbers& numbers);
  void drop_suspects(Player& player, const MessageFrame& frame);
  bool acknowledge(Player& player, std::uint32_t received);
  bool may_hear(const Player& player) const;
  void hear_of(SessionId session);
  std::uint32_t durably_heard(PlayerMessages& messages) const;
  void send_to(Player& player);
  world::TellRefusal refuse(world::TellRefusal refusal);

  Needs needs_;
};

}  // namespace perigee::worker
