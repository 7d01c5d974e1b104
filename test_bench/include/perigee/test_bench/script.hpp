/// A scripted player: a function from what the player knows to the controls of a tick.
#pragma once

#include <functional>
#include <string>

#include "perigee/client/client.hpp"

namespace perigee::test_bench {

/// The knowledge of a scripted player when it is asked for its controls.
struct Moment {
  Tick tick;           ///< that the controls are for
  double seconds = 0;  ///< of ticks, since the player's first one
  const client::Client& client;

  /// The own avatar as predicted, in the frame of its parent.
  const ActorState& motion() const { return client.prediction().state(); }
  template <class State>
  const State& state() const {
    return client.prediction().game_state().template as<State>();
  }
};

/// The bench sets the input's tick. A script depends on the moment alone, so that a run can be
/// repeated.
using Script = std::function<PlayerInput(const Moment&)>;

struct PlayerPlan {
  Script script;
  /// Its network: a profile of the lab and values that replace the profile's, such as "P5" or
  /// "P2 loss-permille=50" (perigee::read_link). A text that is neither fails an assertion.
  std::string link = "P2";
};

}  // namespace perigee::test_bench
