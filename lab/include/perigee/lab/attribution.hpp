/// Explains why a player was corrected, from both sides' records. Keeps the client's prediction
/// from before it received a message, and the final ticks of the worker. replay::explain then finds
/// the cause.
#pragma once

#include <memory>
#include <optional>

#include "perigee/client/client.hpp"
#include "perigee/replay/counterfactual.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

class Attribution {
 public:
  Attribution();

  /// Copies the client's present prediction.
  void before_receive(const client::Client& client);
  /// A tick that can no longer change, under the client's name for it.
  void note_final(const worker::Core& core, const worker::Player& player,
                  const world::StepRecord& record, Tick named);
  /// That worker is about to end. Nothing is explained before the next final tick.
  void forget(const worker::Core& core) {
    if (core_ == &core) core_ = nullptr;
  }
  /// The reason for the change of the present state since before_receive(). Unknown if one side's
  /// ticks are missing.
  replay::Explanation explain(const world::GameModule& game, const client::Client& client) const;

 private:
  using Records = TickRing<world::StepRecord, client::Prediction::history_ticks>;
  std::optional<replay::Chain> believed() const;
  bool became(const client::Prediction& now, replay::Chain& out) const;

  Tick base_, end_;
  std::uint64_t copied_ = 0;           ///< Prediction::rewritten() at that time
  std::unique_ptr<Records> believed_;  ///< [base_, end_)
  ActorState present_;
  std::unique_ptr<Records> finals_;
  const worker::Core* core_ = nullptr;  ///< of the newest final tick
  const world::ActorParams* params_ = nullptr;
};

}  // namespace perigee::lab
