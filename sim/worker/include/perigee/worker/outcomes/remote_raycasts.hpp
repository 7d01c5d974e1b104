/// Remote raycasts: lines of sight into places that this worker does not know completely. The
/// owners of regions along the line are queried, and the nearest hit of all counts. (decision 0050)
///
///   shooter's owner                        an owner along the line
///     │ its tick has left the window
///     │ Look 7: eye, direction, view ────────▶│ once its own has left it, too
///     │◀──────────── Seen 7: its judgement, how far away
///     │ the nearest hit is committed
///
/// A query changes nothing at the queried worker. A reply that does not come within
/// `patience_ticks` is ignored, and counted.
#pragma once

#include <bitset>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

/// The hit of an outcome, as far as this worker knows.
struct Judged {
  world::Judgement judgement;
  std::optional<world::Raycast> raycast;  ///< none: the outcome has no line of sight
  double looked_m = 0;                    ///< distance that was searched along it
};

class RemoteRaycasts {
 public:
  static constexpr std::size_t open_max = 1024;   ///< further ones are decided with local knowledge
  static constexpr std::size_t asked_max = 4096;  ///< further queries are not answered
  static constexpr std::int32_t patience_ticks = 30;
  static constexpr double line_m_max = 20'000;  ///< places farther away are not queried
  /// Everything this near to our own regions is known here: half of the ghost band, because large
  /// entities extend beyond their place.
  static constexpr double known_m = 64;

  struct Needs {
    const ClusterView& cluster;
    const world::World& world;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    /// The game's verdict on an outcome, in a scene of this worker's world.
    std::function<world::Judgement(const world::DrawnScene&, const world::Outcome&)> judge;
    /// Commits an outcome with the judgement of its nearest hit.
    std::function<void(const world::Outcome&, const world::Judgement&)> commit;
  };
  explicit RemoteRaycasts(Needs needs) : needs_(std::move(needs)) {}

  /// Whether ask() would query other workers.
  bool leaves(const Judged& judged) const { return owners_beyond(judged).any(); }
  /// Commits the outcome later, with the replies of the other workers. False: none has to be
  /// queried, or too many are open.
  bool ask(const world::Outcome& outcome, const Judged& judged, Tick now);
  /// `settled`: the newest tick with states that cannot change any more.
  void on_query(WorkerSlot from, std::span<const std::byte> bytes, Tick settled);
  void on_reply(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick(Tick now, Tick settled);

 private:
  struct Open {
    world::Outcome outcome;
    world::Judgement judgement;  ///< judgement of the nearest hit
    double met_m = 0;            ///< its distance; the line's length: no hit
    Tick since;
    std::bitset<workers_max> waiting;  ///< the workers with an outstanding reply
  };
  struct Query {
    std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
    std::uint32_t number = 0;
    world::Outcome outcome;
    world::Raycast raycast;
    double far_m = 0;  ///< hits farther away do not matter
  };
  struct Reply;
  template <class Cursor>
  static bool walk_query(Cursor& cursor, auto& query);
  template <class Cursor>
  static bool walk_reply(Cursor& cursor, auto& reply);

  std::bitset<workers_max> owners_beyond(const Judged& judged) const;
  void answer(WorkerSlot to, const Query& query);

  Needs needs_;
  std::uint32_t numbers_ = 0;
  std::map<std::uint32_t, Open> open_;
  std::deque<std::pair<WorkerSlot, Query>> asked_;  ///< queries about ticks that may still change
};

}  // namespace perigee::worker
