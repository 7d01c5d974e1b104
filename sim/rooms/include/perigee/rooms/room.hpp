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

  /// An invitation: its seat is taken until the token expires or the client comes.
  void invite(Micros now_us, std::uint64_t client_id, std::uint64_t player_id);
  /// Clients that have a seat: those given, players with an avatar, and invited ones.
  struct Seat {
    std::uint64_t client_id = 0;
    std::uint64_t player_id = 0;
  };
  std::vector<Seat> seats(Micros now_us, std::vector<Seat> connected);

  void note_tick(Micros spent_us, Micros late_us, Micros period_us) {
    ticks_.on_tick(spent_us, late_us, period_us);
  }
  RoomFigures figures() const;

 private:
  struct Invited {
    Seat seat;
    Micros until_us = 0;
  };
  RoomId id_;
  RoomPlan plan_;
  std::uint64_t began_unix_s_;
  Micros began_us_;
  Micros quiet_since_us_;  ///< the last moment with a client, or the end of a stall
  bool played_ = false;
  std::uint32_t clients_ = 0;
  std::vector<Invited> invited_;
  worker::TickMeter ticks_;
  worker::Core worker_;
};

}  // namespace perigee::rooms
