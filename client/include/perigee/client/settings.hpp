/// Settings of one client.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/lead_control.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/base/time_map.hpp"
#include "perigee/client/storm_breaker.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::client {

struct Settings {
  LeadControl::Settings lead;
  TimeMap::Settings view;
  std::int32_t ticks_per_call_max = 30;  ///< ticks to catch up after a hitch, in one call
  Micros uncompared_us_max = 3'200'000;  ///< without a final state this long: restart
  std::int32_t skip_ticks = 90;          ///< further behind: continue from the server's state
  /// Limit of the lead over the newest server tick, beyond which there is no prediction: a round
  /// trip of 3.7 s. The rest of Prediction::history_ticks is for the rollback window and for
  /// jitter.
  double lead_ticks_max = 220;
  /// Default: the techniques of the avatar's type, from the game.
  std::optional<Techniques> techniques;
  /// Lateness of inputs up to which a suggested tick may be used: the worker's P, 250 ms.
  double suggestion_late_ticks_max = 15;
  StormBreaker::Settings storm_breaker;
  /// Records the last seconds of the own avatar: see Client::recording().
  std::optional<replay::RecorderSettings> recorder;
  /// Timeout of a silent gateway, and duration of reconnection attempts.
  transport::ClientOptions transport;
};

}  // namespace perigee::client
