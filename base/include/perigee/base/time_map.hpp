/// Maps local time to the server's for the client: the newest server tick, estimated from the
/// fastest path, its jitter, and the one view tick V at which all near entities are rendered. Local
/// time is even: it counts 1/60 s at any rate of the world.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "perigee/base/rate_map.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

class TimeMap {
 public:
  struct Settings {
    double delay_ticks_min = 3.6;  ///< 60 ms
    double slot_ticks = 2;         ///< interval of blocks; records come in every other one
    double slots_covered = 1.5;
    double rate_min = 0.8;  ///< V never runs slower than this share of the world's time
    double rate_max = 1.25;
    double jump_ticks = 60;  ///< 1000 ms off: jump, counted
  };
  explicit TimeMap(const Settings& settings) : settings_(settings) {}
  TimeMap() = default;

  /// A block of `server_tick` arrived at `local_ticks` (local time in ticks), with the world's
  /// rate.
  void on_block(double local_ticks, Tick server_tick, const RateNotice& rate = {});
  /// Advances V; call once per frame before reading it.
  void advance(double local_ticks);

  bool ready() const { return count_ > 0; }
  /// Newest server tick that could have arrived by now, in ticks since `origin()`.
  double observed_ticks(double local_ticks) const {
    return rates_.ticks(observed_even(local_ticks));
  }
  /// The same in even time: durations added to it do not depend on the rate.
  double observed_even(double local_ticks) const { return local_ticks + base_; }
  /// The same from the fastest of the newest blocks, without delay; observed_even() follows it
  /// within seconds.
  double fastest_even(double local_ticks) const { return local_ticks + fastest_; }
  const RateMap& rates() const { return rates_; }
  /// Rate of the world's time relative to real time, at the newest tick that could have arrived.
  double rate() const { return rate_; }
  /// View tick V, in ticks since `origin()`.
  double view_ticks() const { return view_; }
  /// The tick from which real-valued ticks count; fixed by the first block.
  Tick origin() const { return origin_; }
  double ticks_since_origin(Tick tick) const { return ticks_between(origin_, tick); }
  /// p95 of the blocks' delay behind the fastest path, in even time.
  double jitter_ticks() const { return jitter_; }
  double view_delay_ticks() const;
  /// Fixes the view delay behind observed_ticks(), negative is ahead of it. None: the delay follows
  /// from settings and jitter.
  void use_delay(std::optional<double> ticks) { fixed_delay_ = ticks; }
  std::uint32_t jumps() const { return jumps_; }

 private:
  static constexpr std::size_t samples_max = 128;  ///< about 4 s of blocks
  Settings settings_;
  Tick origin_;
  std::array<double, samples_max> offsets_{};
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  double fastest_ = 0;
  double base_ = 0;
  RateMap rates_;
  double rate_ = 1;
  double jitter_ = 0;
  double view_ = 0;
  std::optional<double> fixed_delay_;
  double last_local_ = 0;
  bool view_started_ = false;
  std::uint32_t jumps_ = 0;
};

}  // namespace perigee
