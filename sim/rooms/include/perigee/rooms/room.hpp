/// One room: a worker with a world of its own, and the rules that end it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "perigee/rooms/room_plan.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick/tick_meter.hpp"

namespace perigee::rooms {

/// The settings of a worker with so few players: it reserves a tenth of a cluster worker's memory.
worker::Settings small_worker(worker::Settings settings, std::uint32_t players_max);

class Room {
 public:
  struct Setup {
    RoomId id;
    RoomPlan plan;
    const world::GameModule& game;
    WorkerSlot slot;
    worker::Settings settings;
    std::uint64_t unix_s = 0;
    Micros now_us = 0;
    FabricBatch::Send send;
  };
  explicit Room(Setup setup);

  RoomId id() const { return id_; }
  WorkerSlot slot() const { return worker_.slot(); }
  const RoomPlan& plan() const { return plan_; }
  /// Whether a client has ever come.
  bool played() const { return played_; }
  worker::Core& worker() { return worker_; }
  const worker::Core& worker() const { return worker_; }

  /// Notes how many of its clients are connected.
  void note_clients(Micros now_us, std::uint32_t clients);
  /// The process stood still until now: clients that have lost their sessions come back.
  void note_stall(Micros now_us) { quiet_since_us_ = now_us; }
  /// The reason to end it now; none: it goes on.
  EndReason due(Micros now_us) const;

  struct Seat {
    std::uint64_t client_id = 0;
    std::uint64_t player_id = 0;
  };
  /// An invitation: its seat is taken until the token expires or the client comes.
  void invite(Micros now_us, const Seat& seat, std::uint64_t issue);
  /// Clients that have a seat: those given, players with an avatar, and invited ones.
  std::vector<Seat> seats(Micros now_us, std::vector<Seat> connected);
  /// Whether a client with a valid token may come in: it is a member, and has a seat or finds one.
  bool admit(Micros now_us, std::uint64_t client_id, std::vector<Seat> connected);
  /// A member has been invited, has a token that has not expired, and has neither quit nor been
  /// removed since.
  bool has_member(std::uint64_t client_id) const { return index_of(client_id).has_value(); }
  /// 0: that player is none, or has no account.
  std::uint64_t member_of(std::uint64_t player_id) const;
  /// A token of the member, for its next session, lives until then.
  void note_token(std::uint64_t client_id, Micros until_us);
  /// Its tokens are void, except an invitation that is newer than `issue`.
  void forget(std::uint64_t client_id, std::uint64_t issue);

  void note_tick(Micros spent_us, Micros late_us, Micros period_us) {
    ticks_.on_tick(spent_us, late_us, period_us);
    spent_us_ += spent_us;
    ++spent_ticks_;
  }
  /// A period of OverloadWatch is over.
  void end_period();
  /// Mean time of a tick in the last whole period; 0: it had none.
  Micros mean_tick_us() const { return mean_tick_us_; }
  RoomFigures figures() const;

 private:
  struct Member {
    Seat seat;
    std::uint64_t issue = 0;      ///< of its newest invitation
    Micros invited_until_us = 0;  ///< its seat is kept until then; 0: it has come
    Micros tokens_until_us = 0;   ///< its newest token expires
  };
  std::optional<std::size_t> index_of(std::uint64_t client_id) const;
  RoomId id_;
  RoomPlan plan_;
  std::uint64_t began_unix_s_;
  Micros began_us_;
  Micros quiet_since_us_;  ///< the last moment with a client, or the end of a stall
  bool played_ = false;
  std::uint32_t clients_ = 0;
  std::vector<Member> members_;
  worker::TickMeter ticks_;
  Micros spent_us_ = 0;  ///< in ticks of this period
  std::int64_t spent_ticks_ = 0;
  Micros mean_tick_us_ = 0;
  worker::Core worker_;
};

}  // namespace perigee::rooms
