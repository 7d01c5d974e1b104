/// Latencies of a player's own inputs on this side of the network: until they are sampled, sent,
/// and on the screen. Plain numbers; time is passed in as an argument.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/base/telemetry.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::client {

class LatencyLog {
 public:
  static constexpr std::size_t samples_max = 4096;  ///< at one per tick: the last 68 s

  void on_sampled(Tick tick, Micros now_us);
  /// `oldest` is the oldest input that this packet was the first to contain.
  void on_sent(Tick oldest, Micros now_us);
  /// A block reported applied inputs; the oldest of them was applied that long before.
  void on_published(double even_ticks);
  /// The frame displays the own avatar's state at the start of `shown`, or a later one.
  void on_shown(Tick shown, Micros now_us);
  void on_view_delay(double even_ticks);

  /// None: too long ago, or never sampled.
  const Micros* sampled_at_us(Tick tick) const { return sampled_at_us_.find(tick); }
  void forget_inputs();
  void restart_samples() { input_to_display_us_.clear(), next_sample_ = 0; }
  void fill(Telemetry& report) const;

  /// Time between two samplings: a key press waits half of it on average.
  Micros sample_interval_us() const { return sample_interval_us_; }
  Micros send_wait_us() const { return send_wait_us_; }
  Micros publish_wait_us() const { return publish_wait_us_; }
  Micros view_delay_us() const { return view_delay_us_; }
  /// From sampling an input to the frame that displays its whole effect; the newest samples_max,
  /// unordered.
  const std::vector<Micros>& input_to_display_us() const { return input_to_display_us_; }

 private:
  TickRing<Micros, 256> sampled_at_us_;
  std::optional<Tick> not_shown_;  ///< oldest sampled input that is not on the screen yet
  std::optional<Micros> last_sampled_us_;
  Micros sample_interval_us_ = 0;
  Micros send_wait_us_ = 0;
  Micros publish_wait_us_ = 0;
  Micros view_delay_us_ = 0;
  Micros newest_to_display_us_ = 0;
  std::vector<Micros> input_to_display_us_;  // once full, a ring
  std::size_t next_sample_ = 0;
};

}  // namespace perigee::client
