/// Finds the cause of each correction, from both sides' records. (metric M9 of the lab)
#pragma once

#include "perigee/lab/attribution.hpp"
#include "perigee/lab/input_trace.hpp"
#include "perigee/lab/player_figures.hpp"
#include "perigee/lab/present.hpp"

namespace perigee::lab {

class CauseFinder {
 public:
  CauseFinder() = default;
  explicit CauseFinder(const world::GameModule& game) : game_(&game) {}

  void before_receive(const client::Client& client) { attribution_.before_receive(client); }
  /// A tick that can no longer change, under the client's name for it.
  void note_final(const worker::Core& core, const worker::Player& player,
                  const world::StepRecord& record, Tick named) {
    attribution_.note_final(core, player, record, named);
  }
  /// The worker is about to end.
  void forget(const worker::Core& core) { attribution_.forget(core); }
  /// The cause of the displacement since before_receive().
  CauseFound find(Micros now_us, const Displacement& moved, const client::Client& client,
                  const InputTrace& inputs) const;

 private:
  const world::GameModule* game_ = nullptr;
  Attribution attribution_;
};

/// A missed input counts as lost until it arrives. Corrects the newest causes when it has arrived.
void learn_what_came_late(const InputTimeline& inputs, std::vector<CauseFound>& causes);

}  // namespace perigee::lab
