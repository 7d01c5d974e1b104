/// Writes flight recordings into a folder: bounded by host::FileShelf, and at most one a second,
/// because writing takes milliseconds. Failures are counted and logged.
#pragma once

#include <string>

#include "perigee/base/tick.hpp"
#include "perigee/host/file_shelf.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::flight_log {

inline constexpr std::string_view ending = ".flight";
/// Delay from an event to its recording: by then the worker has finalized the ticks that the client
/// had predicted.
inline constexpr std::int32_t settled_ticks = 30;

class FlightLog {
 public:
  static constexpr Micros rest_us = 1'000'000;

  static Result<FlightLog> open(const std::string& folder, std::uint32_t files_max,
                                std::uint32_t mebibytes_max);
  /// Whether the last recording was long enough ago.
  bool rested(Micros now_us) const { return !last_us_ || now_us - *last_us_ >= rest_us; }
  /// The file's name is flight-AVATAR-TICK-SIDE.flight.
  void write(Micros now_us, const replay::Recording& recording);
  std::uint64_t written() const { return shelf_.written(); }
  std::uint64_t lost() const { return shelf_.lost(); }

 private:
  explicit FlightLog(host::FileShelf shelf) : shelf_(std::move(shelf)) {}
  host::FileShelf shelf_;
  std::optional<Micros> last_us_;
};

/// This program's version as named in recordings.
std::string build_name();

}  // namespace perigee::flight_log
