/// Messages of a worker's game to the players of all workers: each player gets each of them once,
/// and those of one worker in order, also if it changes workers meanwhile. (decision 0104)
///
/// Workers keep the broadcasts of the last seconds. Each player knows which ones it has got, so a
/// worker that it comes to adds what it lacks. The sender repeats a broadcast for each other worker
/// until that worker answers; a successor continues for a sender that has died.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>

#include "messages/message_exchange.hpp"
#include "perigee/worker/migration/entity_ownership.hpp"
#include "perigee/worker/outputs.hpp"

namespace perigee::worker {

class Broadcasts {
 public:
  /// Of one worker in `rate_ticks`; more are refused.
  static constexpr std::size_t rate_max = 128;
  /// Of these, so many while the game answers to players, and so many for one of them: nobody uses
  /// up those that the game needs itself.
  static constexpr std::size_t speakers_rate_max = 96, speaker_rate_max = 8;
  static constexpr std::int32_t rate_ticks = 600;
  /// A worker that has not answered for this long is about to be declared dead: its players go to
  /// others, which have kept the broadcast for them.
  static constexpr std::int32_t kept_ticks = 1800;
  static constexpr std::size_t kept_max = rate_max * kept_ticks / rate_ticks;
  /// A sender that has ended, and from which nothing has come for so long, is forgotten.
  static constexpr std::int32_t forgotten_ticks = 2 * kept_ticks;
  static constexpr std::int32_t resend_ticks = 30;

  struct Needs {
    PlayerTable& players;
    const ClusterView& cluster;
    const EntityOwnership& ownership;
    DurabilityGate& durability;
    MessageExchange& exchange;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    HandleBlock self;  ///< this incarnation
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit Broadcasts(const Needs& needs) : needs_(needs) {}

  /// See world::Journal. `speaker`: the actor that the game answers to; none: its own broadcast.
  world::TellRefusal send(std::span<const std::byte> message, Handle speaker);
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();
  /// For a new player: it gets later broadcasts only.
  BroadcastsHeard heard() const;
  /// Before a player enters: forgets what it knows of ended senders.
  void forget_ended(BroadcastsHeard& heard) const;
  /// A player that has come from elsewhere gets what it lacks.
  void catch_up(Player& player);
  /// Those of an ended incarnation.
  void take_over(const MessageLogs& logs);
  void for_each_note(const std::function<void(const MessageNote&)>& visit) const;

 private:
  struct Kept {
    Broadcast broadcast;
    Tick since;
    std::uint64_t note = 0;      ///< of those that are sent from here
    Handle speaker = no_entity;  ///< see send()
  };
  /// How far another worker has got.
  struct Receiver {
    std::uint32_t has = 0, sent = 0;  ///< all up to this number
    Tick sent_at;
  };
  struct Log {
    std::uint32_t newest = 0;  ///< all up to this number are done here
    std::deque<Kept> kept;     ///< in order, without gaps
    Tick last;                 ///< when something came, or was sent
    std::map<HandleBlock, Receiver> receivers;
  };
  bool sends(HandleBlock origin) const;
  bool over_rate(const Log& log, Handle speaker) const;
  void keep(Log& log, Kept kept);
  void merge(Log& log, HandleBlock origin, const MessageLogs& logs);
  void on_broadcast(WorkerSlot from, const BroadcastFrame& frame);
  void on_answer(WorkerSlot from, const BroadcastFrame& frame);
  void send_log(HandleBlock origin, Log& log);
  void send_to(WorkerSlot worker, Receiver& receiver, const Log& log);
  void send_frame(WorkerSlot to, const BroadcastFrame& frame);
  bool all_have(const Log& log, std::uint32_t number) const;
  void drop_old(HandleBlock origin, Log& log);
  bool ended(HandleBlock origin, const Log& log) const;
  void forget_senders();

  Needs needs_;
  std::map<HandleBlock, Log> logs_;  ///< by sender
};

}  // namespace perigee::worker
