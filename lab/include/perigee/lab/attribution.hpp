/// Who has both sides can tell why a player was corrected: keeps what the client believed before it
/// heard something, and what became final on the worker, and asks replay::explain.
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

  /// The client's belief as it is now.
  void before_receive(const client::Client& client);
  /// A tick that nothing can change any more, under the name that the client has for it.
  void note_final(const worker::Core& core, const worker::Player& player,
                  const world::StepRecord& record, Tick named);
  /// That one is about to end; nothing is explained before the next final tick.
  void forget(const worker::Core& core) {
    if (core_ == &core) core_ = nullptr;
  }
  /// What moved the present since before_receive(). Unknown, if one side's ticks are not there.
  replay::Explanation explain(const world::GameModule& game, const client::Client& client) const;

 private:
  using Records = TickRing<world::StepRecord, client::Prediction::history_ticks>;
  std::optional<replay::Chain> believed() const;
  bool became(const client::Prediction& now, replay::Chain& out) const;

  Tick base_, end_;
  std::uint64_t copied_ = 0;           ///< Prediction::rewritten() then
  std::unique_ptr<Records> believed_;  ///< [base_, end_)
  ActorState present_;
  std::unique_ptr<Records> finals_;
  const worker::Core* core_ = nullptr;  ///< of the newest final tick
  const world::ActorParams* params_ = nullptr;
};

}  // namespace perigee::lab
