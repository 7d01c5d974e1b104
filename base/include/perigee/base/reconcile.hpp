/// The two ways to bring a prediction in line with a final state of the server.
///   replay  set the state of that tick and step all newer inputs again (default)
///   shift   add the difference to that entry and all newer ones
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// Re-steps `history` (a TickRing of records with `.after`) from the tick after `final_tick` up to
/// `present`, starting from `state`. `step(record, before)` writes record.after and returns whether
/// it succeeded. Stops at the first failure or missing tick. Returns the number of ticks stepped.
template <class History, class State, class Step>
std::uint32_t replay_from(History& history, Tick final_tick, const State& state, Tick present,
                          Step step) {
  auto* reached = history.find(final_tick);
  if (reached == nullptr) return 0;
  reached->after = state;
  std::uint32_t stepped = 0;
  for (Tick t = final_tick + 1; not_after(t, present); ++t) {
    auto* record = history.find(t);
    if (record == nullptr || !step(*record, reached->after)) break;
    reached = record;
    ++stepped;
  }
  return stepped;
}

/// Entry of a shift history: the predicted position after that tick.
struct PredictedPosition {
  Vec3 after;
};

/// Accesses the position in an entry of a history.
inline constexpr auto predicted_position = [](auto& entry) -> Vec3& { return entry.after; };

/// `server` is the position after `acknowledged`: the difference is added to that entry and to
/// every newer one, so that the next acknowledgement matches. None if that tick is not in the
/// history.
template <class History, class PositionOf = decltype(predicted_position)>
std::optional<Vec3> shift_from(History& history, Tick acknowledged, const Vec3& server,
                               Tick present, PositionOf position_of = predicted_position) {
  auto* entry = history.find(acknowledged);
  if (entry == nullptr) return std::nullopt;
  const Vec3 delta = server - position_of(*entry);
  for (Tick t = acknowledged; not_after(t, present); ++t) {
    if (auto* newer = history.find(t)) position_of(*newer) += delta;
  }
  return delta;
}

}  // namespace perigee
