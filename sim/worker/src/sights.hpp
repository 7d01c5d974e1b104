/// Lines of sight that lead to where this worker does not know everything: other owners of places
/// along them are asked what they have there, and the nearest of all counts. (decision 0050)
///
///   shooter's owner                        an owner along the line
///     │ its tick has left the window
///     │ Look 7: eye, direction, view ────────▶│ once its own has left it, too
///     │◀──────────── Seen 7: its judgement, how far away
///     │ the nearest one is committed
///
/// Nothing is held by who is asked, and asking again changes nothing: an answer that does not come
/// within `patience_ticks` is done without, and counted.
#pragma once

#include <bitset>
#include <deque>
#include <map>
#include <optional>
#include <span>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

/// What an outcome meets, as far as this worker knows.
struct Core::Judged {
  world::Judgement judgement;
  std::optional<world::Sight> sight;  ///< none: it aims along no line
  double looked_m = 0;                ///< along that: as far as it mattered
};

class Core::Sights {
 public:
  static constexpr std::size_t open_max = 1024;  ///< further ones are decided by what is known here
  static constexpr std::size_t asked_max = 4096;  ///< further questions are not answered
  static constexpr std::int32_t patience_ticks = 30;
  static constexpr double line_m_max = 20'000;  ///< what is farther away nobody is asked about
  /// Everything so near to our own regions is known here: half the band of ghosts, for what is
  /// large reaches out of its place.
  static constexpr double known_m = 64;

  explicit Sights(Core& core) : core_(core) {}

  /// ask() would ask others about it.
  bool leave(const Judged& judged) const;
  /// Committed later, once others have said what they have there. False: nobody has to be asked, or
  /// too many are open.
  bool ask(const world::Outcome& outcome, const Judged& judged);
  void on_look(WorkerSlot from, std::span<const std::byte> bytes);
  void on_seen(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();

 private:
  struct Open {
    world::Outcome outcome;
    world::Judgement judgement;  ///< of the nearest that anybody has
    double met_m = 0;            ///< how far away that is; the line's length: nothing
    Tick since;
    std::bitset<workers_max> waiting;  ///< for these
  };
  struct Look {
    std::uint32_t incarnation = 0;  ///< of the sender's map
    std::uint32_t number = 0;
    world::Outcome outcome;
    world::Sight sight;
    double far_m = 0;  ///< nothing farther away matters
  };
  struct Seen;
  template <class Cursor>
  static bool walk_look(Cursor& cursor, auto& look);
  template <class Cursor>
  static bool walk_seen(Cursor& cursor, auto& seen);

  std::bitset<workers_max> owners_beyond(const Judged& judged) const;
  void answer(WorkerSlot to, const Look& look);

  Core& core_;
  std::uint32_t numbers_ = 0;
  std::map<std::uint32_t, Open> open_;
  std::deque<std::pair<WorkerSlot, Look>> asked_;  ///< of ticks that may still change
};

}  // namespace perigee::worker
