/// Profiles and results of all rooms, on their way to the one world store of the process and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/rooms/room_plan.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::rooms {

/// The world store. Its answers are Host::on_kept() and Host::on_profile(). Empty functions: there
/// is none, and nothing is kept.
struct RecordStore {
  std::function<void(const worker::LastingRow&)> keep;  ///< LastingRow::number names the row
  /// Takes a profile for a new session; `number` names the question in the answer.
  std::function<void(std::uint64_t number, std::uint64_t owner)> take;
};

/// What became of a record.
enum class RecordEnd : std::uint8_t {
  Stored,
  Superseded,  ///< a profile: a newer session has taken it; a result: another one has its key
  Fenced,      ///< the store belongs to another world
  Lost,        ///< the room ended before the store had answered
  last = Lost
};

class RoomRecords {
 public:
  /// Rows that the store has at a time, and readings. Further ones wait here, and go with their
  /// room.
  static constexpr std::size_t at_store_max = 256;
  /// A reading waits for so long; the worker then has refused the join.
  static constexpr Micros reading_us_max = 5'000'000;
  /// So long it waits for an avatar of the same account in another room: that session is about to
  /// end, and may save.
  static constexpr Micros avatar_us_max = 4'000'000;

  struct Needs {
    RecordStore store;
    /// Null: the room has gone.
    std::function<worker::Core*(RoomId)> worker;
    /// Whether another room has a save of this profile that the store does not have.
    std::function<bool(std::uint64_t owner, RoomId asks)> is_saved_elsewhere;
    /// Whether the player is in another room.
    std::function<bool(std::uint64_t owner, RoomId asks)> is_elsewhere;
  };
  explicit RoomRecords(Needs needs) : needs_(std::move(needs)) {}

  bool has_store() const { return static_cast<bool>(needs_.store.keep); }
  /// A result without an origin gets the number of its room.
  void keep(RoomId room, worker::LastingRow row);
  /// `number`: of the question at the room's worker.
  void take(Micros now_us, RoomId room, std::uint64_t number, std::uint64_t owner);
  /// The room is over: its readings are not answered.
  void stop_reading(RoomId room);
  /// The room has gone: its rows that are not at the store are dropped.
  void forget(RoomId room);
  /// The store's answers.
  void on_kept(std::uint64_t number, worker::Journalled became);
  void on_profile(std::uint64_t number, const worker::TakenProfile& profile);
  /// Hands rows and readings to the store.
  void advance(Micros now_us);

  void count_lost(std::size_t records) { counts_.add(RecordEnd::Lost, records); }
  const Counts<RecordEnd>& counts() const { return counts_; }

 private:
  struct Waiting {
    RoomId room;
    worker::LastingRow row;
  };
  struct AtStore {
    RoomId room;
    std::uint64_t number = 0;  ///< at the room's worker
  };
  struct Reading {
    RoomId room;
    std::uint64_t number = 0;  ///< at the room's worker
    std::uint64_t owner = 0;
    Micros since_us = 0;
    std::uint64_t at_store = 0;  ///< number at the store; 0: it waits
  };
  bool may_read(Micros now_us, const Reading& reading) const;

  Needs needs_;
  std::deque<Waiting> waiting_;
  std::map<std::uint64_t, AtStore> at_store_;  ///< by number at the store
  std::uint64_t newest_ = 0;
  std::vector<Reading> readings_;  ///< in order of their begin
  Counts<RecordEnd> counts_;
};

}  // namespace perigee::rooms
