/// Mailbox: messages that carry the effects of an outcome on an entity that another worker may own.
/// The entity's owner processes each message exactly once. (decision 0042)
///
///   sender                          owner of the addressee
///     │ message 7, attempt 1 ────────────▶│ not here: logged permanently
///     │◀─────────────────── 7, 1: not here│
///     │ message 7, attempt 2 ────────────▶│ (another incarnation) processed, logged
///     │◀────────────────── 7, 2: processed│
///     │ settled ─────────────────────────▶│ forgets it
///
/// Each step is sent when the sender's standby has logged it, so a successor knows everything that
/// was ever sent. Only one incarnation at a time may process a message. The message is addressed to
/// the next incarnation after the last one has answered permanently that it does not have the
/// addressee.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "outcomes/mailbox_codec.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/durability_gate.hpp"
#include "perigee/worker/migration/entity_ownership.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class Mailbox {
 public:
  static constexpr std::size_t open_max = 4096;     ///< more are refused
  static constexpr std::size_t arrived_max = 4096;  ///< more wait at their senders
  static constexpr std::size_t answers_max = 65'536;
  static constexpr std::int32_t resend_ticks = 12;
  static constexpr std::int32_t next_ticks = 6;  ///< delay from an answer to the next attempt
  /// After this long without an owner, the addressee has left.
  static constexpr std::int32_t patience_ticks = 600;
  static constexpr std::size_t events_per_message = 2;

  struct Needs {
    world::World& world;
    const PlayerTable& players;
    const ClusterView& cluster;
    const EntityOwnership& ownership;
    DurabilityGate& durability;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    HandleBlock self;  ///< this incarnation
    const Tick& next;  ///< the tick that is simulated next
    /// Passes a message to the game. The effects may include another message that is processed at
    /// once.
    std::function<void(const world::Message&, bool returned)> receive;
  };
  explicit Mailbox(Needs needs) : needs_(std::move(needs)) {}

  bool send(const world::Message& message);
  /// A message of a restored world to an addressee that is here.
  void enter(const CheckpointMessage& message);
  /// The message being processed. None: no outcome of a message is being decided.
  const MessageId& reading() const { return reading_; }
  bool take(Handle thing, world::TypeId type);
  /// The entity is about to be removed; an actor has taken it.
  bool taken(Handle thing) const { return state_.taken.contains(thing); }
  /// The entity is in a group that is about to leave.
  bool leaving(Handle addressee) const;
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// Reads the messages that have arrived. Their effects are replicated with this tick, so the call
  /// comes before the tick's entities are gathered.
  void read_arrived();
  void after_tick();

  /// Takes over the mailbox of an ended incarnation.
  void take_over(const MailboxState& of);
  /// Visits the present state as notes, for a standby that starts to replicate.
  void for_each_note(const std::function<void(const MailboxEntry&)>& visit) const;
  /// No message is in flight to or from here.
  bool empty() const;
  std::size_t open() const { return state_.open.size(); }

 private:
  /// A logged message, and when it was sent.
  struct Transmission {
    std::uint64_t note = 0;  ///< durable once the standby has it
    std::optional<Tick> sent;
    Tick not_before;
  };
  struct Settled {
    std::uint32_t attempt = 0;
    HandleBlock asked;
    std::uint64_t note = 0;
  };
  /// Null: no such entity, or another worker's.
  const world::Entity* own(Handle handle) const;
  bool takes_messages(Handle addressee) const;
  void address(const MessageId& name, OpenMessage& open, Tick not_before);
  HandleBlock next_to_ask(const OpenMessage& open) const;
  /// Sends each one that is due with `send_one`. Returns those without a receiver: it is gone.
  template <class SendOne>
  std::vector<MessageId> send_due(std::map<MessageId, Transmission>& transmissions,
                                  SendOne send_one);
  void send_messages();
  void read_what_arrived();
  void send_answers();
  void send_settled();
  bool due(const Transmission& transmission) const;
  void mark(Handle thing);
  void remove_what_is_taken();
  void on_frame(WorkerSlot from, const MailboxFrame& frame);
  void on_message(const MailboxFrame& frame);
  void on_answer(WorkerSlot from, const MailboxFrame& frame);
  void on_settled(const MailboxFrame& frame);
  void read(const CheckpointMessage& message);
  bool reads_at_once(Handle addressee) const;
  void settle(const MessageId& name);
  void not_there(const MessageId& name);
  void forget(const MessageId& name);
  /// Sends to the worker that answers for that incarnation. False: there is none.
  bool send_frame(HandleBlock to, const MailboxFrame& frame);
  MailboxFrame make_frame(MailboxFrameKind kind, const MessageId& name, std::uint32_t attempt,
                          HandleBlock asked) const;

  Needs needs_;
  MailboxState state_;
  std::uint64_t numbers_ = 0;
  MessageId reading_;
  static constexpr int nested_max = 8;
  int nested_ = 0;  ///< messages that are read while others are sent
  /// Sending state of state_.open and state_.answers.
  std::map<MessageId, Transmission> messages_, answers_;
  std::map<MessageId, Settled> settled_;  ///< settled messages, not durable yet
  /// Entities about to be removed, with their notes.
  std::map<Handle, std::uint64_t> taken_;
  std::map<MessageId, MailboxFrame> arrived_;
  std::vector<MailboxFrame> to_ourselves_;
  /// Messages of later ticks, kept because checkpoints need that order.
  std::vector<std::pair<WorkerSlot, MailboxFrame>> early_;
};

}  // namespace perigee::worker
