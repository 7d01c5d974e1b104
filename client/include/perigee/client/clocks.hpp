/// The client's clocks: the tick to predict, T_pred = T_server + U, and the view tick V behind
/// T_server. Local ticks count 1/60 s from the start of the connection.
#pragma once

#include <cstdint>

#include "perigee/base/wire_world.hpp"
#include "perigee/client/settings.hpp"
#include "perigee/client/telemetry_log.hpp"

namespace perigee::client {

class Clocks {
 public:
  struct Needs {
    const Settings& settings;
    const Techniques& techniques;
    TelemetryLog& telemetry;
  };
  explicit Clocks(const Needs& needs);

  /// Restarts local ticks at 0.
  void begin(Micros now_us) { epoch_us_ = now_us_ = now_us; }
  /// Ticks of another world are unrelated to the known ones.
  void forget_world();
  /// The techniques have changed: tries the suggested timeline again.
  void on_techniques() { fell_back_ = false; }

  void set_now(Micros now_us) { now_us_ = now_us; }
  Micros now_us() const { return now_us_; }

  /// An own section arrived now in a block of `block_tick`.
  void on_own(Tick block_tick, const OwnSection& own);
  /// Learns from the margin that the own section reports. Margins of inputs up to `settled` reflect
  /// the start, and not the path.
  void on_margin(const OwnSection& own, Tick settled);
  /// Once per frame: moves V, and the lead.
  void advance(double elapsed_ticks);
  /// Seeds the lead from the round trip if there is none yet, or if it is implausible. False: the
  /// round trip is not known yet.
  bool find_lead();

  /// The tick to predict at that time, with fraction, since time().origin().
  double predicted_ticks(Micros now_us) const {
    return time_map_.rates().ticks(lead_.predicted_even(local_ticks(now_us)));
  }
  /// `lead` while the path is too long for the suggested timeline: see timeline_fallbacks().
  Timeline timeline_in_use() const {
    return fell_back_ ? Timeline::Lead : needs_.techniques.timeline;
  }
  std::uint32_t timeline_fallbacks() const { return timeline_fallbacks_; }
  /// Delay of the client's inputs on the worker behind the ticks that they name.
  std::int32_t delay_ticks() const { return delay_ticks_; }
  const TimeMap& time() const { return time_map_; }
  const LeadControl& lead() const { return lead_; }
  LeadControl& lead() { return lead_; }

 private:
  double local_ticks(Micros now_us) const {
    return static_cast<double>(now_us - epoch_us_) * ticks_per_us;
  }
  bool lead_is_astray(double local) const;
  void seed_lead(double local);
  double spare_ticks_at_start() const;
  bool suggestion_holds(double offset_ticks);

  Needs needs_;
  TimeMap time_map_;
  LeadControl lead_;
  Micros epoch_us_ = 0;
  Micros now_us_ = 0;
  std::int32_t delay_ticks_ = 0;
  bool fell_back_ = false;
  std::uint32_t timeline_fallbacks_ = 0;
};

}  // namespace perigee::client
