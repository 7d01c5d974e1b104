/// Techniques against one player's latency; each is a switch that may be changed at any time. The
/// defaults are the recommended ones, the others exist for comparison. Bytes: proto/WIRE.md,
/// sections "Control frame" and "Technique order".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "perigee/base/display_smoother.hpp"
#include "perigee/base/result.hpp"

namespace perigee {

/// The tick in which the worker applies an input, and the client's lead over the server.
enum class Timeline : std::uint8_t {
  Lead,              ///< at the tick that it names; the client's lead makes it arrive in time
  Playout,           ///< after three pushes of a buffer of four; half a round trip ahead
  PlayoutInTrouble,  ///< the same, with one push while nothing is late or out of order
  OnArrival,         ///< in the tick after its arrival: the buffer is never on
  Suggested,         ///< at the tick that it names, `suggested_ms` ahead of the server's
  last = Suggested
};

/// Inputs that a client's packet repeats.
enum class Redundancy : std::uint8_t {
  AllUnacknowledged,  ///< every input that the worker has not applied yet
  None,               ///< each input is sent once
  last = None
};

/// The tick at which remote entities are rendered.
enum class ViewTick : std::uint8_t {
  Near,         ///< as recent as the arrivals allow, at least 60 ms behind
  SharedClock,  ///< 100 ms behind the clock that all players share, at any latency
  last = SharedClock
};

/// How a final state from the server corrects the predicted present.
enum class Reconciler : std::uint8_t {
  Replay,  ///< set it and step all newer inputs again
  Shift,   ///< add the difference to all newer states; across a parent switch: replay
  last = Shift
};

/// The techniques that the worker must know: carried by every control frame, and returned in every
/// own section.
struct SharedTechniques {
  Timeline timeline = Timeline::Lead;
  bool rollback = true;
  bool relative_prediction = true;
  friend bool operator==(const SharedTechniques&, const SharedTechniques&) = default;
};

struct Techniques {
  static constexpr std::uint8_t suggested_ms_max = 100;
  static constexpr double reconcile_beyond_m_max = 10;

  Reconciler reconciler = Reconciler::Replay;
  /// Final states nearer than this to the prediction change nothing; 0: every final state is taken.
  double reconcile_beyond_m = 0;
  Smoothing smoothing = Smoothing::Quintic;
  /// Renders the own avatar at its predicted position; off: at the server's newest state, like
  /// other entities.
  bool prediction = true;
  /// Renders the server's state while predictions are wrong too often.
  bool storm_breaker = true;

  Timeline timeline = Timeline::Lead;
  std::uint8_t suggested_ms = 30;  ///< 0 to 100: X of the suggested timeline
  /// The worker re-simulates for inputs that are at most P late; off: a late input is void except
  /// for its edges, which move to the next applied input.
  bool rollback = true;
  Redundancy redundancy = Redundancy::AllUnacknowledged;
  std::uint8_t send_every_ms = 0;  ///< 0: with every tick; 20 or 25
  ViewTick view = ViewTick::Near;
  /// The worker gives the avatar a logical parent, and both sides step it in the parent's frame;
  /// off: both step it in the world's frame, among ships at their rendered positions.
  bool relative_prediction = true;

  SharedTechniques shared() const { return {timeline, rollback, relative_prediction}; }
  friend bool operator==(const Techniques&, const Techniques&) = default;
};

/// Ok, or the reason why these techniques are not usable.
Result<Ok> check(const Techniques& techniques);

/// Sets one technique by name, e.g. "smoothing" to "exponential"; the error lists the valid values.
Result<Ok> set(Techniques& techniques, std::string_view key, std::string_view value);
/// Applies "key=value" pairs, separated by commas or spaces, on top of `techniques`.
Result<Techniques> with(Techniques techniques, std::string_view settings);

/// Sets some techniques by name; the others stay as they are. With none named nothing changes.
struct TechniqueOrder {
  static constexpr double desync_m_max = 10;

  Techniques wanted;
  std::uint16_t named = 0;  ///< bit i: sets the i-th technique in the order of to_text()
  /// If not 0, displaces the predicted avatar by this much, once, to observe the correction.
  std::uint16_t desync_mm = 0;

  bool empty() const { return named == 0 && desync_mm == 0; }
  friend bool operator==(const TechniqueOrder&, const TechniqueOrder&) = default;
};
/// Like with(), plus "desync-m=0.5"; of two settings of the same technique the last one counts.
Result<TechniqueOrder> read_order(std::string_view settings);
Techniques obeyed(Techniques techniques, const TechniqueOrder& order);
/// One order that has the effect of `order` followed by `later`.
TechniqueOrder joined(const TechniqueOrder& order, const TechniqueOrder& later);
/// All techniques as "key=value", separated by `between`.
std::string to_text(const Techniques& techniques, std::string_view between);
/// The techniques and their valid values, one line each, for --help.
std::string techniques_help();

/// Number of techniques, for bit masks over them.
inline constexpr std::size_t techniques_count = 12;
inline constexpr std::size_t techniques_bytes = 19;
/// Field by field; a reader's caller calls check() afterwards.
template <class Cursor, class T>
bool walk_techniques(Cursor& c, T& t) {
  return c.enumerator(t.reconciler, Reconciler::last) && c.number(t.reconcile_beyond_m) &&
         c.enumerator(t.smoothing, Smoothing::last) && c.flag(t.prediction) &&
         c.flag(t.storm_breaker) && c.enumerator(t.timeline, Timeline::last) &&
         c.number(t.suggested_ms) && c.flag(t.rollback) &&
         c.enumerator(t.redundancy, Redundancy::last) && c.number(t.send_every_ms) &&
         c.enumerator(t.view, ViewTick::last) && c.flag(t.relative_prediction);
}

/// One byte: bits 0 to 2 timeline, bit 3 no rollback, bit 4 no relative prediction.
template <class Cursor, class Shared>
bool walk_shared(Cursor& cursor, Shared& shared) {
  auto byte = static_cast<std::uint8_t>(static_cast<unsigned>(shared.timeline) |
                                        (shared.rollback ? 0U : 8U) |
                                        (shared.relative_prediction ? 0U : 16U));
  if (!cursor.number(byte) || byte > 31 || (byte & 7) > static_cast<unsigned>(Timeline::last)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    shared = {static_cast<Timeline>(byte & 7), (byte & 8) == 0, (byte & 16) == 0};
  }
  return true;
}

}  // namespace perigee
