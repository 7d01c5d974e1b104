/// Many small worlds in one process: a gateway for all of them, and for each room a worker that
/// knows of no other one. Sans I/O: the owner has the sockets and the clocks.
///
/// In each turn, the owner calls receive() for everything that arrived, then advance(now), and
/// sleeps until next_deadline_us().
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/embed/own_map.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/plugin/game_plugin.hpp"
#include "perigee/rooms/overload_watch.hpp"
#include "perigee/rooms/parcels.hpp"
#include "perigee/rooms/room.hpp"
#include "perigee/rooms/room_plan.hpp"
#include "perigee/rooms/room_records.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::rooms {

struct HostSettings {
  Address address;               ///< that clients dial; it is in their tokens
  std::uint32_t rooms_max = 64;  ///< 1..1000; more: the ticks of all rooms take longer
  std::uint32_t clients_max = 256;
  std::uint32_t players_max = 16;  ///< of a room
  /// A room ends if its ticks take longer in the mean, while those of all rooms are late. 0: never.
  Micros tick_us_max = 8'000;
  Vec3 world_low{-2000, -2000, -2000}, world_high{2000, 2000, 2000};  ///< of each room, metres
  worker::Settings worker;  ///< of each room; see small_worker()
};

/// Where datagrams and news go. The functions must not call the host.
class Outputs {
 public:
  virtual ~Outputs() = default;
  virtual void to_client(const Address& to, std::span<const std::byte> datagram) = 0;
  /// From now on, until the next call, the game's code runs for no other room.
  virtual void on_tick_begins(RoomId) {}
  virtual void on_tick(Micros /*spent_us*/, Micros /*late_us*/) {}
  virtual void on_telemetry(const Telemetry&) {}
  virtual void on_began(const RoomFigures&) {}
  virtual void on_ended(const RoomFigures&) {}
  /// Invalid values of the game, for the log.
  virtual void on_game_faults(RoomId, const world::GameFaults::Unsent&) {}
};

class Host : private gateway::Outputs {
 public:
  /// After a stall a room catches up by at most this many ticks per turn. More: other rooms wait
  /// for longer.
  static constexpr int ticks_per_turn_max = 2;
  static constexpr Micros look_period_us = 250'000;   ///< at clients, and for rooms to end
  static constexpr std::uint64_t remembered_s = 600;  ///< ended rooms
  static constexpr std::size_t remembered_max = 4'096;
  /// A room that is over waits for so long until the store has its records, and keeps its place.
  static constexpr Micros stored_us_max = 10'000'000;
  /// Of resume tokens; the gateway asks for new ones long before.
  static constexpr std::uint64_t resume_token_life_s = 300;

  struct Needs {
    plugin::Stages stages;  ///< of one game, at least one; they outlive the host
    transport::RandomBytes random;
    std::function<Micros()> clock;  ///< any clock, to measure ticks
    rooms::Outputs& outputs;
    RecordStore store = {};
  };
  /// `unix_s` is the time at `now_us`, which must not go back. `needs.random` must be
  /// unpredictable: the key of the tokens is drawn from it. Call transport::init_crypto() first.
  Host(const HostSettings& settings, Needs needs, Micros now_us, std::uint64_t unix_s);
  ~Host() override;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// A new room, or the one of the same key.
  std::variant<RoomFigures, Refusal> create(Micros now_us, RoomPlan plan);
  /// Ends the room, if it has not ended: its clients are disconnected, and the game hears that each
  /// player leaves.
  std::variant<RoomFigures, Refusal> end(Micros now_us, RoomId room);
  /// A token for one player, valid for 30 s.
  std::variant<transport::ConnectToken, Refusal> invite(Micros now_us, RoomId room,
                                                        const Invitation& invitation);
  /// Disconnects the player, and voids its tokens. None: done.
  std::optional<Refusal> remove_player(Micros now_us, RoomId room, std::uint64_t player_id);
  /// From now on no room begins.
  void refuse_rooms() { refusing_ = true; }
  /// Ends all rooms.
  void stop(Micros now_us);

  /// One datagram, decrypted in place. `received_us`: when it arrived.
  void receive(Micros now_us, Micros received_us, const Address& from,
               std::span<std::byte> datagram);
  /// The store's answers, for RecordStore.
  void on_kept(Micros now_us, std::uint64_t number, worker::Journalled became);
  void on_profile(std::uint64_t number, const worker::TakenProfile& profile) {
    records_.on_profile(number, profile);
  }
  /// Runs everything that is due: ticks, keep-alives, joins, ends.
  void advance(Micros now_us);
  /// When advance() must be called next.
  Micros next_deadline_us() const;

  std::size_t rooms() const { return rooms_.size(); }
  /// Number of rooms that are over, with records on their way to the store.
  std::size_t ending() const { return ending_.size(); }
  const Counts<RecordEnd>& records() const { return records_.counts(); }
  /// Rooms that have begun, in all.
  std::uint64_t begun() const { return last_region_.number; }
  void for_each_open(const std::function<void(const Room&)>& visit) const {
    for (const auto& room : rooms_) visit(*room);
  }
  std::optional<RoomFigures> figures(RoomId room) const;
  /// Ids of the open and ending rooms, and of ended ones that are remembered.
  void for_each_id(bool open_only, const std::function<void(RoomId)>& visit) const;
  std::uint64_t ticks_skipped() const { return ticks_skipped_; }
  const gateway::Core& door() const { return door_; }
  const HostSettings& settings() const { return settings_; }
  std::uint64_t schema_hash() const { return schema_hash_; }
  /// For tests. Null: it has ended, or never was.
  const worker::Core* worker(RoomId room) const;

 private:
  void to_client(const Address& to, std::span<const std::byte> datagram) override;
  void to_fabric(const Address& to, std::span<const std::byte> datagram) override;
  void want_resume_token(std::uint64_t client_id) override;
  void claim(const transport::ClaimRequest& request) override;
  void released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) override;
  void on_telemetry(const Telemetry& telemetry) override;

  std::optional<Refusal> refusal(Micros now_us, const RoomPlan& plan) const;
  const world::GameModule* game_of(std::string_view stage) const;
  Room* find(RoomId room) const;
  Room* room_of(std::uint64_t client_id) const;
  std::vector<Room::Seat> connected_in(RegionId region) const;
  std::size_t seats_of_all(Micros now_us);
  struct Ending {
    std::unique_ptr<Room> room;
    RoomFigures figures;
    Micros until_us = 0;
  };
  RoomFigures finish(Micros now_us, std::size_t index, EndReason reason);
  void connect_records(Room& room);
  void let_players_leave(Room& room);
  RoomFigures end_if_stored(Micros now_us, std::size_t index);
  worker::Core* worker_to_answer(RoomId room);
  bool saves(std::uint64_t owner, RoomId but) const;
  bool plays(std::uint64_t owner, RoomId but) const;
  void keep_time(Micros now_us);
  void deliver(Micros now_us);
  void answer_claims(Micros now_us);
  void answer_resumes(Micros now_us);
  void run_ticks(Micros now_us);
  void tick(Micros now_us, Micros turn_began_us, Room& room);
  void look(Micros now_us);
  void end_slowest(Micros now_us);
  transport::ConnectToken token(RegionId region, std::uint64_t client_id, const PlayerAccount& of,
                                std::uint64_t life_s);
  std::uint64_t unix_s(Micros now_us) const {
    return start_unix_s_ + static_cast<std::uint64_t>((now_us - start_us_) / 1'000'000);
  }

  HostSettings settings_;
  Needs needs_;
  Micros start_us_;
  std::uint64_t start_unix_s_;
  Micros now_us_;
  std::uint64_t schema_hash_;
  transport::Key key_;
  std::uint32_t run_;  ///< upper half of the ids of rooms
  embed::OwnMap map_;
  gateway::Core door_;
  Parcels parcels_;
  std::vector<std::unique_ptr<Room>> rooms_;  ///< by id
  std::vector<Room*> by_slot_;
  std::deque<WorkerSlot> free_slots_;  ///< the one that rests for the longest time first
  std::vector<Ending> ending_;         ///< over, and no longer on the map
  std::deque<RoomFigures> ended_;      ///< the newest last
  RegionId last_region_;
  std::uint64_t issue_ = 0;
  RoomRecords records_;
  std::vector<std::uint64_t> resumes_;           ///< clients that want a resume token
  std::vector<transport::ClaimRequest> claims_;  ///< clients that want to come in
  std::size_t turn_ = 0;                         ///< the room that ticks first
  Micros next_look_us_ = 0;
  bool refusing_ = false;
  std::uint64_t ticks_skipped_ = 0;
  OverloadWatch overload_;
};

}  // namespace perigee::rooms
