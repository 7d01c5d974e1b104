/// What is done about one player's latency, each technique a switch that may be turned at any time.
/// The defaults are what we think is best; the others are there to be compared with. Bytes:
/// proto/WIRE.md, sections "Control frame" and "Technique order". (mission E5, E6, E9, B2, K9, K17,
/// K25, K32-K34, S3, S12, V1)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "perigee/netcode/display_smoother.hpp"
#include "perigee/netcode/result.hpp"

namespace perigee {

/// When the worker applies an input, and how far ahead of the server the client plays.
enum class Timeline : std::uint8_t {
  Lead,              ///< at the tick it names; the client plays so far ahead that it is in time
  Playout,           ///< after three pushes of a buffer of four; half a round trip ahead (K9-K16)
  PlayoutInTrouble,  ///< the same, with one push while nothing is late or out of order (K17)
  OnArrival,         ///< with the tick after its arrival: the buffer is never on (V3)
  Suggested,         ///< at the tick it names, which is `suggested_ms` ahead of the server's (S3)
  last = Suggested
};

/// What a client's packet repeats.
enum class Redundancy : std::uint8_t {
  AllUnacknowledged,  ///< every input that the worker has not applied yet
  None,               ///< each input is sent once (V0)
  last = None
};

/// The tick at which others are drawn.
enum class ViewTick : std::uint8_t {
  Near,         ///< as late as what arrives allows, 60 ms or more (K6)
  SharedClock,  ///< 100 ms behind the clock that all players share, whatever their latency (B2)
  last = SharedClock
};

/// How a final state of the server is brought into the present.
enum class Reconciler : std::uint8_t {
  Replay,  ///< take it, step all newer inputs again (E3)
  Shift,   ///< add the difference to everything newer; across a change of parents: replay (K25)
  last = Shift
};

/// What the worker has to know of them: it travels in every control frame, and back in every own
/// section.
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
  /// Final states that are nearer than this to what was predicted change nothing; 0: each is taken.
  /// (E2 has 0.00001)
  double reconcile_beyond_m = 0;
  Smoothing smoothing = Smoothing::Quintic;
  /// Shows the own avatar where it will be; off: where the server last said, as others are drawn.
  bool prediction = true;
  /// Shows what the server says while the prediction is wrong too often. (V10, K46)
  bool storm_breaker = true;

  Timeline timeline = Timeline::Lead;
  std::uint8_t suggested_ms = 30;  ///< 0 to 100: X of the suggested timeline (S3)
  /// The worker re-simulates for inputs that are at most P late; off: a late one is void but for
  /// its edges, which move to the next that is applied. (S8-S12)
  bool rollback = true;
  Redundancy redundancy = Redundancy::AllUnacknowledged;
  std::uint8_t send_every_ms = 0;  ///< 0: with every tick; 20 or 25 (V1)
  ViewTick view = ViewTick::Near;
  /// The worker gives the avatar a logical parent, in whose frame both sides step; off: both step
  /// it in the world's frame, among ships where they are drawn. (K33, K34)
  bool relative_prediction = true;

  SharedTechniques shared() const { return {timeline, rollback, relative_prediction}; }
  friend bool operator==(const Techniques&, const Techniques&) = default;
};

/// Why these are no techniques to play with.
Result<Ok> check(const Techniques& techniques);

/// Sets one technique by its name, "smoothing" to "exponential"; the error lists what there is.
Result<Ok> set(Techniques& techniques, std::string_view key, std::string_view value);
/// "key=value" with commas or spaces between them, on top of `techniques`.
Result<Techniques> with(Techniques techniques, std::string_view settings);

/// Some techniques by name; the others stay as they are. Nothing named: nothing changes.
struct TechniqueOrder {
  static constexpr double desync_m_max = 10;

  Techniques wanted;
  std::uint16_t named = 0;  ///< bit i: the i-th technique, as to_text() lists them, is to be so
  /// Not 0: the predicted avatar is moved so far, once, to see what is done about it. (E9)
  std::uint16_t desync_mm = 0;

  bool empty() const { return named == 0 && desync_mm == 0; }
  friend bool operator==(const TechniqueOrder&, const TechniqueOrder&) = default;
};
/// As with(), and "desync-m=0.5"; the last of two that name the same thing counts.
Result<TechniqueOrder> read_order(std::string_view settings);
Techniques obeyed(Techniques techniques, const TechniqueOrder& order);
/// One order for both, as if they were obeyed one after the other.
TechniqueOrder joined(const TechniqueOrder& order, const TechniqueOrder& later);
/// All of them as "key=value", with `between` between them.
std::string to_text(const Techniques& techniques, std::string_view between);
/// What may be set and to what, one line each, for --help.
std::string techniques_help();

/// How many there are, for bits that name them.
inline constexpr std::size_t techniques_count = 12;
inline constexpr std::size_t techniques_bytes = 19;
/// Field by field; a reader's caller asks check() afterwards.
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
