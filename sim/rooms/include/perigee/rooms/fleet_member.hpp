/// The calls of a process of rooms to the manager of its fleet (Agones), and their times. Sans I/O:
/// the owner makes the calls, with the time as an argument.
///
/// It is Ready once it listens, Allocated while it has rooms, Ready again some time after the last
/// one, and is shut down after it was drained. Nothing that the manager says or fails to answer
/// holds the process up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/base/tick.hpp"

namespace perigee::rooms {

enum class FleetCall : std::uint8_t {
  Ready,
  Allocate,
  Shutdown,
  CountRooms,
  CountPlayers,
  LabelSchema,  ///< which version of the game it has, for the choice among several
  last = LabelSchema
};
enum class FleetAnswer : std::uint8_t { Done, Failed, NoSuchThing, last = NoSuchThing };
/// States of Agones that make a difference here.
enum class FleetState : std::uint8_t { Starting, Ready, Allocated, Ending, last = Ending };
/// None: a state without a meaning here, or nonsense.
std::optional<FleetState> fleet_state(std::string_view agones);

struct FleetFigures {
  std::uint32_t rooms = 0;    ///< open, or waiting for the store
  std::uint32_t players = 0;  ///< connected
  bool leaving = false;       ///< told to stop; rooms are played on
  bool ended = false;         ///< and all of them are over
};

class FleetMember {
 public:
  /// A call that failed is repeated after this long, at first, and twice as long each time after.
  static constexpr Micros pause_us_min = 1'000'000;
  static constexpr Micros pause_us_max = 15'000'000;
  /// Without a room for so long it is Ready again. A matchmaker that was given this process has so
  /// long to begin a room.
  static constexpr Micros idle_us = 30'000'000;
  /// Between two counts: each is a write to the cluster's store.
  static constexpr Micros count_period_us = 2'000'000;

  /// A call to make now, until there is none; on_answer() has to follow each.
  std::optional<FleetCall> next(Micros now_us, const FleetFigures& figures);
  void on_answer(Micros now_us, FleetCall call, FleetAnswer answer);
  /// News of the manager about this process.
  void on_state(Micros now_us, FleetState state);
  /// The manager is removing this process.
  bool told_to_leave() const { return state_ == FleetState::Ending; }
  bool shut_down() const { return shut_down_; }

 private:
  /// Repeats a call that fails.
  struct Attempts {
    bool under_way = false;
    Micros not_before_us = 0;
    Micros pause_us = pause_us_min;
  };
  struct Counter {
    Attempts attempts;
    std::optional<std::uint32_t> told, telling;
    bool absent = false;
  };

  std::optional<FleetCall> wanted_state(Micros now_us, const FleetFigures& figures) const;
  bool begin(Attempts& attempts, Micros now_us);
  bool wants_count(Counter& counter, Micros now_us, std::uint32_t count);
  Counter* counter_of(FleetCall call);

  Attempts state_calls_;
  FleetState state_ = FleetState::Starting;
  Micros state_since_us_ = 0;
  std::optional<Micros> busy_until_us_;  ///< the last moment with a room
  bool asked_ready_ = false;
  bool shut_down_ = false;
  Counter rooms_, players_;
  Attempts label_calls_;
  bool labelled_ = false;
};

}  // namespace perigee::rooms
