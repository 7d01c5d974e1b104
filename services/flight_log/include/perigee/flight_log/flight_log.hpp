/// Writes what flight recorders kept into a folder: bounded by host::FileShelf, and one a second at
/// most, because that costs milliseconds. What cannot be written is counted and said.
#pragma once

#include <string>

#include "perigee/host/file_shelf.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::flight_log {

inline constexpr std::string_view ending = ".flight";
/// From what happened to its recording: by then the worker has made final what the client had
/// predicted.
inline constexpr std::int32_t settled_ticks = 30;

class FlightLog {
 public:
  static constexpr Micros rest_us = 1'000'000;

  static Result<FlightLog> open(const std::string& folder, std::uint32_t files_max,
                                std::uint32_t mebibytes_max);
  /// Has the last one been long enough ago?
  bool rested(Micros now_us) const { return !last_us_ || now_us - *last_us_ >= rest_us; }
  /// As flight-AVATAR-TICK-SIDE.flight.
  void write(Micros now_us, const replay::Recording& recording);
  std::uint64_t written() const { return shelf_.written(); }
  std::uint64_t lost() const { return shelf_.lost(); }

 private:
  explicit FlightLog(host::FileShelf shelf) : shelf_(std::move(shelf)) {}
  host::FileShelf shelf_;
  std::optional<Micros> last_us_;
};

/// How the version of this program is named in recordings.
std::string build_name();

}  // namespace perigee::flight_log
